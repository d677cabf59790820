"""The order of systems: by phase, then as declared; what is ambiguous is refused by name."""

import pytest

from components.motion import Motion, Position, Velocity
from components.store.declare import choice, integer, number
from components.store.prefab import Prefab
from components.store.world import World
from sandbox.parts import BUILT_IN
from systems.engine.app import App, installed
from systems.engine.pipeline import Pipeline
from systems.engine.run_order import refuse_unknown_systems, resolve
from systems.engine.system import Phase, System

ran: list[str] = []


def system(name: str, phase: Phase = Phase.STEER, **declared: object) -> System:
    """A system that only notes that it ran."""

    def run(self: System, world: World) -> None:
        ran.append(self.name)

    return type(name, (System,), {"phase": phase, "run": run, **declared})()


def names(*systems: System) -> list[str]:
    return [one.name for one in resolve(systems)]


def test_systems_run_by_phase_whatever_the_order_they_came_in():
    made = [system(phase.name.title(), phase) for phase in reversed(Phase)]
    assert names(*made) == [phase.name.lower() for phase in Phase]


def test_a_systems_name_is_its_class_in_snake_case():
    assert system("SpatialHash").name == "spatial_hash"


def test_before_and_after_are_kept():
    a, b, c = system("A", after=("b",)), system("B"), system("C", before=("b",))
    assert names(a, b, c) == ["c", "b", "a"]


def test_systems_that_only_add_stand_unordered_and_run_as_installed():
    one, other = system("Wind", adds=(Motion,)), system("Flee", adds=("Motion.acceleration",))
    assert names(one, other) == ["wind", "flee"]
    assert names(other, one) == ["flee", "wind"]


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ({"writes": (Velocity,)}, {"reads": (Velocity,)}, "Velocity"),
        ({"writes": (Velocity,)}, {"writes": (Velocity,)}, "Velocity"),
        ({"writes": (Position,)}, {"reads": ("Position.x",)}, "Position.x"),
        ({"writes": ("Position.x",)}, {"writes": (Position,)}, "Position.x"),
        ({"adds": ("Motion.acceleration",)}, {"reads": (Motion,)}, "Motion.acceleration"),
        ({"adds": ("Motion.acceleration",)}, {"writes": (Motion,)}, "Motion.acceleration"),
    ],
)
def test_an_ambiguity_is_refused_and_names_both_and_what_they_share(one, other, shared):
    for first, second in ((one, other), (other, one)):
        with pytest.raises(ValueError, match=rf"systems a and b both touch {shared} in STEER"):
            resolve([system("A", **first), system("B", **second)])
    assert names(system("A", **one), system("B", after=("a",), **other)) == ["a", "b"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"reads": (Velocity,)}, {"reads": (Velocity,)}),
        ({"writes": ("Position.x",)}, {"reads": ("Position.y",)}),
        ({"writes": ("Motion.drag",)}, {"reads": ("Motion.drag_after_clamp",)}),
    ],
)
def test_systems_that_can_not_disturb_each_other_need_no_order(one, other):
    assert names(system("A", **one), system("B", **other)) == ["a", "b"]


def test_an_order_through_others_is_an_order():
    a = system("A", writes=(Velocity,))
    b, c = system("B", after=("a",)), system("C", after=("b",), reads=(Velocity,))
    assert names(c, b, a) == ["a", "b", "c"]


def test_a_circle_is_refused_and_shown():
    with pytest.raises(ValueError, match=r"circular order: (a -> b -> a|b -> a -> b)"):
        resolve([system("A", after=("b",)), system("B", after=("a",))])


def test_an_order_beside_what_is_not_installed_is_passed_over():
    assert names(system("A", before=("moon",)), system("B", after=("sun",))) == ["a", "b"]


def test_a_system_that_stands_before_another_moves_no_others():
    adding = [system(name, adds=("Motion.acceleration",)) for name in "ABCD"]
    assert names(*adding, system("Idle", before=("b",))) == ["a", "idle", "b", "c", "d"]
    assert names(*adding, system("Idle", after=("b",))) == ["a", "b", "c", "d", "idle"]
    assert names(*adding, system("E", before=("f",)), system("F", before=("c",))) == ["a", "b", "e", "f", "c", "d"]


@pytest.mark.parametrize("order", ["before", "after"])
def test_an_order_beside_a_system_that_nobody_knows_is_refused(order):
    with pytest.raises(ValueError, match=r"system a stands before or after 'flokcing'.*did you mean 'flocking'"):
        refuse_unknown_systems([system("A", **{order: ("flokcing",)})], [system("Flee"), system("Flocking")])
    refuse_unknown_systems([system("A", **{order: ("flocking",)})], [system("Flee"), system("Flocking")])


@pytest.mark.parametrize("order", ["before", "after"])
def test_an_order_beside_a_system_of_another_phase_is_refused(order):
    later = system("Later", phase=Phase.LIFE)
    with pytest.raises(ValueError, match=r"system a stands before or after 'later', which runs in LIFE: in STEER only"):
        refuse_unknown_systems([system("A", phase=Phase.STEER, **{order: ("later",)})], [later])


def test_built_in_systems_stand_beside_systems_that_there_are():
    systems = installed(BUILT_IN).systems
    named = {name for one in systems for name in (*one.before, *one.after)}
    assert named
    refuse_unknown_systems(systems, systems)


def test_a_misspelt_order_shows_as_an_ambiguity():
    with pytest.raises(ValueError, match="a and b both touch Velocity"):
        resolve([system("A", writes=(Velocity,)), system("B", after=("aa",), reads=(Velocity,))])


def test_two_systems_of_a_name_are_refused():
    with pytest.raises(ValueError, match="two systems are called a"):
        resolve([system("A"), system("A", Phase.MOVE)])


def test_a_tick_runs_all_but_what_is_switched_off_and_render():
    world = World()
    made = [system("Draw", Phase.RENDER), system("Late", Phase.MOVE), system("Off"), system("Early", Phase.SENSE)]
    pipeline = Pipeline(world, made)
    pipeline.by_name["off"].enabled = False
    ran.clear()
    pipeline.tick(world)
    assert ran == ["early", "late"]
    pipeline.run(world, [Phase.RENDER])
    assert ran == ["early", "late", "draw"]
    world.close()


def test_a_system_that_extends_another_has_its_parameters_too():
    class Wind(System):
        phase = Phase.STEER
        strength: float = number(3, "u/s", 0, 10, "how strong it is")
        veer: float = number(1, "degrees", 0, 360, "how far it veers")

        def run(self, world: World) -> None:
            pass

    class Storm(Wind):
        veer: float = number(90, "degrees", 0, 360, "how far it veers")
        gusts: int = integer(2, "", 0, 9, "how many there are")

    storm = Storm()
    assert (storm.strength, storm.veer, storm.gusts) == (3, 90, 2)
    assert [field.key for field in storm.parameters.values()] == ["Storm.strength", "Storm.veer", "Storm.gusts"]
    assert Wind().veer == 1


def test_parameters_are_declared_like_fields_and_begin_at_their_defaults():
    made = system(
        "Wind", strength=number(60, "u/s", 0, 100, "how strong"), every=integer(2, "ticks", 1, 9, "how often")
    )
    assert (made.strength, made.every) == (60, 2)
    assert made.parameters["strength"].key == "Wind.strength"


def test_what_is_installed_comes_through_one_door_in_order():
    def wind(app: App) -> None:
        app.add_component(Position, Velocity)
        app.add_system(system("Wind"))

    def move(app: App) -> None:
        app.add_component(Velocity, Motion)
        app.add_system(system("Move", Phase.MOVE))

    app = installed([wind, move])
    assert app.components == [Position, Velocity, Motion]
    assert [one.name for one in app.systems] == ["wind", "move"]


def test_a_misspelt_field_is_refused_it_would_hide_a_conflict():
    class Pusher(System):
        phase = Phase.MOVE
        writes = ("Velocty.x",)

        def run(self, world):
            pass

    world = World()
    world.table.declare(Velocity)
    with pytest.raises(ValueError, match=r"pusher touches 'Velocty.x'.*did you mean 'Velocity.x'"):
        Pipeline(world, [Pusher()])


def test_a_system_that_needs_components_runs_while_someone_has_them():
    class Dreaming(System):
        phase = Phase.STEER
        needs = (Position, Velocity)
        runs = 0

        def run(self, world):
            self.runs += 1

    world, dreaming = World(prefabs={"stone": Prefab("stone", {"Position": {}})}), Dreaming()
    for kind in (Position, Velocity):
        world.table.declare(kind)
    pipeline = Pipeline(world, [dreaming])
    stone = world.spawn("stone")
    pipeline.tick(world)
    assert dreaming.runs == 0
    world.commit()
    world.add(int(world.table.serial[0]), Velocity)
    pipeline.tick(world)
    assert dreaming.runs == 1
    world.commit()
    world.despawn(stone)
    pipeline.tick(world)
    assert dreaming.runs == 1


def test_clocks_stand_still_while_a_system_has_nothing_to_do():
    class Gusting(System):
        phase = Phase.STEER
        adds = (Velocity,)
        strength: float = number(0, "u/s", 0, 10, "how hard it blows")

        def applies(self, world):
            return self.strength > 0

        def run(self, world):
            world.table.columns["Velocity.x"][world.table.rows(Velocity)] += self.strength

    world, gusting = World(prefabs={"leaf": Prefab("leaf", {"Velocity": {}})}), Gusting()
    world.table.declare(Velocity)
    pipeline = Pipeline(world, [gusting])
    world.spawn("leaf")
    before = world.table.clocks(Velocity)
    pipeline.tick(world)
    assert world.table.clocks(Velocity) == before
    gusting.strength = 2.0
    pipeline.tick(world)
    assert world.table.clocks(Velocity) != before
    assert world.table.columns["Velocity.x"][0] == 2


def test_a_parameter_that_is_a_choice_reads_as_its_word_and_is_stored_as_its_number():
    class Blowing(System):
        phase = Phase.STEER
        kind: str = choice("cold", "warm", default="warm", help="what it is like")

        def run(self, world):
            pass

    blowing = Blowing()
    assert (blowing.kind, blowing.stored["kind"]) == ("warm", 1)
    blowing.kind = "cold"
    assert (blowing.kind, blowing.stored["kind"]) == ("cold", 0)
    blowing.stored = {"kind": 1}
    assert blowing.kind == "warm"

    class Storming(Blowing):
        pass

    assert Storming().kind == "warm"
    with pytest.raises(ValueError, match=r"Blowing.kind == 'hot': must be one of cold, warm"):
        _ = blowing.kind == "hot"
    with pytest.raises(ValueError, match=r"Blowing.kind = 'hot': must be one of cold, warm"):
        blowing.kind = "hot"
    assert Blowing.kind.choices == ("cold", "warm")
