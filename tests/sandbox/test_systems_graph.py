"""`boids systems --graph`: the same graph in three forms, which the programs that draw them can read."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import ROOT, boids
from tests.mods import write_mod

Arrows = set[tuple[str, str, str]]  # giver, taker, what

END = '''
"""Brings a system whose name means something to Mermaid."""
from sandbox.api import App, Phase, System, World


class End(System):
    """Ends nothing."""

    phase = Phase.STEER
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        pass


def install(app: App) -> None:
    app.add_system(End)
'''


def graph(form: str, *options: object) -> str:
    ran = boids("systems", "ronan", "--graph", form, *options)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def of_mermaid(text: str) -> tuple[dict[str, list[str]], Arrows]:
    """The names by phase, and the arrows, of a flowchart; nothing else may be in it."""
    lines = text.splitlines()
    assert lines.pop(0) == "flowchart LR"
    phases: dict[str, list[str]] = {}
    arrows: Arrows = set()
    phase = ""
    for line in lines:
        if found := re.fullmatch(r"  subgraph ([A-Z]+)", line):
            phase = found[1]
        elif line == "  end":
            phase = ""
        elif found := re.fullmatch(r'    s_(\w+)\["(\w+)"\]', line):
            assert phase
            assert found[1] == found[2]
            phases.setdefault(phase, []).append(found[1])
        elif found := re.fullmatch(r'  s_(\w+) -->\|"([\w., ]+)"\| s_(\w+)', line):
            arrows.add((found[1], found[3], found[2]))
        else:
            assert re.fullmatch(r"  style s_\w+ [\w:#,-]+", line), line
    return phases, arrows


def of_json(text: str) -> tuple[dict[str, list[str]], Arrows]:
    phases: dict[str, list[str]] = {}
    read: dict[str, Any] = json.loads(text)
    for system in read["systems"]:
        phases.setdefault(system["phase"], []).append(system["name"])
    return phases, {(f["from"], f["to"], ", ".join(f["what"])) for f in read["flows"] if not f["implied"]}


def of_dot(text: str) -> tuple[dict[str, list[str]], Arrows]:
    phases = {
        phase: re.findall(r'^    "(\w+)" \[', body, re.MULTILINE)
        for phase, body in re.findall(r"subgraph cluster_([A-Z]+) \{(.*?)\n  \}", text, re.DOTALL)
    }
    arrows = re.findall(r'^  "(\w+)" -> "(\w+)" \[label="([^"]*)"\];$', text, re.MULTILINE)
    return phases, {(giver, taker, what.replace("\\n", ", ")) for giver, taker, what in arrows}


def test_the_three_forms_are_one_graph_and_always_the_same(tmp_path: Path) -> None:
    mod = write_mod(tmp_path / "ends", END)
    forms = [graph(form, "--mod", mod) for form in ("mermaid", "dot", "json")]
    assert of_mermaid(forms[0]) == of_dot(forms[1]) == of_json(forms[2])
    assert graph("mermaid", "--mod", mod) == forms[0]
    phases, arrows = of_mermaid(forms[0])
    assert "end" in phases["STEER"]
    assert ("end", "movement", "Motion.acceleration") in arrows
    assert ("wrap", "order", "Position") in arrows


def test_systems_of_mods_are_outlined(tmp_path: Path) -> None:
    mod = write_mod(tmp_path / "ends", END)
    assert re.findall(r"style s_(\w+) stroke:", graph("mermaid", "--mod", mod)) == ["end"]
    assert re.findall(r'"(\w+)" \[.*penwidth=3', graph("dot", "--mod", mod)) == ["end"]
    brought = {system["name"]: system["mod"] for system in json.loads(graph("json", "--mod", mod))["systems"]}
    assert {name for name, mod in brought.items() if mod == "ends"} == {"end"}


def test_what_is_disabled_is_dashed(tmp_path: Path) -> None:
    scene = tmp_path / "still.toml"
    scene.write_text("format = 1\n[systems]\nflocking = { enabled = false }\n", encoding="utf-8")
    assert "  style s_flocking stroke-dasharray:4\n" in boids("systems", scene, "--graph", "mermaid").stdout
    assert '"flocking" [label="flocking", style=dashed];' in boids("systems", scene, "--graph", "dot").stdout


def test_what_each_does_to_an_entity_stands_in_the_boxes() -> None:
    does = graph("mermaid", "--entity", 1)
    assert re.search(r's_movement\["movement<br>Position [-+\d., ]+<br>Velocity [-+\d., e]+"\]', does)
    assert re.search(r'"movement" \[label="movement\\nPosition ', graph("dot", "--entity", 1))


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_it(tmp_path: Path) -> None:
    file = tmp_path / "pipeline.dot"
    file.write_text(graph("dot", "--entity", 1, "--mod", write_mod(tmp_path / "ends", END)), encoding="utf-8")
    drawn = subprocess.run(["dot", "-Tsvg", file], capture_output=True, text=True, check=True)
    assert drawn.stderr == ""
    assert drawn.stdout.count('class="edge"') == len(of_dot(file.read_text("utf-8"))[1])


def test_the_docs_show_what_the_command_prints() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    (shown,) = re.findall(r"^```mermaid\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert shown == boids("systems", "--graph", "mermaid").stdout
