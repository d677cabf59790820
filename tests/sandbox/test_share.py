"""Sharing: what a page holds, how small it is, and how it leads back to the exact world."""

from __future__ import annotations

import base64
import json
import re
import shlex
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import sandbox
from sandbox.app.drawing.picture import graphics
from sandbox.app.drawing.rendered import Rendered
from sandbox.design.scene import Entry
from sandbox.edit import NewPrefab, SetSetting, Spawn, Undo
from sandbox.files.container import RecordingError
from sandbox.files.page import KIND, MOST, recording_in_page
from sandbox.files.write_recording import write_recording
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load, opened_to_run
from sandbox.past.timeline import Timeline
from sandbox.render.scenery import FORM
from sandbox.share.packed import BITS, differences, planes
from sandbox.share.sampled import MOST_LOOKS, MOST_PLACES, Sampled, few_looks, tracks_of, words_of
from tests.command_line import ROOT, boids
from tests.memory import allocated, allocations_counted

SCENE = """
format = 1
name = "Pond"
seed = 3
[world]
size = [300, 200]
population_limit = 90
[prefabs.minnow]
extends = "fish"
Energy = { level = 90, capacity = 120, rest_burn = 30, hunger = 60 }
Life = { birth_level = 60 }
[[spawn]]
prefab = "minnow"
count = 40
[[spawn]]
prefab = "predator"
"""
STARVING = "".join(f'[[spawn]]\nprefab = "minnow"\nEnergy = {{ level = {20 + 3 * n} }}\n' for n in range(8))
Bundle = dict[str, Any]


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a scene, beside which the scene is."""
    folder = tmp_path_factory.mktemp("pond")
    (folder / "pond.toml").write_text(SCENE + STARVING)
    ran = boids("share", folder / "pond.toml", "--from", "0.5s", "--to", "1.5s", "--out", folder / "pond.html")
    assert ran.returncode == 0, ran.stderr
    return folder / "pond.html"


def bundle_in(page: Path) -> tuple[Bundle, bytes]:
    """What the viewer gets: the text of the bundle, and its sections together."""
    found = re.search(r'id="boids-bundle">([^<]*)<', page.read_text())
    assert found is not None
    content = zlib.decompress(base64.b64decode(found[1]))
    end = 4 + int.from_bytes(content[:4], "little")
    return json.loads(content[4:end]), content[end:]


def unplaned(content: bytes, count: int) -> np.ndarray:
    """The numbers of which these are the planes, as the viewer reads them."""
    coded = np.zeros(count, np.int64)
    for n, at in enumerate(range(0, len(content), count or 1)):
        coded |= np.frombuffer(content[at : at + count], np.uint8).astype(np.int64) << 8 * n
    return (coded >> 1) ^ -(coded & 1)


def column(page: Path, name: str) -> np.ndarray:
    about, content = bundle_in(page)
    at, length = about["sections"][name]
    return unplaned(content[at : at + length], about["tracks"]).cumsum()


def test_at_each_tick_those_are_shown_that_live_then(pond: Path) -> None:
    born, died, serial = (column(pond, name) for name in ("born", "died", "serial"))
    populations = set()
    with closing(opened_to_run(pond.with_suffix(".toml"), NO_MODS)) as timeline:
        while timeline.tick < 30:
            timeline.step()
        for tick in range(30, 91):
            living = timeline.simulation.world.table.serial[: timeline.simulation.world.table.size]
            shown = serial[(born <= tick) & (tick < died)]
            assert set(shown) <= set(living.tolist())
            assert len(living) - len(shown) <= 1  # who lived between two samples only
            populations.add(len(shown))
            timeline.step()
    assert len(populations) > 5


def test_births_and_deaths_are_exact_however_many_have_lived_before() -> None:
    made, living = Sampled(MOST_PLACES), []
    with sandbox.loads(SCENE + STARVING) as sim:
        sim.step(30)
        sim.world.next_serial = (1 << 23) + 1
        for _ in range(61):
            made.watch(sim.simulation)
            if sim.tick % 3 == 0:
                made.take(sim.simulation)
            living.append(set(sim.serials.tolist()))
            sim.step()
            if sim.tick % 7 == 0:
                sim.spawn("minnow", 5, Energy={"level": 5})
    tracks, _ = tracks_of(made)
    assert tracks.serial.max() > 1 << 23
    assert set(tracks.serial[tracks.died <= 90] >> 23) == {0, 1}
    for tick, those in enumerate(living, 30):
        shown = set(tracks.serial[(tracks.born <= tick) & (tick < tracks.died)].tolist())
        assert shown <= those
        assert len(those) - len(shown) <= 1  # who lived between two samples only


def test_a_page_leads_back_to_the_exact_world(pond: Path) -> None:
    replayed = boids("replay", pond)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    assert "90 ticks again, with the same digest" in replayed.stdout
    with (
        closing(opened_to_run(pond, NO_MODS)) as shared,
        closing(opened_to_run(pond.with_suffix(".toml"), NO_MODS)) as own,
    ):
        assert shared.opens_at == 30
        for tick in range(100):  # on beyond its end, too
            assert shared.tick == own.tick == tick
            assert shared.simulation.digest() == own.simulation.digest()
            shared.step()
            own.step()


def test_it_is_opened_wherever_a_recording_is(pond: Path, tmp_path: Path) -> None:
    ran = boids("run", pond, "--ticks", "5", "--record", tmp_path / "on.boids")
    assert ran.returncode == 0, ran.stderr
    assert boids("diff", pond, pond).stdout.startswith("They are the same")
    again = boids("share", pond, "--to", "1s", "--title", "again", "--out", tmp_path / "again.html")
    assert again.returncode == 0, again.stderr
    assert boids("diff", pond, tmp_path / "again.html").stdout.startswith("They are the same")


def changed(page: Path, target: Path, change: Any) -> Path:
    """Write a page whose recording, in base64, is changed."""
    before, element, after = re.split(rf'(<script type="{KIND}">[^<]*</script>)', page.read_text())
    target.write_text(before + change(element) + after)
    return target


def with_inside(make: Any) -> Any:
    """A change of the recording's own text."""
    return lambda element: re.sub(r">([^<]*)<", lambda found: f">{make(found[1])}<", element, count=1)


HOSTILE = {
    "none": (lambda element: "", "this page holds no recording"),
    "two": (lambda element: element + element, "must hold one recording, and not several"),
    "cut": (lambda element: element[:200], "this page holds no recording"),
    "other letters": (with_inside(lambda text: "§" + text[1:]), "its recording is damaged"),
    "not padded": (with_inside(lambda text: text + "A"), "its recording is damaged"),
    "half": (with_inside(lambda text: text[: len(text) // 8 * 4]), "is no recording|is damaged|is cut"),
    "nested": (with_inside(lambda text: base64.b64encode(b"<script>" + text.encode()).decode()), "is|damaged"),
    "empty": (with_inside(lambda text: ""), "is no recording|is damaged|is cut|is not"),
    "a bomb": (with_inside(lambda _: base64.b64encode(bomb()).decode()), "recording.json|too"),
}


def bomb() -> bytes:
    """A zip file of some KB that unpacks to 256 MB."""
    import io
    import zipfile

    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("recording.json", "w") as file:
        for _ in range(1 << 4):
            file.write(bytes(1 << 24))
    return content.getvalue()


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_page_is_refused_in_a_sentence(pond: Path, tmp_path: Path, kind: str) -> None:
    change, told = HOSTILE[kind]
    page = changed(pond, tmp_path / "bad.html", change)
    with pytest.raises(RecordingError, match=told) as refused:
        load(page)
    assert str(refused.value).startswith(f"{page}: ")
    assert "\n" not in str(refused.value)
    ran = boids("replay", page)
    assert (ran.returncode, ran.stderr) == (1, f"boids: {refused.value}\n")


def test_a_page_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    page = tmp_path / "large.html"
    with page.open("wb") as file:
        file.truncate(MOST + 1)
    with pytest.raises(ValueError, match="is too large: a page with a recording has at most 64 MB"):
        recording_in_page(page)


@given(st.lists(st.integers(-(1 << 30), (1 << 30) - 1), max_size=20))
def test_numbers_come_back_from_their_planes(numbers: list[int]) -> None:
    given = np.array(numbers, np.int64)
    assert unplaned(planes(given), len(given)).tolist() == numbers


@given(
    st.lists(st.lists(st.integers(0, (1 << BITS) - 1), min_size=1, max_size=5), min_size=1, max_size=4),
    st.booleans(),
)
def test_places_come_back_from_differences_of_differences(tracks: list[list[int]], wraps: bool) -> None:
    first = np.array([n == 0 for track in tracks for n in range(len(track))])
    found = differences(
        np.array([place for track in tracks for place in track], np.int64), first, wraps, twice=True
    ).tolist()
    for track in tracks:
        here = moved = 0
        for n, place in enumerate(track):
            step = found.pop(0)
            moved = step if n == 1 else moved + step if n else 0
            here = here + moved if n else step
            assert here % (1 << BITS) == place if wraps else here == place


def test_too_many_animals_are_thinned_and_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graphics()
    monkeypatch.setattr("sandbox.share.sharing.MOST_PLACES", 2000)
    text = SCENE.replace("count = 40", "count = 300").replace("population_limit = 90", "population_limit = 400")
    (tmp_path / "many.toml").write_text(text)
    ran = boids("share", tmp_path / "many.toml", "--to", "1s", "--out", tmp_path / "many.html")
    assert "too many animals for a page" in ran.stderr
    assert "too many" not in ran.stdout
    about, _ = bundle_in(tmp_path / "many.html")
    assert 1000 < about["rows"] <= 2000 < about["animals"] * len(about["ticks"])
    assert "too many animals for a page" in (tmp_path / "many.html").read_text()
    kinds = {about["kinds"][kind] for kind in column(tmp_path / "many.html", "kind")}
    assert kinds == {"minnow", "predator"}  # the only one of its kind is there


def test_scenery_that_stays_is_kept_once() -> None:
    made = Sampled(MOST_PLACES)
    with sandbox.new(size=(4000, 3000)) as sim, allocations_counted():
        sim.spawn("obstacle", 2000)
        held = []
        for _ in range(22):
            sim.step()
            made.take(sim.simulation)
            held.append(allocated())
    assert [*made.scenery] == [0]
    assert held[-1] - held[1] < made.scenery[0].nbytes


def test_scenery_that_changes_too_much_is_kept_of_every_second_or_fourth_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, seen = Sampled(MOST_PLACES), []
    with sandbox.new(size=(4000, 3000)) as sim:
        sim.spawn("food", 100, Food={"amount": 0, "capacity": 100, "regrowth": 4})
        monkeypatch.setattr("sandbox.share.sampled.MOST_FORMS", 10 * 100 * FORM.itemsize)
        for _ in range(40):
            seen.append(words_of(Rendered.of(sim.simulation, sim.world).forms))
            made.take(sim.simulation)
            assert sum(words.nbytes for words in made.scenery.values()) <= 10 * 100 * FORM.itemsize
            sim.step(30)
    assert [*made.scenery] == [*range(0, 40, 4)]
    for number, words in made.scenery.items():
        assert (words == seen[number]).all()


def test_a_recording_that_is_too_large_is_left_out_and_it_says_so(
    pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphics()
    monkeypatch.setattr("sandbox.share.sharing.MOST_RECORDING", 1000)
    ran = boids("share", pond.with_suffix(".toml"), "--to", "0.2s", "--out", tmp_path / "large.html")
    assert "its recording is too large to be in the page" in ran.stderr
    assert "too large" not in ran.stdout
    text = (tmp_path / "large.html").read_text()
    assert "its recording is too large to be in the page" in text
    assert "boids play" not in text.partition("<script")[0]
    assert "this page holds no recording" in boids("replay", tmp_path / "large.html").stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--to", "0s"), "the page would end before it begins: --to must be later than 0s"),
        (("--measure", "polarisation"), "polarization"),
        (("--from", "x"), "--from x: must be seconds, like 12.5s, or a tick, like 750"),
    ],
)
def test_what_can_not_be_is_said_in_a_sentence(pond: Path, tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    ran = boids("share", pond.with_suffix(".toml"), *words, "--out", tmp_path / "x.html")
    assert ran.returncode == 1
    assert told in ran.stderr
    assert not (tmp_path / "x.html").exists()
    assert "must end in .html" in boids("share", pond, "--out", tmp_path / "x.txt").stderr


def test_a_page_knows_the_kinds_of_animals_that_were_taken_back_with_their_prefab(tmp_path: Path) -> None:
    recording, page = tmp_path / "taken_back.boids", tmp_path / "x.html"
    edits = {10: NewPrefab("guest", "predator"), 11: Spawn(Entry("guest", 3)), 30: Undo(), 31: Undo()}
    with sandbox.loads(SCENE) as sim:
        timeline = Timeline(sim.simulation)
        for tick in range(50):
            if tick in edits:
                sim.submit(edits[tick])
            timeline.step()
        assert "guest" not in sim.world.prefabs
        write_recording(timeline, recording)
    assert boids("share", recording, "--out", page).returncode == 0
    about, _ = bundle_in(page)
    kinds = [about["kinds"][kind] for kind in column(page, "kind")]
    assert kinds.count("guest") == 3


@pytest.mark.parametrize(("depth", "count"), [("", 1), (", 300", 0)])
def test_labels_and_pictures_are_in_the_pages_of_flat_worlds_which_show_them(
    depth: str, count: int, tmp_path: Path
) -> None:
    Image.new("RGB", (8, 8)).save(tmp_path / "ground.png")
    text = SCENE.replace("[300, 200]", f"[300, 200{depth}]")
    text += '[labels.north]\nx = 200\n[pictures.ground]\nfile = "ground.png"\n'
    (tmp_path / "labelled.toml").write_text(text)
    ran = boids("share", tmp_path / "labelled.toml", "--to", "0.2s", "--out", tmp_path / "x.html")
    assert (ran.returncode, ran.stderr) == (0, "")
    about, _ = bundle_in(tmp_path / "x.html")
    assert [len(about["labels"]), len(about["pictures"])] == [count, count]


@pytest.mark.parametrize(("setting", "value"), [("depth", 300), ("width", 500), ("edges", "turn")])
def test_where_the_world_gets_another_space_it_says_where_a_page_ends_or_begins(
    setting: str, value: object, tmp_path: Path
) -> None:
    recording, page = tmp_path / "changing.boids", tmp_path / "x.html"
    with sandbox.loads(SCENE) as sim:
        timeline = Timeline(sim.simulation)
        for tick in range(40):
            if tick == 20:
                sim.submit(SetSetting(setting, value))
            timeline.step()
        write_recording(timeline, recording)
    ran = boids("share", recording, "--out", page)
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert "change at tick 20, and a page has one of each: use --to 19 or --from 20" in ran.stderr
    assert not page.exists()
    for words in (("--to", "19"), ("--from", "20")):
        ran = boids("share", recording, *words, "--out", page)
        assert (ran.returncode, ran.stderr) == (0, "")


def test_the_commands_of_the_page_in_the_documentation_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    boids("run", "ronan", "--ticks", 300, "--record", "evening.boids")
    commands = re.findall(r"^boids (.*?)(?:   .*)?$", (ROOT / "docs" / "share.md").read_text("utf-8"), re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["share", "share", "share", "play", "replay", "run"]
    for command in commands:
        ran = boids(*shlex.split(command.replace("play ", "play --picture now.png ", command.startswith("play"))))
        assert (ran.returncode, ran.stderr) == (0, "")
    assert {path.suffix for path in tmp_path.iterdir()} == {".boids", ".html", ".png"}


def test_looks_are_told_apart_as_far_as_a_page_has_room_for_them() -> None:
    dice = np.random.default_rng(1)
    sizes = dice.uniform(1, 40, 90_000).astype(np.float32)
    colours = dice.integers(0, 1 << 24, len(sizes)).astype(np.uint64)
    looks = sizes.view(np.uint32).astype(np.uint64) << np.uint64(32) | colours
    fewer = few_looks(looks)
    assert len(np.unique(fewer)) <= MOST_LOOKS
    assert ((fewer >> np.uint64(32)).astype(np.uint32).view(np.float32) > sizes / 2).all()
    assert (few_looks(looks[:60_000]) == looks[:60_000]).all()
    alike = looks & ~np.uint64(0xFFFFFF)
    near = (few_looks(alike) >> np.uint64(32)).astype(np.uint32).view(np.float32)
    assert (np.abs(near / sizes - 1) < 0.01).all()
