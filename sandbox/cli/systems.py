"""The command `boids systems`: the systems of a scene, what flows between them, and what each does to one entity."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandbox.cli.explain import MOST_SERIAL
from sandbox.cli.options import DEFAULT_SCENE, ModOption, SceneArgument, mods_on
from sandbox.cli.running import run_ticks
from sandbox.cli.times import read_moment
from sandbox.terminal import say, show_table

if TYPE_CHECKING:
    from sandbox.explain.changes import Deeds
    from sandbox.simulation import Simulation
    from systems.engine.system import System

OF_MOD, OFF = "stroke:#d9822b,stroke-width:3px", "stroke-dasharray:4"
OF_MOD_IN_DOT, OFF_IN_DOT = ', color="#d9822b", penwidth=3', ", style=dashed"


class Form(StrEnum):
    """How the graph is written."""

    MERMAID = "mermaid"
    DOT = "dot"
    JSON = "json"


def systems(
    scene: SceneArgument = DEFAULT_SCENE,
    graph: Annotated[
        Form | None, typer.Option(help="Print a graph of what each takes over from which.", show_default=False)
    ] = None,
    entity: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_SERIAL,
            metavar="SERIAL",
            help="Say what each does to this entity in the next tick.",
            show_default=False,
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Run so far first, or go there in a recording: 12.5s, or tick 750; default: its beginning or end.",
            show_default=False,
        ),
    ] = None,
    mods: ModOption = None,
) -> None:
    """List the systems of a scene in the order in which they run, or say who changes what of one entity."""
    from sandbox.explain.changes import who_did_what

    simulation = _opened(scene, at, mods)
    faults = simulation.mods.faults
    known = len(faults)
    did = {} if entity is None else who_did_what(simulation, entity)
    for fault in faults[known:]:
        say(f"boids: the mod was stopped: {fault.sentence}", stderr=True)
    if graph is Form.JSON:
        print(json.dumps(_as_json(simulation, did), indent=2))
    elif graph is not None:
        print("\n".join((_mermaid if graph is Form.MERMAID else _dot)(simulation, did)))
    elif entity is None:
        rows = [
            (str(number), s.phase.name, s.name, *(", ".join(names) for names in _touched(s).values()), _switched(s))
            for number, s in enumerate(simulation.pipeline.systems, 1)
        ]
        show_table(("", "phase", "system", "reads", "writes", "adds to", ""), rows)
    else:
        tick = simulation.tick
        print(f"What each system does to entity {entity} from tick {tick:,} to {tick + 1:,}:")
        own, mod_of = [s for s in simulation.pipeline.systems if s.name in did], simulation.mods.mod_of
        lines = [(s.phase.name, s.name, mod_of.get(s.name, ""), "; ".join(did[s.name].words)) for s in own]
        show_table(("phase", "system", "mod", "does"), lines)
    raise typer.Exit(bool(faults))


def _opened(scene: str, at: str | None, mods: list[Any] | None) -> Simulation:
    """Open a scene or recording at a moment, by default a scene at its beginning and a recording at its end."""
    from sandbox.files.read_recording import has_past
    from sandbox.opening import load, opened_to_run
    from systems.engine.settings import Settings

    with mods_on(mods) as library:
        if at is None:
            return load(scene, mods=library)
        timeline = opened_to_run(scene, library)
    rate = timeline.simulation.world.resource(Settings).tick_rate
    last = timeline.branch.last if has_past(scene) else None
    tick = round(read_moment("--at", at, rate, timeline.recording.first, last))
    if last is None:
        run_ticks(timeline.simulation, tick - timeline.tick)
    else:
        timeline.seek(tick)
    return timeline.simulation


def _touched(system: System) -> dict[str, list[str]]:
    """Return the names of what a system reads, writes and adds to."""
    kinds = {"reads": system.reads, "writes": system.writes, "adds": system.adds}
    return {kind: [t if isinstance(t, str) else t.__name__ for t in touched] for kind, touched in kinds.items()}


def _switched(system: System) -> str:
    return "" if system.enabled else "disabled"


def _as_json(simulation: Simulation, did: Mapping[str, Deeds]) -> dict[str, Any]:
    """Return the systems in order, and all flows: those that are implied by others too."""
    from systems.engine.flows import flows

    listed, mods = simulation.pipeline.systems, simulation.mods.mod_of
    nodes = [
        {"name": s.name, "phase": s.phase.name, "mod": mods.get(s.name), "enabled": s.enabled, **_touched(s)}
        | (did[s.name].as_json() if s.name in did else {})
        for s in listed
    ]
    edges = [{"from": f.giver, "to": f.taker, "what": f.what, "implied": f.implied} for f in flows(listed)]
    return {"tick": simulation.tick, "systems": nodes, "flows": edges}


def _mermaid(simulation: Simulation, did: Mapping[str, Deeds]) -> Iterator[str]:
    """Yield the lines of a flowchart of Mermaid; ids have a prefix, because it takes `end` for a word of its own."""
    listed, mods = simulation.pipeline.systems, simulation.mods.mod_of
    yield "flowchart LR"
    for phase, group in groupby(listed, lambda system: system.phase):
        yield f"  subgraph {phase.name}"
        for system in group:
            label = "<br>".join(_lines(system, did))
            yield f'    s_{system.name}["{label}"]'
        yield "  end"
    for giver, taker, what in _shown_flows(listed):
        label = ", ".join(what)
        yield f'  s_{giver} -->|"{label}"| s_{taker}'
    for system in listed:
        if styles := [OF_MOD] * (system.name in mods) + [OFF] * (not system.enabled):
            yield f"  style s_{system.name} {','.join(styles)}"


def _dot(simulation: Simulation, did: Mapping[str, Deeds]) -> Iterator[str]:
    """Yield the lines of a graph of Graphviz."""
    listed, mods = simulation.pipeline.systems, simulation.mods.mod_of
    yield "digraph pipeline {"
    yield "  rankdir=LR;"
    yield "  node [shape=box];"
    yield '  edge [color="#808080", fontsize=10];'
    for phase, group in groupby(listed, lambda system: system.phase):
        yield f"  subgraph cluster_{phase.name} {{"
        yield f'    label="{phase.name}";'
        for system in group:
            label = "\\n".join(_lines(system, did))
            style = OF_MOD_IN_DOT * (system.name in mods) + OFF_IN_DOT * (not system.enabled)
            yield f'    "{system.name}" [label="{label}"{style}];'
        yield "  }"
    for giver, taker, what in _shown_flows(listed):
        label = "\\n".join(what)
        yield f'  "{giver}" -> "{taker}" [label="{label}"];'
    yield "}"


def _shown_flows(listed: Sequence[System]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return giver, taker and what flows, without the flows that others imply."""
    from systems.engine.flows import flows

    return [(flow.giver, flow.taker, flow.what) for flow in flows(listed) if not flow.implied]


def _lines(system: System, did: Mapping[str, Deeds]) -> list[str]:
    """Return the words in a node: the name, and what the system does to the entity."""
    return [system.name, *(did[system.name].words if system.name in did else ())]
