"""Every mistake in a scene file is reported, each with its place and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.scenes.reader import read_scene, scene_of
from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import TomlSource


def mistakes(text: str | bytes) -> list[str]:
    """The first line of each mistake in a scene, without the file's name."""
    raw = text.encode() if isinstance(text, str) else text
    with pytest.raises(SceneError) as caught:
        scene_of(TomlSource("s.toml", raw))
    return [str(mistake).splitlines()[0].removeprefix("s.toml:") for mistake in caught.value.mistakes]


def scene(*lines: str) -> str:
    return "\n".join(["format = 1", *lines])


def test_a_mistake_shows_its_place_its_reason_the_line_and_a_caret() -> None:
    with pytest.raises(SceneError) as caught:
        scene_of(TomlSource("scenes/storm.toml", scene("[prefabs.a]", "Motion = { drag = -3.0 }").encode()))
    assert str(caught.value) == (
        "scenes/storm.toml:3:12: Motion.drag = -3.0: must be 0 to 60 (1/s)\n"
        "    Motion = { drag = -3.0 }\n"
        "               ^"
    )


SIZES = "must be 2 numbers: [width, height] or 3: [width, height, depth]"
KEYS = "unknown key; write size = [width, height], or [width, height, depth]"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # values
        (["seed = -1"], "2:1: seed = -1: must be 0 to 4,611,686,018,427,387,904"),
        (["seed = -1 # why"], "2:1: seed = -1: must be 0 to 4,611,686,018,427,387,904"),
        (["seed = 1.5"], "2:1: seed = 1.5: must be a whole number, 0 to 4,611,686,018,427,387,904"),
        (["seed = true"], "2:1: seed = true: must be a number, 0 to 4,611,686,018,427,387,904"),
        (["name = 3"], "2:1: name = 3: must be text in quotes"),
        (["name = 2020-01-01"], "2:1: name = 2020-01-01: dates and times have no meaning here"),
        (["[world]", "size = [0, 720]"], "3:9: world.size[0] = 0: must be 1 to 1,000,000 (u)"),
        (
            ["[world]", "size = [640]"],
            f"3:1: world.size = [640]: {SIZES}",
        ),
        (
            ["[world]", "size = 640"],
            f"3:1: world.size = 640: {SIZES}",
        ),
        (["[world]", "tick_rate = 0"], "3:1: world.tick_rate = 0: must be 1 to 1,000 (Hz)"),
        (["[world]", "tick_rate = 1001"], "3:1: world.tick_rate = 1001: must be 1 to 1,000 (Hz)"),
        (["[world]", "turn = { margin = -1 }"], "3:10: world.turn.margin = -1: must be 0 to 1,000,000 (u)"),
        (
            ["[world]", 'edges = "warp"'],
            "3:1: world.edges = \"warp\": must be one of wrap, turn, bounce, open; did you mean 'wrap'?",
        ),
        (["[prefabs.a.Predator]", "hunts = [[1]]"], "3:1: Predator.hunts = [[1]]: there is no prefab [1]"),
        (["[[spawn]]", 'prefab = "boid"', "Food = { feeds = [{}] }"], "4:10: Food.feeds = [{}]: there is no prefab {}"),
        (["[prefabs.a.Look]", 'colour = "red"'], '3:1: Look.colour = "red": must be a colour like "#e8d9a0"'),
        (["[prefabs.a.Perception]", "neighbours = 0"], "3:1: Perception.neighbours = 0: must be 1 to 64"),
        (["[prefabs.a.Flocker]", "cohesion_mixes = 1"], "3:1: Flocker.cohesion_mixes = 1: must be true or false"),
        # numbers that are none
        (["[prefabs.a.Look]", "size = nan"], "3:1: Look.size = nan: must be a finite number"),
        (["[prefabs.a.Look]", "size = -inf"], "3:1: Look.size = -inf: must be a finite number"),
        (["[prefabs.a.Look]", "size = 1e400"], "3:1: Look.size = 1e400: must be a finite number"),
        (["seed = 99999999999999999999"], "2:1: seed = 99999999999999999999: too large a number"),
        # unknown names
        (["[wordl]"], '2:2: wordl: unknown key; did you mean "world"?'),
        (["size = [300, 300]"], "2:1: size: unknown key; it stands in [world]"),
        (['edge = "wrap"'], "2:1: edge: unknown key; it stands in [world]"),
        (["sede = 3"], '2:1: sede: unknown key; did you mean "seed"?'),
        (
            ["[world]", "heigth = 300"],
            f"3:1: world.heigth: {KEYS}",
        ),
        (
            ["[world]", "width = 300"],
            f"3:1: world.width: {KEYS}",
        ),
        (
            ["[world]", "seed = 3"],
            "3:1: world.seed: unknown key; it stands at the beginning of the file, before [world]",
        ),
        (
            ["[world]", "margin = 3"],
            "3:1: world.margin: unknown key; write turn = { margin = ..., acceleration = ... }",
        ),
        (["[world]", "sise = [3, 3]"], '3:1: world.sise: unknown key; did you mean "size"?'),
        (["[prefabs.a]", "Floker = {}"], '3:1: Floker: unknown key; did you mean "Flocker"?'),
        (
            ["[prefabs.a]", "Flocker = { cohesion_strenght = 1 }"],
            '3:13: Flocker.cohesion_strenght: unknown key; did you mean "cohesion_strength"?',
        ),
        (["[prefabs.a.Position]", "previous = [0, 0]"], "3:1: Position.previous: unknown key"),
        (
            ["[systems]", "spatial_hash = false"],
            "3:1: systems.spatial_hash = false: can't be disabled: the world needs it",
        ),
        (["[systems]", "floking = false"], '3:1: systems.floking: unknown key; did you mean "flocking"?'),
        (["[systems]", "flocking = { speed = 1 }"], "3:14: systems.flocking.speed: unknown key"),
        (["[prefabs.a]", 'extends = "biod"'], '3:1: extends = "biod": unknown prefab; did you mean "boid"?'),
        (["[[spawn]]", 'prefab = "biod"'], '3:1: prefab = "biod": unknown prefab; did you mean "boid"?'),
        # wrong types everywhere
        (["world = 3"], "2:1: world = 3: must be a table"),
        (["prefabs = []"], "2:1: prefabs = []: must be a table"),
        (["[prefabs]", "a = 3"], "3:1: prefabs.a = 3: must be a table"),
        (["[prefabs.a]", "Look = 3"], "3:1: Look = 3: must be a table"),
        (["[spawn]"], "2:2: spawn: must be a list: [[spawn]] tables"),
        (["spawn = [3]"], "2:10: spawn[0] = 3: must be a table"),
        (["[systems]", "flocking = 3"], "3:1: systems.flocking = 3: must be true, false or a table"),
        (["[systems]", "flocking = { enabled = 1 }"], "3:14: systems.flocking.enabled = 1: must be true or false"),
        (["[mods]", "required = 3"], "3:1: mods.required = 3: must be a list: a list of mods"),
        # prefabs
        (
            ["[prefabs.a]", 'extends = "a"'],
            '3:1: extends = "a": is itself, and no prefab of this name is built in or of a mod that is on',
        ),
        (["[prefabs.a.Position]", "x = 3"], "3:1: Position.x: in a [[spawn]], give this with at or area"),
        (['[prefabs.""]'], "2:10: prefabs.: a name must be 1 to 64 printable characters"),
        # mods
        (
            ["[mods]", 'required = ["magnet >= 1.0"]'],
            '3:13: mods.required[0] = "magnet >= 1.0": the mod magnet is not enabled',
        ),
        (
            ["[mods]", 'optional = ["../evil"]'],
            '3:13: mods.optional[0] = "../evil": must be the id of a mod, maybe with versions: "wind >= 1.2"',
        ),
    ],
)
def test_one_mistake(lines: list[str], expected: str) -> None:
    assert mistakes(scene(*lines)) == [expected]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["at = [2e6, 0]"], "4:7: at[0] = 2e6: must be -1,000,000 to 1,000,000 (u)"),
        (["at = [0, -1000001]"], "4:10: at[1] = -1000001: must be -1,000,000 to 1,000,000 (u)"),
        (["at = [1]"], "4:1: at = [1]: must be 2 numbers: [x, y] or 3: [x, y, z]"),
        (["at = [1, 'a']"], "4:10: at[1] = 'a': must be a number, -1,000,000 to 1,000,000 (u)"),
        (["count = -1"], "4:1: count = -1: must be 0 to 1,000,000"),
        (["count = 1000001"], "4:1: count = 1000001: must be 0 to 1,000,000"),
        (["area = { circle = [0, 0] }"], "4:10: area.circle = [0, 0]: must be 3 numbers: [x, y, radius]"),
        (["area = { circle = [0, 0, -1] }"], "4:26: area.circle[2] = -1: must be 0 to 1,000,000 (u)"),
        (["area = {}"], "4:1: area = {}: must have circle or rect or stream or ball or box"),
        (["area.rect = [9e5, 0, 2e5, 1]"], "4:1: area: must lie within 1,000,000 u of the origin"),
        (["at = [0, 0]", "area.circle = [0, 0, 1]"], "5:1: area: give at or area, not both"),
        (["velocity = [0, 0]", "speed = [1, 2]"], "5:1: speed: give velocity or speed, not both"),
        (["velocity = [0, 0]", "heading = 9"], "5:1: heading: give velocity or heading, not both"),
        (["velocity = [0, 2e4]"], "4:16: velocity[1] = 2e4: must be -10,000 to 10,000 (u/s)"),
        (["speed = [3, 2]"], "4:1: speed = [3, 2]: must be [slowest, fastest]"),
        (["heading = 400"], "4:1: heading = 400: must be -360 to 360 (degrees)"),
        (["Velocity = { x = 3 }"], "4:14: Velocity.x: in a [[spawn]], give this with velocity or speed or heading"),
        (["Look = { size = { mean = 5 } }"], "4:10: Look.size: must have sd"),
        (["Look = { size = { mean = 5, sd = -1 } }"], "4:29: Look.size.sd = -1: must be 0 to 9,999.9 (u)"),
        (["Look = { size = { mean = 0, sd = 1 } }"], "4:19: Look.size.mean = 0: must be 0.1 to 10,000 (u)"),
        (
            ["Look = { shape = { mean = 0, sd = 1 } }"],
            "4:10: Look.shape = { mean = 0, sd = 1 }: must be one of triangle, bird, fish, person, car, ship, dot, "
            "hawk, shark, sheep, wolf, coral, tree",
        ),
        (["points = [[0, 0], [1, 1]]"], "4:1: points: prefab boid has no Wall"),
        (["closed = true"], "4:1: closed: prefab boid has no Wall"),
        (["pionts = [[0, 0], [1, 1]]"], '4:1: pionts: unknown key; did you mean "points"?'),
    ],
)
def test_one_mistake_in_a_spawn(lines: list[str], expected: str) -> None:
    assert mistakes(scene("[[spawn]]", 'prefab = "boid"', *lines)) == [expected]


def test_all_mistakes_are_reported_in_the_order_of_the_file() -> None:
    text = scene(
        "seed = -1",
        "[[spawn]]",
        "[prefabs.a]",
        "Look = { size = nan, shape = 'bidr', tail = 1 }",
        "[systems]",
        "nothing = 1",
    )
    assert [mistake.split(": ")[0] for mistake in mistakes(text)] == ["2:1", "3:3", "5:10", "5:22", "5:38", "7:1"]


def test_columns_count_characters_and_the_caret_stands_below_wide_ones() -> None:
    text = scene("[prefabs.a]", 'Look = { colour = "日本", size = 0 }')
    with pytest.raises(SceneError) as caught:
        scene_of(TomlSource("s.toml", text.encode()))
    size = caught.value.mistakes[1]
    assert (size.line, size.column) == (3, 25)
    source, caret = str(size).splitlines()[1:]
    assert source.index("size") + 2 == caret.index("^")  # on a terminal each of 日本 takes two columns


def test_windows_line_ends_and_a_byte_order_mark_do_not_move_places() -> None:
    assert mistakes(b"\xef\xbb\xbfformat = 1\r\n\r\nseed = -1\r\n") == [
        "3:1: seed = -1: must be 0 to 4,611,686,018,427,387,904"
    ]


def test_places_in_dotted_and_quoted_keys_and_in_tables_of_a_spawn() -> None:
    text = scene(
        '[prefabs."big fish"]',
        'Look."size" = 0',
        "[[spawn]]",
        'prefab = "big fish"',
        "[[spawn]]",
        'prefab = "boid"',
        "[spawn.Look]",
        "size = 0",
    )
    assert mistakes(text) == [
        "3:6: Look.size = 0: must be 0.1 to 10,000 (u)",
        "9:1: Look.size = 0: must be 0.1 to 10,000 (u)",
    ]


def test_what_is_shown_cannot_write_over_the_terminal() -> None:
    with pytest.raises(SceneError) as caught:
        scene_of(TomlSource("s.toml", scene('"\\u001b[2J" = 1').encode()))
    assert "\x1b" not in str(caught.value)


def test_circles_of_extends() -> None:
    text = scene("[prefabs.a]", 'extends = "b"', "[prefabs.b]", 'extends = "a"')
    assert mistakes(text) == [
        '3:1: extends = "b": circular dependency: b -> a -> b',
        '5:1: extends = "a": circular dependency: a -> b -> a',
    ]


def test_a_long_chain_of_extends_is_refused() -> None:
    chain = [line for n in range(40) for line in (f"[prefabs.p{n}]", f'extends = "p{n + 1}"')]
    assert "a prefab can extend a chain of at most 15 others" in mistakes(scene(*chain, "[prefabs.p40]"))[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], "2:3: spawn[0]: a wall must have points: [[x, y], [x, y], ...]"),
        (["points = 3"], "4:1: points = 3: must be a list: the corners of a wall: [[x, y], [x, y], ...]"),
        (["points = [[0, 0]]"], "4:1: points: must be 2 points or more: [[x, y], [x, y], ...]"),
        (
            ["points = [[0, 0], [9, 9]]", "closed = true"],
            "4:1: points: must be 3 points or more: [[x, y], [x, y], ...]",
        ),
        (["points = [[0, 0], [1]]"], "4:19: points[1] = [1]: must be 2 numbers: [x, y]"),
        (["points = [[0, 0], [2e6, 1]]"], "4:20: points[1][0] = 2e6: must be -1,000,000 to 1,000,000 (u)"),
        (["points = [[0, 0], [5, 5], [5, 5]]"], "4:27: points[2]: is the same point as the one before it"),
        (
            ["points = [[0, 0], [5, 5], [5, 9], [0, 0]]", "closed = true"],
            "4:35: points[3]: repeats the first point: closed = true already closes the wall",
        ),
        (["points = [[0, 0], [5, 5]]", "count = 2"], "5:1: count: give points or count, not both"),
        (
            ["points = [[0, 0], [5, 5]]", "Wall = { thickness = 0 }"],
            "5:10: Wall.thickness = 0: must be 0.1 to 10,000 (u)",
        ),
        (["points = [[0, 0], [5, 5]]", "at = [1, 1]"], "5:1: at: prefab wall has no Position"),
    ],
)
def test_one_mistake_in_a_wall(lines: list[str], expected: str) -> None:
    assert mistakes(scene("[[spawn]]", 'prefab = "wall"', *lines)) == [expected]


def test_an_obstacle_does_not_move() -> None:
    still = "an obstacle or wall can't move: leave out Velocity, or the Obstacle or Wall"
    assert mistakes(scene("[prefabs.rock]", 'extends = "boid"', "Obstacle = {}")) == [f"2:10: prefabs.rock: {still}"]
    assert mistakes(scene("[[spawn]]", 'prefab = "obstacle"', "Velocity = {}")) == [f"2:3: spawn[0]: {still}"]


def test_there_is_room_for_64_prefabs() -> None:
    """The 17 built-in ones are among them."""
    assert mistakes(scene(*(f"[prefabs.p{n}]" for n in range(48)))) == [
        "49:10: prefabs.p47: with this the file has more than 64 prefabs"
    ]


def test_the_sum_of_all_entities_counts() -> None:
    one = ["[[spawn]]", 'prefab = "boid"', "count = 600000"]
    assert mistakes(scene(*one, *one)) == ["7:1: count: with these the scene has more than 1,000,000 entities"]


def test_position_needs_a_prefab_that_has_one() -> None:
    lines = ["[prefabs.ghost]", "Look = {}", "[[spawn]]", 'prefab = "ghost"']
    assert mistakes(scene(*lines, "at = [0, 0]")) == ["6:1: at: prefab ghost has no Position"]
    assert scene_of(TomlSource("s.toml", scene(*lines, "at = [0, 0]", "Position = {}").encode()))


@pytest.mark.parametrize("place", ["prefab", "spawn"])
def test_everyone_is_refused_on_a_torus(place: str) -> None:
    table = {"prefab": ["[prefabs.a]", 'extends = "boid"'], "spawn": ["[[spawn]]", 'prefab = "boid"']}[place]
    lines = [*table, 'Perception = { reach = "everyone" }']
    sentence = 'a mean position is undefined if edges = "wrap": choose other edges or another reach'
    assert mistakes(scene(*lines)) == [f'4:16: Perception.reach = "everyone": {sentence}']
    assert scene_of(TomlSource("s.toml", scene(*lines, "[world]", 'edges = "open"').encode()))


def test_a_newer_format_is_all_that_is_said_about_a_file() -> None:
    assert mistakes("format = 2\n[galaxy]\n") == [
        "1:1: format = 2: this version reads format 1; a newer version of boids-sandbox reads it"
    ]
    assert mistakes("format = 0") == ["1:1: format = 0: must be 1 to 1"]
    assert mistakes("seed = 1") == ["1:1: must begin with format = 1"]
    assert mistakes('format = "1"') == ['1:1: format = "1": must be a number, 1 to 1']


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=r"none\.toml: can't be read: no such file or directory"):
        read_scene(tmp_path / "none.toml")
    with pytest.raises(SceneError, match="can't be read"):
        read_scene(tmp_path)
    with pytest.raises(SceneError, match="can't be read"):
        read_scene("a\0b.toml")
