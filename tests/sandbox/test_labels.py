"""Labels: words that stand in the world, kept with its scene, and no part of its state."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox
from sandbox.design.labels import Labels
from sandbox.edit import SetTables, Undo
from sandbox.scenes.writer import scene_text
from sandbox.simulation import Simulation
from tests.edits import do

POND = """\
format = 1

# where they eat
[labels."Feeding ground"]
x = 300   # by the shore
y = 120
"""


@pytest.fixture
def pond(tmp_path: Path) -> Simulation:
    path = tmp_path / "pond.toml"
    path.write_text(POND)
    return sandbox.load(path)


def labels(simulation: Simulation) -> dict[str, dict[str, object]]:
    return Labels.now(simulation.world)


def changed(simulation: Simulation, **places: dict[str, object]) -> None:
    do(simulation, SetTables("labels", places))


def test_a_scene_file_says_them(pond: Simulation) -> None:
    assert labels(pond) == {"Feeding ground": {"x": 300, "y": 120}}


def test_saving_keeps_comments_and_tells_what_changed(pond: Simulation) -> None:
    changed(pond, **{"Feeding ground": {"x": 310, "y": 120}, "Deep": {"x": 5, "colour": "#00ff00"}})
    text = scene_text(pond)
    assert "x = 310   # by the shore" in text
    assert '[labels.Deep]\nx = 5\ncolour = "#00ff00"' in text.replace("5.0", "5")
    changed(pond)
    assert "labels" not in scene_text(pond)


def test_they_are_undone_and_kept_by_snapshots_but_no_digest_has_them(pond: Simulation, tmp_path: Path) -> None:
    digest = pond.digest()
    changed(pond, Deep={"size": 50})
    assert pond.digest() == digest
    pond.save(tmp_path / "pond.boids")
    with sandbox.load(tmp_path / "pond.boids") as again:
        assert labels(again) == {"Deep": {"size": 50}}
    do(pond, Undo())
    assert [*labels(pond)] == ["Feeding ground"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"Deep": {"size": 0}}, "must be 1 to 10,000"),
        ({"Deep": {"colour": "red"}}, "colour"),
        ({"": {}}, "printable"),
        ({"Deep": {"sise": 3}}, "size"),
        ("Deep", "must be a table"),
    ],
)
def test_what_can_not_be_is_refused(pond: Simulation, given: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        pond.submit(SetTables("labels", given))  # type: ignore[arg-type]
