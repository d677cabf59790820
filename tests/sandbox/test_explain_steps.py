"""A walk through a tick, in words: they are true, they name a reason, and there are some for everyone."""

from __future__ import annotations

import re

import numpy as np
import pytest

import sandbox
from components.flock import Flocker
from components.store.world import World
from sandbox.design.prefabs import installed_prefabs
from sandbox.design.scene import Entry, Scene
from sandbox.edit import SetEnabled, SetField
from sandbox.explain.sentences import SENTENCES, asks
from sandbox.explain.steps import Walk, walk
from sandbox.explain.ways import Pose, Vector, turned, turns, way
from sandbox.explain.wording import count, listed, size
from sandbox.parts import BUILT_IN
from sandbox.scenes.bundled import bundled_scenes
from sandbox.simulation import Simulation
from systems.engine.app import installed
from systems.engine.settings import EDGES, Settings
from systems.engine.system import Phase, System
from tests.edits import do

PREFABS = installed_prefabs(installed(BUILT_IN))


def told(found: Walk, name: str) -> str:
    """All sentences of a step."""
    return " ".join(found.steps[found.step(name)].sentences) if found.step(name) or name == found.steps[0].name else ""


def four(**values: float) -> Simulation:
    """The first at (100, 100) flies to the right; the second is ahead on its left, the third behind, the last afar."""
    places = [(100, 100), (110, 106), (60, 100), (400, 300)]
    entries = [Entry("boid", at=place, velocity=(100, 0), values=values) for place in places]
    return Simulation(Scene(settings=Settings(600, 400, "open"), prefabs=PREFABS, entries=entries))


def test_whom_it_sees_and_whom_not() -> None:
    with four() as simulation:
        sight = told(walk(simulation, 1), "the sight")
        assert "It sees 50 u far and 300° round." in sight
        assert "In view: boid (1)." in sight
        assert "Its rules count: boid (1)." in sight
        assert "As near, but behind it, where it is blind: boid (1)." in sight


def test_each_rule_in_words() -> None:
    with four() as simulation:
        found = walk(simulation, 1)
        separation = found.why.rules["separation"]
        strength = size((separation[0] ** 2 + separation[1] ** 2) ** 0.5)
        sentence = (
            f"Of 1 neighbour within 25 u, the nearest is 12 u away: keeping apart asks for {strength} u/s² to the "
        )
        assert sentence in told(found, "separation")
        assert "turns it right and slows it down" in told(found, "separation")
        assert "The middle of 1 neighbour is 12 u away, to the upper right: " in told(found, "cohesion")
        mean = "The mean velocity of 1 neighbour is 100 u/s to the right: taking it on asks for nothing."
        assert told(found, "alignment") == mean


def test_why_a_rule_gives_nothing() -> None:
    with four() as simulation:
        alone = walk(simulation, 4)
        for rule, radius in (("separation", 25), ("cohesion", 50)):
            sentence = f"None of those that it counts is nearer than {radius} u: it asks for nothing."
            assert told(alone, rule) == sentence
        do(simulation, SetField("Flocker.alignment_strength", 0.0))
        assert told(walk(simulation, 1), "alignment") == "Its strength is 0: it asks for nothing."
        do(simulation, SetEnabled("flocking", False))
        assert "disabled" in told(walk(simulation, 1), "separation")


def test_a_limit_that_bites_is_named() -> None:
    with four(**{"Flocker.separation_limit": 100.0, "Motion.max_acceleration": 50.0}) as simulation:
        found = walk(simulation, 1)
        assert "limit of the rule, 100 u/s²" in told(found, "separation")
        assert "clips 91 u/s² to 50 u/s²" in told(found, "the move")


@pytest.mark.parametrize(
    ("velocity", "values", "sentence"),
    [
        ((160, 0), {}, "would be too fast: its max speed is 150"),
        ((150.2, 0), {}, "150.2 u/s would be too fast: its max speed is 150.0"),
        ((20, 0), {}, "would be too slow: its min speed is 50"),
        ((100, 0), {"Motion.drag": 15.0}, "Drag takes 20 u/s"),
        ((0, 0), {}, "It sets off in this tick of 1/60 s: 0 u/s before, 50 u/s after."),
        (
            (0, 0),
            {"Motion.min_speed": 0.0},
            "It is at rest in this tick of 1/60 s: 0 u/s before, 0 u/s after. It goes 0 u in no direction.",
        ),
        (
            (120, 0),
            {},
            "It goes straight on in this tick of 1/60 s: 120 u/s before, 120 u/s after. It goes 2 u to the right",
        ),
    ],
)
def test_the_move_in_words(velocity: tuple[float, float], values: dict[str, float], sentence: str) -> None:
    entry = Entry("boid", at=(300, 200), velocity=velocity, values=values)
    with Simulation(Scene(prefabs=PREFABS, entries=[entry])) as simulation:
        assert sentence in told(walk(simulation, 1), "the move")


def test_what_stops_or_turns_it_in_the_move_is_named() -> None:
    entries = [Entry("boid", at=(1279.5, 100), velocity=(100, 0)), Entry("boid", at=(499, 200), velocity=(120, 0))]
    entries[1] = Entry("boid", at=(478, 200), velocity=(150, 0), values={"Avoidance.strength": 0.0})
    entries.append(Entry("obstacle", at=(500, 200), values={"Obstacle.radius": 20.0}))
    with Simulation(Scene(prefabs=PREFABS, entries=entries)) as simulation:
        assert "Wraps positions at the edges of a “wrap” world" in told(walk(simulation, 1), "the move")
        assert "It goes 1.7 u to the right" in told(walk(simulation, 1), "the move")
        assert "lets them slide along" in told(walk(simulation, 2), "the move")


def test_the_answer_is_how_it_turns_and_what_does_most_of_that() -> None:
    with four() as simulation:
        found = walk(simulation, 1)
        turns, why = found.answer.split(". ")
        assert f"{turns}." in found.steps[-1].sentences
        assert re.match(r"It turns \d\.\d° right in this tick of 1/60 s: 100 u/s before, \d+ u/s after", turns)
        assert re.match(
            r"Most of this comes from Separation: 165 u/s² that way, of which the others leave 160 u/s²\.$", why
        )
        assert walk(simulation, 4).answer.endswith("100 u/s after. Nothing steers it: it goes on as before.")


def test_the_answer_is_not_what_only_speeds_it_up_while_it_turns() -> None:
    """At its greatest speed: alignment asks for most, straight ahead, and cohesion for a little to the left."""
    values = {"Flocker.separation_strength": 0.0, "Motion.max_acceleration": 0.0}
    entries = [
        Entry("boid", at=(100, 100), velocity=(150, 0), values=values),
        Entry("boid", at=(105, 130), velocity=(400, 0), values={"Motion.max_speed": 400.0}),
    ]
    with Simulation(Scene(settings=Settings(600, 400, "open"), prefabs=PREFABS, entries=entries)) as simulation:
        found = walk(simulation, 1)
        assert "Alignment asks for most" in told(found, "the sum")
        assert re.match(r"It turns .*° left .*: 150 u/s before, 150 u/s after\. ", found.answer)
        assert re.search(r"Most of this comes from Cohesion: (.*) u/s² that way, all together \1 u/s²\.$", found.answer)


@pytest.mark.parametrize("depth", [0.0, 120.0])
def test_the_answer_names_whose_part_of_the_real_turn_is_largest(depth: float) -> None:
    """As plain vectors say: the parts of all accelerations across the heading, along the change of velocity."""
    dice, found = np.random.default_rng(1), set[str]()
    room, axes = np.array([120, 120, depth]), 3 if depth else 2
    velocities = dice.normal(size=(40, axes))
    velocities *= 100 / np.linalg.norm(velocities, axis=1)[:, None]
    places = (dice.random((40, 3)) * room)[:, :axes]
    entries = [
        Entry("boid", at=tuple(at), velocity=tuple(velocity))
        for at, velocity in zip(places.tolist(), velocities.tolist(), strict=True)
    ]
    with Simulation(
        Scene(settings=Settings(600, 400, "open", depth=depth), prefabs=PREFABS, entries=entries)
    ) as simulation:
        for serial in range(1, 41):
            walked = walk(simulation, serial)
            assert walked.why is not None
            before = np.array(walked.why.velocity)
            change = np.array(walked.why.after.velocity) - before
            turn = change - (change @ before) * before / (before @ before)
            parts = {name: turn @ np.array(rule) / np.linalg.norm(turn) for name, rule in walked.why.rules.items()}
            most, total = max(parts, key=lambda name: parts[name]), sum(parts.values())
            said = re.search(
                r"([\w ]+) of this comes from (\w+): (.+) u/s² that way, (all|of which the others) .+ (.+) u/s²\.$",
                walked.answer,
            )
            assert said
            assert said[2] == most.capitalize()
            assert [float(said[n].replace(",", "")) for n in (3, 5)] == pytest.approx([parts[most], total], rel=0.06)
            assert (said[4] == "all") == (parts[most] <= 1.005 * total)
            assert said[1].strip() == ("Most" if parts[most] > total / 2 else "The largest part")
            found |= {most, said[1].strip()}
    assert found >= {"alignment", "separation", "Most"}


@pytest.mark.parametrize(
    ("at", "velocity", "sentence"),
    [
        ((1000, 200), (160, 0), "160 u/s would be too fast: its max speed is 150."),
        ((478, 200), (150, 0), "Most of this comes from Collision: "),
        ((478, 202), (150, 0), "Most of this comes from Collision: "),
    ],
)
def test_the_answer_may_be_a_limit_or_what_stands_in_the_way(
    at: tuple[float, float], velocity: tuple[float, float], sentence: str
) -> None:
    entries = [Entry("boid", at=at, velocity=velocity, values={"Avoidance.strength": 0.0})]
    entries.append(Entry("obstacle", at=(500, 200), values={"Obstacle.radius": 20.0}))
    with Simulation(Scene(prefabs=PREFABS, entries=entries)) as simulation:
        assert f". {sentence}" in walk(simulation, 1).answer


@pytest.mark.parametrize(
    ("velocity", "drag", "sentence"),
    [
        (120.0, 0.0, "Most of this comes from Separation: "),
        (160.0, 0.0, "158 u/s would be too fast: its max speed is 150."),
        (120.0, 15.0, "Drag takes 24 u/s."),
    ],
)
def test_what_slows_it_down_straight_ahead_is_a_rule_only_where_drag_and_limits_do_less(
    velocity: float, drag: float, sentence: str
) -> None:
    """Separation from one right ahead slows it down by 2 u/s; drag by 24, its max speed by 8."""
    entries = [Entry("boid", at=(x, 100), velocity=(velocity, 0), values={"Motion.drag": drag}) for x in (100, 120)]
    with Simulation(Scene(settings=Settings(600, 400, "open"), prefabs=PREFABS, entries=entries)) as simulation:
        assert re.match(rf"It goes straight on .* u/s after\. {sentence}", walk(simulation, 1).answer)


def test_of_one_that_goes_straight_on_the_answer_is_what_all_ask_for() -> None:
    """Whatever turns it to one side, something else turns it to the other."""
    entries = [Entry("boid", at=(100, 100 + y), velocity=(100, 0)) for y in (0, 12, -12)]
    with Simulation(Scene(settings=Settings(600, 400, "open"), prefabs=PREFABS, entries=entries)) as simulation:
        do(simulation, SetField("Flocker.alignment_strength", 0.0))
        answer = walk(simulation, 1).answer
        assert answer.startswith("It goes straight on in this tick of 1/60 s: ")
        assert "Nothing steers it" in answer or "All together ask for" in answer


@pytest.mark.parametrize("edges", EDGES)
def test_with_depth_a_pillar_is_as_far_as_its_axis_wherever_its_middle_is(edges: str) -> None:
    """As for what steers: it goes through the whole depth."""
    found = []
    for z in (50, 250, 450):
        stone = {"Obstacle.radius": 5.0}
        entries = [
            Entry("boid", at=(100, 100, 50), velocity=(52, 60, 50)),
            Entry("obstacle", at=(112, 116, z), values={**stone, "Obstacle.pillar": True}),
            Entry("obstacle", at=(120, 100, 250), values=stone),
        ]
        scene = Scene(settings=Settings(600, 400, edges, depth=500), prefabs=PREFABS, entries=entries)
        with Simulation(scene) as simulation:
            made = walk(simulation, 1)
            assert made.around is not None
            assert made.around.serials.tolist() == [2]  # the ball is too far away
            assert made.around.offsets.tolist() == [[12, 16, 0]]
            assert made.around.distance.tolist() == [20]
            assert made.why is not None
            found.append(made.why.rules["obstacle_avoidance"])
    assert found[0] == found[1] == found[2]
    assert any(found[0])


class Northward(System):
    """Draws all those who move
    to the upper edge.

    More of it is nobody's business.
    """

    phase = Phase.STEER
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        world.table.columns["Motion.acceleration.y"][: world.table.size] += 7


def test_a_mods_system_tells_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.mods.load.assembly.BUILT_IN", (*BUILT_IN, lambda app: app.add_system(Northward)))
    with four() as simulation:
        sentences = told(walk(simulation, 4), "northward")
        assert sentences == "Draws all those who move to the upper edge. Now: 7 u/s² upward, which turns it left."
        assert walk(simulation, 4).steps[4].title == "Northward"


def test_the_goal_that_it_seeks_is_named_and_where_it_is() -> None:
    """Not one that calls others, that is too far away to be felt, or that is less near."""
    goals = [
        Entry("goal", at=(110, 100), values={"Goal.calls": 1 << [*PREFABS].index("predator")}),
        Entry("goal", at=(130, 100), values={"Goal.radius": 20.0}),
        Entry("goal", at=(100, 240)),
        Entry("goal", at=(590, 100)),  # beyond the edge
    ]
    boid = Entry("boid", at=(100, 100), velocity=(100, 0))
    with Simulation(Scene(settings=Settings(600, 400, "wrap"), prefabs=PREFABS, entries=[boid, *goals])) as simulation:
        found = walk(simulation, 1)
        assert "It steers to goal 5, 110 u away, to the left." in told(found, "goals")
        assert found.around.serials[found.around.counted["goals"]].tolist() == [5]
        assert found.why.neighbours == []
        do(simulation, SetEnabled("goals", False))
        assert "It steers to goal" not in " ".join(s for step in walk(simulation, 1).steps for s in step.sentences)


def test_what_gives_nothing_is_named_last_before_the_sum() -> None:
    with four() as simulation:
        do(simulation, SetEnabled("wander", False))
        found = walk(simulation, 1)
        assert [step.name for step in found.steps] == [
            "the sight", "separation", "alignment", "cohesion", "the rest", "the sum", "the move",
        ]  # fmt: skip
        assert "Wander (disabled): Turns wandering entities" in told(found, "the rest")
        assert "Flee: Steers prey away" in told(found, "the rest")


@pytest.mark.parametrize("edges", EDGES)
def test_there_are_words_for_every_built_in_prefab(edges: str) -> None:
    entries = [Entry(name, 3) for name in PREFABS if name != "wall"]
    entries.append(Entry("wall", points=((10, 10), (60, 20))))
    with Simulation(Scene(seed=2, settings=Settings(300, 200, edges), prefabs=PREFABS, entries=entries)) as simulation:
        for _ in range(3):
            table = simulation.world.table
            assert table.size
            for serial in sorted(table.serial[: table.size].tolist()):
                well_told(walk(simulation, serial))
            simulation.step(20)


@pytest.mark.parametrize("scene", [path.stem for path in bundled_scenes() if path.stem != "million"])
def test_there_are_words_for_everyone_in_a_bundled_scene(scene: str) -> None:
    with sandbox.load(scene) as simulation:
        simulation.step(5)
        table = simulation.world.table
        assert table.size
        for prefab in sorted(set(table.prefab[: table.size].tolist())):
            rows = (table.prefab[: table.size] == prefab).nonzero()[0]
            for serial in sorted(table.serial[rows].tolist())[:: max(len(rows) // 3, 1)][:3]:
                well_told(walk(simulation, serial))


def test_there_are_words_without_flocking_and_without_sight() -> None:
    entries = [Entry("boid", at=(50, 50), velocity=(60, 0))]
    with Simulation(Scene(prefabs=PREFABS, entries=entries)) as simulation:
        world = simulation.world
        for name in ("Flocker", "Perception"):
            world.remove(int(world.table.serial[0]), world.table.components[name])
            found = walk(simulation, 1)
            well_told(found)
            assert not found.step("separation")
        assert "It has no Perception" in told(found, "the sight")


def well_told(found: Walk) -> None:
    """Whole sentences, with numbers that are some."""
    assert found.steps
    assert found.answer or found.why is None
    for step in found.steps:
        assert step.title
        assert step.sentences
        for sentence in (*step.sentences, found.answer or "Nothing."):
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
            assert sentence[-1] in ".:", sentence
            assert not re.search(r"\bnan\b|\binf\b|  |\(\)", sentence), sentence


def test_directions_in_words() -> None:
    assert [way(v, Pose((1, 0))) for v in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))] == [
        "to the right", "to the upper right", "upward", "to the upper left",
        "to the left", "to the lower left", "downward", "to the lower right",
    ]  # fmt: skip
    assert turns((0, 1), Pose((1, 0))) == "turns it left"
    assert turns((0, 1), Pose((-1, 0))) == "turns it right"
    assert turns((1, 0.1), Pose((1, 0))) == "speeds it up"
    assert turns((-1, 0.1), Pose((1, 0))) == "slows it down"
    assert turns((-1, -1), Pose((1, 0))) == "turns it right and slows it down"
    assert turns((1, 0), Pose((0, 0))) == "sets it off"
    assert asks((0, 84.2), Pose((1, 0))) == "84 u/s² upward, which turns it left"


def test_directions_in_words_in_a_world_with_depth() -> None:
    """As the animal sees them; y is up."""
    away, near, up = Pose((0, 0, -1)), Pose((0, 0, 1)), Pose((0, 1, 0))  # from the viewer, to the viewer
    assert way((0, 0, -5), away) == "ahead"
    assert way((0, 0, 5), away) == "behind"
    assert way((5, 0, 0), away) == "to the right"
    assert way((5, 0, 0), near) == "to the left"
    assert way((5, 1, 5), Pose((1, 0, 0))) == "ahead and to the right"
    assert way((-1, 1, 1), away) == "behind, to the left and above"
    assert way((0, 9, 3), away) == "above"
    assert way((0, -9, 3), up) == "behind"
    assert way((0, 0, -2), Pose((0, 0, 0))) == "ahead"
    assert way((0, 0, 0), away) == "in no direction"
    assert turns((1, 0, 0), away) == "turns it right"
    assert turns((1, -2, 0), away) == "turns it downward"
    assert turns((0, 1, 1), away) == "turns it upward and slows it down"
    assert turns((0, 0, 1), Pose((0, 0, 0))) == "sets it off"
    assert turned(Pose((0, 0, -1)), (0, 0, -2)) == "goes straight on"
    assert turned(Pose((0, 0, -1)), (-1, 0, -1)) == "turns 45° left"
    assert turned(Pose((1, 0, 0)), (1, 0.1, 0.1)) == "turns 8° right"
    assert turned(Pose((1, 0, 0)), (1, 0.2, 0.1)) == "turns 13° upward"
    assert turned(Pose((0, 0, 0)), (0, 0, 1)) == "sets off"


def test_where_z_is_up_the_same_is_said_of_what_is_laid_on_its_back() -> None:
    """Over a ground, y goes away from the viewer."""
    for heading, vector in np.random.default_rng(3).normal(0, 9, (200, 2, 3)).tolist():
        pose, laid = Pose(tuple(heading)), (vector[0], -vector[2], vector[1])
        over_ground = Pose((heading[0], -heading[2], heading[1]), "z")
        assert way(laid, over_ground) == way(tuple(vector), pose)
        assert turns(laid, over_ground) == turns(tuple(vector), pose)
        assert turned(over_ground, laid) == turned(pose, tuple(vector))


@pytest.mark.parametrize(("scene", "up"), [("reef", (0, 1, 0)), ("pasture", (0, 0, 1))])
def test_above_is_where_the_sky_is(scene: str, up: Vector) -> None:
    with sandbox.load(scene, depth=400) as simulation:
        world = simulation.world
        around = walk(simulation, int(world.table.serial[world.table.rows(Flocker)[0]])).around
        assert around is not None
        assert way(up, around.pose).endswith("above")


def test_every_animal_of_a_world_with_depth_is_told_about() -> None:
    with sandbox.load("reef", depth=400) as simulation:
        simulation.step(30)
        found = walk(simulation, 20)
        assert found.why is not None
        assert len(found.why.acceleration) == 3
        assert re.search(r" (ahead|behind|above|below|to the (left|right))\b", told(found, "cohesion"))


def test_numbers_in_words() -> None:
    assert [size(v) for v in (0, 0.00001, 0.0123, 0.5, 1, 7.73, 9.97, 84.4, 1234.5)] == [
        "0", "0", "0.012", "0.5", "1", "7.7", "10", "84", "1,234",
    ]  # fmt: skip
    assert (count(1, "neighbour"), count(3, "neighbour")) == ("1 neighbour", "3 neighbours")
    assert [listed("a"), listed("ab"), listed("abc")] == ["a", "a and b", "a, b and c"]


def test_every_sentence_is_said_with_the_numbers_of_its_row() -> None:
    """Each in its place among these worlds: a bundled one, one without sight, one at rest, one with limits."""
    told: set[str] = set()
    for values in ({}, {"Flocker.separation_strength": 0.0}, {"Perception.reach": 2}, {"Perception.reach": 1}):
        with four(**values) as simulation:
            told |= {sentence for step in walk(simulation, 1).steps for sentence in step.sentences}
            told |= {sentence for step in walk(simulation, 4).steps for sentence in step.sentences}
    for begin in ("Its rules count its whole flock", "Its rules count at most", "Its rules count: ", "Its strength"):
        assert any(sentence.startswith(begin) for sentence in told), begin
    assert not any("{" in sentence for sentence in told)
    assert all(template[-1] == "." for template in SENTENCES.values())
    assert not any("_" in re.sub("{.*?}", "", template) for template in SENTENCES.values())
