"""Generates docs/api.md, the reference of `sandbox.api`, from docstrings.

`python tools/api_page.py` brings the page up to date; a test checks that it is.
"""

from __future__ import annotations

import enum
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "api.md"
HEAD = """# The reference of `sandbox.api`

Everything that a mod may import from the sandbox. `tools/api_page.py` generates this page from docstrings.
[Mods](mods.md) explains how to write a mod, and [Scenes](scenes.md) what components mean. Lengths are in u, the unit of
the world, and times in simulated seconds.
"""
OTHERS = {
    "AMOUNT_SCALE": "1,048,576: the number of units of a `quantity` column that make 1.",
    "prange": "numba's `prange`: the range of a loop in a `parallel_kernel` whose iterations run on all threads.",
    "Session": """The open world and its view, passed to panels, tools and overlays. `session.simulation.world` is the
world (read-only), `session.simulation.pipeline.by_name` has its systems by name, `session.selection.serials` has the
selected entities, `session.messages.say(text)` and `.warn(text)` show messages, `session.hand.do(session, command)` is
how a tool edits, and `session.camera.zoom` is the number of pixels per u.""",
    "World": """The world that `run` gets: entities, each a row of the table, and the resources that systems share.
Entities that are spawned or removed, and components that are added, are queued until the end of the tick.

- `seed`, `tick`: random numbers depend on these and on serials.
- `prefabs`: the prefabs that can be spawned, by name.
- `resource(kind)`: `Settings`, `Measures`, or one that a mod declared.
- `table`: the data of all entities, see below.""",
    "imgui": "Dear ImGui from `imgui_bundle`, with which panels are drawn.",
    "implot": "ImPlot from `imgui_bundle`, for charts in panels.",
    "icons": "The icons of Font Awesome 6 from `imgui_bundle`: `icons.ICON_FA_MAGNET`.",
}
"""Texts for names without a docstring that suits mods."""
NOTES = {
    "Settings": "A resource: `world.resource(Settings)`, read-only. Declare it in `reads`.",
    "Measures": """A resource: `world.resource(Measures)`. A system of phase MEASURE puts its numbers into `values`,
and declares `adds = (Measures,)`; it runs only while its name is in `wanted`, which is read-only.""",
}
"""Texts that follow the docstring."""
MEMBERS = {
    "App": """add_component add_system add_resource add_prefabs add_scenes add_panel add_tool add_overlay add_action
        add_chart add_preferences""",
    "Canvas": "pixel picture lines arrows polyline rings discs sectors boxes nearest on_screen",
    "Session": "submit ask",
    "System": "run",
    "World": "resource prefab_index spawn despawn despawn_rows dying add remove has get",
    "table": "rows has mask rows_of row_of living",
}
"""The members that are for mods, if not all are."""
COMMANDS = {"Spawn", "Despawn", "SetField", "SetParameter", "SetResource", "Switch"}
CALLED = COMMANDS | {"Action", "MeasureChart", "Entry", "Circle", "Rect", "FieldsPanel", "Placing"}
"""The classes of which mods make instances."""
SECTIONS = {"Args": "Arguments", "Attributes": "Attributes", "Returns": "Returns", "Raises": "Raises"}


def page() -> str:
    """Return the whole page, in Markdown."""
    from sandbox import api

    _, groups, *rest = inspect.cleandoc(api.__doc__ or "").split("\n\n")
    parts = [HEAD, *rest]
    for title, names in grouped(groups):
        parts.append(f"## {title.capitalize()}")
        parts += [entry(name, getattr(api, name)) for name in names]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def grouped(table: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the groups of names in the module's docstring: a title, and the names up to the next title."""
    title, names = "", list[str]()
    for line in inspect.cleandoc(f"\n{table}").splitlines():
        words = line.split()
        if not line.startswith(" "):
            if title:
                yield title, names
            title, names, words = words[0], [], words[1:]
        names += words
    yield title, names


def entry(name: str, thing: Any) -> str:
    """Return the entry of one name, in Markdown."""
    if inspect.isclass(thing) and hasattr(thing, "record"):
        return _component(name, thing)
    parts = [f"### {name}"]
    is_function = inspect.isfunction(thing) or hasattr(thing, "py_func")
    if name in CALLED or (is_function and name not in OTHERS):
        parts.append(_call(name, thing))
    parts.append(OTHERS.get(name) or _prose(thing))
    if inspect.isclass(thing) and hasattr(thing, "fields"):  # a resource
        parts.append(_attributes(thing))
    if name in NOTES:
        parts.append(NOTES[name])
    if inspect.isclass(thing):
        parts += _members(name, thing)
    return "\n\n".join(parts)


def _component(name: str, component: Any) -> str:
    head = [f"### {name}", "", _prose(component), "", "| column | dtype | unit | meaning |", "|---|---|---|---|"]
    for field in component.fields.values():
        words = field.help + ("; recomputed every tick" if field.transient else "")
        head += [f"| `{column}` | {_dtype(field)} | {field.unit} | {words} |" for column in field.columns]
    return "\n".join(head)


def _attributes(resource: Any) -> str:
    head = ["| attribute | unit | meaning |", "|---|---|---|"]
    for field in resource.fields.values():
        words = f": {', '.join(field.choices)}" if field.choices else ""
        head.append(f"| `{field.name}` | {field.unit} | {field.help}{words} |")
    return "\n".join(head)


def _dtype(field: Any) -> str:
    choices = ", ".join(f"{n} {choice}" for n, choice in enumerate(field.choices))
    return f"{field.dtype}: {choices}" if choices else str(field.dtype)


def _members(name: str, cls: type) -> Iterator[str]:
    """Yield the methods and properties of a class that are for mods."""
    from components.store.table import EntityTable
    from sandbox.mods.run.guarded_table import GuardedTable

    if issubclass(cls, enum.Enum):
        yield "One of " + ", ".join(f"`{name}.{member.name}`" for member in cls) + "."
    elif name == "World":  # mods get a guarded table
        yield from _documented("world", cls, MEMBERS["World"])
        yield "### world.table"
        yield _prose(GuardedTable)
        yield from _documented("table", EntityTable, MEMBERS["table"])
    elif name not in CALLED:
        own = "".join(f"_{c.lower()}" if c.isupper() else c for c in name).strip("_")
        yield from _documented(own, cls, MEMBERS.get(name))


def _documented(owner: str, cls: type, only: str | None = None) -> Iterator[str]:
    """Yield the members of a class that have a docstring."""
    for name, value in vars(cls).items():
        shown = not name.startswith("_") if only is None else name in only.split()
        if shown and (inspect.isfunction(value) or isinstance(value, property)) and value.__doc__:
            head = f"`{owner}.{name}`" if isinstance(value, property) else _call(f"{owner}.{name}", value)
            yield f"{head}\n\n{_prose(value)}"


def _call(name: str, thing: Any) -> str:
    """Return the signature as Python code; kernels have no types."""
    parameters = list(inspect.signature(getattr(thing, "py_func", thing)).parameters.values())
    if parameters and parameters[0].name in ("self", "cls") and "." in name:
        parameters = parameters[1:]
    said, starred = list[str](), False
    for parameter in parameters:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            said.append("*")
        starred |= parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        said.append(_parameter(parameter))
    returned = getattr(getattr(thing, "py_func", thing), "__annotations__", {}).get("return", "None")
    arrow = "" if inspect.isclass(thing) or str(returned) == "None" else f" -> {_type(returned)}"
    return f"```python\n{name}({', '.join(said)}){arrow}\n```"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = f"{stars}{parameter.name}"
    if parameter.annotation is not parameter.empty:
        text += f": {_type(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        shown = "..." if "factory" in repr(parameter.default) else repr(parameter.default)
        if isinstance(parameter.default, enum.Enum):
            shown = str(parameter.default)
        text += f" = {shown}" if ":" in text else f"={shown}"
    return text


def _type(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return str(text).replace("np.", "")


def _prose(thing: Any) -> str:
    """Return the docstring as Markdown; its sections become lists."""
    parts, section = [], ""
    for line in inspect.cleandoc(thing.__doc__ or "").splitlines():
        heads = re.fullmatch(r"(\w+):", line)
        if heads and heads[1] in SECTIONS:
            section = SECTIONS[heads[1]]
            if parts and parts[-1]:
                parts.append("")
            parts += [f"{section}:", ""]
        elif section and re.match(r"    \S", line):
            parts.append(_item(line.strip(), section))
        elif section and line.startswith("     "):
            parts[-1] += " " + line.strip()
        else:
            section = section if not line else ""
            parts.append(line)
    return "\n".join(parts).strip()


def _item(line: str, section: str) -> str:
    """Return an entry of a section as a list item, with its name as code."""
    about = re.match(r"([\w, ]+?): (.*)", line)
    if about and section in ("Arguments", "Attributes"):
        names = ", ".join(f"`{name.strip()}`" for name in about[1].split(","))
        return f"- {names}: {about[2]}"
    return f"- {line}"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(page(), "utf-8")
