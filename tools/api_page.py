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
[Mods](mods.md) explains how to write a mod. Lengths are in u, the unit of the world, and times in simulated seconds.
`help(sandbox.api.World.spawn)` in Python also tells which errors a function raises.
"""
OTHERS = {
    "App": "What `install(app)` adds to: the parts of which worlds and the window are made.",
    "AMOUNT_SCALE": "1,048,576: the number of units of a `quantity` column that make 1.",
    "for_each_row": """Compile a function of one row to a kernel that runs it for many rows, on all threads. The kernel
takes `rows` in place of the function's first argument:

```python
@for_each_row
def fall(row, data, gravity):
    accelerate(data.motion[row], (0, -gravity))


fall(rows, data_of(self, world), 9.81)
```

The function must write only to its own row, and can't make arrays.""",
    "prange": "numba's `prange`: the range of a loop in a `parallel_kernel` whose iterations run on all threads.",
    "Session": """The open world and its view, passed to panels, tools and overlays.

- `simulation.world`: the world, read-only; `simulation.pipeline.by_name`: its systems by name.
- `selection.serials`: the selected entities.
- `shown`: the names of the overlays that are shown.
- `messages.say(text)`, `messages.warn(text)`: show a message.
- `hand.do(session, command)`: how a tool edits; `hand.brush_radius(session)`: the radius of the brush, u.
- `camera.zoom`: pixels per u; `camera.world_size`: width and height of the world, u.""",
    "Settings": """The size of the world, what its edges do, and its clock. A resource: `world.resource(Settings)`,
read-only. Declare it in `reads`. Its attributes are `width`, `height`, `edges`, `margin`, `acceleration`, `backdrop`,
`trails`, `tick_rate` and `population_limit`: see [`[world]`](scenes.md#world).""",
    "World": """The world that `run` gets: entities, each a row of the table, and the resources that systems share.
Entities that are spawned or removed, and components that are added, are queued until the end of the tick. Which number
names an entity where: [serial and row](mods.md#serial-and-row).

- `seed`, `tick`: random numbers depend on these and on serials.
- `prefabs`: the prefabs that can be spawned, by name.
- `table`: the data of all entities, see below.""",
    "icons": "The icons of Font Awesome 6 from `imgui_bundle`: `icons.ICON_FA_MAGNET`.",
}
"""Texts for names without a docstring that suits mods."""
NOTES = {
    "Measures": """A resource: `world.resource(Measures)`. A system of phase MEASURE puts its numbers into `values`,
and declares `adds = (Measures,)`; it runs only while its name is in `wanted`, which is read-only.""",
    "Events": """A resource: `world.resource(Events)`, read-only, for systems that run after `commit`, and for overlays.
`births`, `deaths` and `catches` have arrays by ascending serial: `serials`, int64 (n,); `by`, the serial of the parent
or of who caught it, 0 if unknown; `prefabs`, int32 (n,), an index into `world.prefabs`; `places`, float32 (n, 2), u,
NaN without a Position. `recent`, for overlays, has the last ticks in which something happened, with `tick` and the
same three.""",
}
"""Texts that follow the docstring."""
MEMBERS = {
    "App": """add_component add_system add_resource add_prefabs add_scenes add_shape add_panel add_tool add_overlay
        add_action add_chart add_preferences""",
    "Canvas": "pixel picture lines arrows polyline rings discs sectors boxes text nearest on_screen",
    "Events": "births deaths catches",
    "Session": "submit",
    "System": "run applies",
    "World": "resource prefab_index spawn despawn dying add remove has get",
    "table": "rows records has mask rows_of row_of living pairs",
}
"""The members that are for mods, if not all are."""
COMMANDS = {"Spawn", "Despawn", "SetField", "SetParameter", "SetResource", "SetEnabled"}
DECORATORS = {"component", "resource", "kernel", "for_each_row", "parallel_kernel", "inlined"}
CALLED = COMMANDS | {"Action", "MeasureChart", "Entry", "Circle", "Rect", "FieldsPanel", "Placing"}
"""The classes of which mods make instances."""
SECTIONS = {"Args": "Arguments", "Attributes": "Attributes", "Returns": "Returns", "Raises": ""}
"""Headings of docstrings, and their words on the page; "": left out."""
TABLE = """The data of all entities: a row for each, and for each component an array of records. Rows move only between
ticks. Values are undefined in rows that lack the component.

- `size`: the number of rows. Arrays have room for more, their capacity.
- `columns`: arrays (capacity,) by field key ("Velocity.x"), the items of the records. While a system runs, those that
  it declares in `writes` or `adds` are drafts, which begin at 0 if it only adds; all others are read-only.
- `serial`: int64 (capacity,), the serial of each entity.
- `prefab`: int32 (capacity,), index into `world.prefabs`.
- `presence`: uint64 (capacity,), bit `bit_of[component]` is set if the row has that component."""
IN_RECORDS = """- `read(record)`, `put(record, a)`: return or set the vector in a record of Position or Velocity.
- `read_previous(record)`, `put_previous(record, a)`: the same for the previous position in a record of Position.
- `read_acceleration(record)`, `put_acceleration(record, a)`: the same for the acceleration in a record of Motion."""
RECORDS = """For kernels. A record holds all values of a component in one row: `data.motion[row].max_speed`. It can be
read and set item by item; these functions read and set the vectors in it, as tuples. Write only to what the system
declares."""
VECTORS = """In kernels vectors are tuples, and each of these functions is compiled for what it is called with. Python
can call them too. A torus is the size of the world along each axis, 0 where it does not wrap."""
INTRODUCED = {"records": f"{RECORDS}\n\n{IN_RECORDS}", "vectors": VECTORS}
COMPONENTS = """[Scenes](scenes.md#components) has the meaning, unit and bounds of each field. A field is a column of
that name, `table.columns["Motion.drag"]`; a vector is two, `Velocity.x` and `Velocity.y`. The dtypes: numbers
float32, integers and choices int32 (a choice is its index in the list, from 0), switches bool, amounts int64 in units
of 1 / AMOUNT_SCALE, colours uint32 (0xRRGGBB), sets of prefabs uint64 (bit n: the n-th of `world.prefabs`).
Some columns stand in no file, because every tick computes them anew:

| column | unit | meaning |
|---|---|---|
"""


def page() -> str:
    """Return the whole page, in Markdown."""
    from sandbox import api

    _, groups, *rest = inspect.cleandoc(api.__doc__ or "").split("\n\n")
    parts = [HEAD, *rest]
    for title, names in grouped(groups):
        parts.append(f"## {title.capitalize()}")
        if title == "components":
            parts.append(_components([getattr(api, name) for name in names]))
        elif title in INTRODUCED:
            parts.append(INTRODUCED[title])
            written = [getattr(api, name) for name in names if name not in IN_RECORDS]
            parts += [_item_or_block(_signature(thing.__name__, thing), thing) for thing in written]
        else:
            parts += [entry(name, getattr(api, name)) for name in names]
    text = "\n\n".join(part.strip() for part in parts) + "\n"
    return re.sub(r"^(- `\w+[.(].*)\n\n(?=- `\w+[.(])", r"\1\n", text, flags=re.MULTILINE)


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
    parts = [f"### {'@' if name in DECORATORS else ''}{name}"]
    is_function = inspect.isfunction(thing) or hasattr(thing, "py_func")
    if name in CALLED or (is_function and name not in {*OTHERS, *DECORATORS}):
        parts.append(_call(name, thing))
    parts.append(OTHERS.get(name) or _prose(thing))
    if name in NOTES:
        parts.append(NOTES[name])
    if inspect.isclass(thing):
        parts += _members(name, thing)
    return "\n\n".join(parts)


def _components(components: list[Any]) -> str:
    columns = [
        f"| `{column}` | {field.unit} | {field.help} |"
        for component in components
        for field in component.fields.values()
        if field.transient
        for column in field.columns()
    ]
    return f"{', '.join(f'`{component.__name__}`' for component in components)}.\n\n{COMPONENTS}" + "\n".join(columns)


def _members(name: str, cls: type) -> Iterator[str]:
    """Yield the methods and properties of a class that are for mods."""
    from components.store.table import EntityTable

    if issubclass(cls, enum.Enum):
        yield "One of " + ", ".join(f"`{name}.{member.name}`" for member in cls) + "."
    elif name == "World":
        yield from _documented("world", cls, MEMBERS["World"])
        yield "### world.table"
        yield TABLE
        yield from _documented("table", EntityTable, MEMBERS["table"])
    elif name not in CALLED:
        own = "".join(f"_{c.lower()}" if c.isupper() else c for c in name).strip("_")
        yield from _documented(own, cls, MEMBERS.get(name))


def _documented(owner: str, cls: type, only: str | None = None) -> Iterator[str]:
    """Yield the members with a docstring of a class and its bases in its folder; a short one as an item of a list."""
    folder = cls.__module__.rpartition(".")[0]
    bases = [base for base in reversed(cls.__mro__) if base.__module__.rpartition(".")[0] == folder]
    for name, value in (item for base in bases for item in vars(base).items()):
        shown = not name.startswith("_") if only is None else name in only.split()
        if shown and (inspect.isfunction(value) or isinstance(value, property)) and value.__doc__:
            head = f"{owner}.{name}" if isinstance(value, property) else _signature(f"{owner}.{name}", value)
            yield _item_or_block(head, value)


def _item_or_block(head: str, thing: Any) -> str:
    """Return the entry of a function or property: an item of a list if a paragraph says all."""
    prose = _prose(thing)
    return f"```python\n{head}\n```\n\n{prose}" if "\n\n" in prose else f"- `{head}`: {' '.join(prose.split())}"


def _call(name: str, thing: Any) -> str:
    return f"```python\n{_signature(name, thing)}\n```"


def _signature(name: str, thing: Any) -> str:
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
    arrow = "" if inspect.isclass(thing) or str(returned) in ("None", "Any") else f" -> {_type(returned)}"
    return f"{name}({', '.join(said)}){arrow}"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text, shows_type = f"{stars}{parameter.name}", parameter.default in (parameter.empty, None, ())
    if shows_type and parameter.annotation not in (parameter.empty, "Any", "ArrayLike"):
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
    parts, section, left_out = [], "", False
    for line in inspect.cleandoc(thing.__doc__ or "").splitlines():
        heads = re.fullmatch(r"(\w+):", line)
        if heads and heads[1] in SECTIONS:
            section, left_out = SECTIONS[heads[1]], not SECTIONS[heads[1]]
            if parts and parts[-1] and section:
                parts.append("")
            parts += [f"{section}:", ""] if section else []
        elif left_out:
            continue
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
