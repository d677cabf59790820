"""The window in another language: every text of it is in the table, finds room, and nothing else changes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from arcade import key
from imgui_bundle import imgui

import sandbox
from components.store.fields import DEEP, Field
from sandbox.app.fields.lines import Line, lines, lines_of
from sandbox.app.key_names import HELD, NAMED, in_words
from sandbox.app.preferences import LOOKS, Preferences, read_preferences, settings_file
from sandbox.app.questions import Question, nothing
from sandbox.app.session.action import Action
from sandbox.app.session.session import Session
from sandbox.app.shown import shown_fields
from sandbox.app.window import FlockWindow
from sandbox.design.labels import Labels
from sandbox.design.pictures import Pictures
from sandbox.design.presets import QUANTITIES
from sandbox.design.resource_tables import SETTINGS
from sandbox.edit import Clear
from sandbox.explain.sentences import SENTENCES
from sandbox.extras.languages.texts import BUNDLED, read_table
from sandbox.extras.lessons.bundled import about, lessons_in
from sandbox.extras.studies.window.edited_study import STATISTICS, EditedStudy, Varied
from sandbox.language import bare_words, counted, languages, set_language, translate
from sandbox.mods.find.finding import Origin
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.render.backdrop import Backdrop
from sandbox.render.tints import TINTS
from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.headline import headline
from sandbox.simulation import Simulation
from systems.engine.system import Phase
from tests.app.conftest import OpenWindow, at, drifting, send
from tests.app.drawn import drawn
from tests.app.fields import write
from tests.app.mouse import hit
from tests.app.test_docking import standing
from tests.app.widgets import click, look

GERMAN = read_table(BUNDLED / "de.toml")
ROOT = Path(sandbox.__file__).parents[1]
SOURCES = [*chain.from_iterable((ROOT / folder).rglob("*.py") for folder in ("sandbox", "systems", "components"))]
USUAL = "palette", "inspector", "time bar"
WORD = re.compile(r"[^\W\d_]{2,}")
CHANGE = re.compile(r"[A-Z]\w*\.\w+ [-+].*")  # of a field, which is named as in files: "Life.age +0.0167"
UNITS = re.compile(r"[\d,.–-]+ ?(px|u|s|ms|MB|KB|u/s|%)?|\d+:\d\d.*|[\d.]+x")
SIZES = (800, 600), (1440, 900)


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


@pytest.fixture(scope="module")
def world() -> Simulation:
    """One with all that moves, eats and hunts."""
    return sandbox.load("reef")


def field_lines(world: Simulation) -> Iterator[Line | str]:
    """Every field that panels show, and the words above some."""
    for component in world.world.table.components.values():
        yield from chain(*lines_of(component, DEEP))
    for system in world.pipeline.systems:
        yield from lines(system.parameters.values())
    of_studies = shown_fields(Varied), shown_fields(EditedStudy)
    for fields in (SETTINGS.fields, Backdrop.fields, LOOKS, *of_studies, Labels.fields, Pictures.fields):
        yield from lines(fields.values())


def data(window: FlockWindow) -> set[str]:
    """Texts that parts and declarations of the program hold, as panels show them."""
    app, world = window.session.app, window.simulation
    actions = window.session.actions.values()
    found = {text for each in actions for text in (each.title, each.deep_title, each.help, each.heading)}
    found |= {panel.title for panel in app.panels}
    parts = [*app.tools, *(overlay for overlay in app.overlays if not overlay.always)]
    found |= {text for part in parts for text in (part.title, part.help)}
    found |= {text for chart in app.charts for text in (chart.title, *chart.measures.values())}
    for line in field_lines(world):
        if isinstance(line, str):
            found.add(line)
            continue
        found |= {line.caption, line.field.name.replace("_", " ")}
        found |= {text for text in line.about.split("\n") if not re.match(r"-?\d|Above \d|One of ", text)}
    for name, component in (*world.world.table.components.items(), ("Backdrop", Backdrop)):
        found |= {name, component.__doc__ or ""}
    for system in world.pipeline.systems:
        found |= {system.about, system.name.replace("_", " ")}
    found |= {phase.name for phase in Phase}
    found |= {origin.value for origin in Origin if origin is not Origin.NAMED}
    return found - {""} | {*TINTS, *QUANTITIES, *STATISTICS, *SENTENCES.values()}


def constants() -> set[str]:
    """Every text in the code, without symbols and the ids of widgets."""
    found = set()
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = node.value.split("##")[0]
                found |= {
                    node.value,
                    bare_words(node.value),
                    bare_words(words),
                    bare_words(words.replace("{{", "{").replace("}}", "}")),
                }
    return found


MARKING = ["translate", "translate_label", "button", "caption", "check_box", "with_key", "Question", "say", "warn"]
OF_PANELS = ["text", "faint", "wrapped", "heading", "tip", "tip_beside", "progress", "folds", "tab"]  # methods of `ui`
LABELS = ["translate_label", "button", "check_box", "folds", "tab"]


def marked() -> Iterator[str]:
    """Every literal text in the code that is given to `translate`, and every text that a panel shows."""
    for file in (ROOT / "sandbox").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
            if name not in MARKING and not (name in OF_PANELS and ast.unparse(node.func).endswith(f"ui.{name}")):
                continue
            texts = node.args[:2] if name in ("button", "caption", "Question") else node.args[:1]
            for text in chain.from_iterable(map(_texts, texts)):
                words = bare_words(text.split("##")[0]) if name in LABELS else text
                if WORD.search(re.sub(r"\{.*?\}", "", words)):
                    yield words


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from chain(_texts(node.body), _texts(node.orelse))
    elif isinstance(node, ast.JoinedStr) and "icons." in ast.unparse(node.values[0]):
        rest = node.values[1:]
        if all(isinstance(value, ast.Constant) for value in rest):
            yield "".join(value.value for value in rest)  # type: ignore[attr-defined]


# ---- the table


@pytest.mark.verify
def test_every_line_of_the_table_is_said_somewhere(open_on: OpenWindow, world: Simulation) -> None:
    known = constants() | data(open_on(world.scene))
    known |= {f"Nothing to {words}." for words in ("undo", "redo")}
    known |= {f"{{count}} {unit}{s} ago" for unit in ("minute", "hour", "day") for s in ("", "s")}
    known |= {f"{word}s" for word in ("component", "system", "resource", "tool", "chart", "prefab")}
    known |= {f"{verb} {{what}}" for text in constants() for verb in text.split()[:1]}  # what undo takes back
    known |= {f"{{what}}{words}" for words in constants()} | {"everybody"}
    known |= {f"{who} {{what}}{ends}" for who, ends in (("Mark", ""), ("the first", " is born"), ("the last", " dies"))}
    known |= {system.name.replace("_", " ").capitalize() for system in world.pipeline.systems}  # steps of Explain

    known |= {f"{{number:,}} {words}{s}" for words in constants() for s in ("", "s")}  # of Explain
    ids = {words.partition("##")[2] for words in constants()} - {""}  # of widgets with a text of their own
    known |= {f"{words}##{id}" for words in {key.partition("##")[0] for key in GERMAN} & known for id in ids}
    assert GERMAN.keys() - known == set()


def test_groups_of_digits_are_written_as_the_language_writes_them() -> None:
    texts = [counted(1234567), translate("tick {tick:,}", tick=2013), translate("saved {path}", path="1,5.toml")]
    assert texts == ["1,234,567", "tick 2,013", "saved 1,5.toml"]
    set_language("de")
    texts = [counted(1234567), translate("tick {tick:,}", tick=2013), translate("saved {path}", path="1,5.toml")]
    assert texts == ["1\u00a0234\u00a0567", "Tick 2\u00a0013", "1,5.toml gespeichert"]


def test_keys_that_are_punctuation_are_spelt_or_quoted_as_the_language_does_it() -> None:
    set_language("de")
    assert [in_words(key) for key in (".", ")", "1", "F1")] == ["Punkt", "„)“", "1", "F1"]


def test_no_german_text_is_the_key_of_another() -> None:
    """What is translated already may be looked up once more."""
    assert {text for text in GERMAN.values() if GERMAN.get(text, text) != text} == set()


def test_every_text_that_the_code_says_is_in_the_table() -> None:
    missing = sorted({text for text in marked() if text not in GERMAN})
    assert missing == []


def test_every_declared_text_is_in_the_table(open_on: OpenWindow, world: Simulation) -> None:
    declared = data(open_on(world.scene))
    missing = sorted(text for text in declared if text not in GERMAN and WORD.search(text))

    assert missing == []


def test_every_letter_of_the_table_is_in_the_fonts(open_on: OpenWindow) -> None:
    open_on(drifting()).gui.enter()
    letters = {letter for text in GERMAN.values() for letter in text if letter != "\n"}
    assert {*"äöüÄÖÜß…„“"} <= letters
    font = imgui.get_io().fonts.fonts[0]
    assert {letter for letter in letters if not font.is_glyph_in_font(ord(letter))} == set()


# ---- what is drawn


def everywhere(window: FlockWindow) -> Iterator[str]:
    """Go to every panel, menu and dialog, one after another; their names."""
    session = window.session

    def panels(*names: str) -> None:
        session.preferences.open[:] = [*USUAL, *names]
        if names:
            session.front(names[-1])
        for _ in range(4):
            window.on_update(0.05)
            window.on_draw()

    panels()
    yield "as it begins"
    for panel in session.app.panels:
        panels(panel.name)
        yield panel.name
    for menu in ("File", "Edit", "Time", "View", "Overlays", "Panels", "Help"):
        panels()

        click(window, menu)
        yield f"menu {menu}"
        imgui.internal.close_popup_to_level(0, False)
    for tab in ("Prefabs", "Everybody"):
        click(window, tab)
        yield tab
    for number in range(1, len(session.hand.tools) + 1):
        session.hand.take_number(session, number)
        yield f"tool {number}"
    session.selection.choose([1, 2])
    panels("explain")
    yield "several selected"
    session.selection.choose([1])
    panels("explain")
    yield "explained"
    for name, draw in (("question", _question), ("files", session.services.filing.ask_open)):
        draw(session) if draw is _question else draw()
        yield name
        session.asking.questions.clear()
        session.asking.dialog = None
    session.services.filing.saving.save_as()
    yield "save"
    session.asking.dialog = None
    session.act("commands")
    yield "commands"
    session.act("commands")
    session.act("compare")
    yield "compared"
    session.act("compare")
    window.on_update(0.05)
    for choice in session.services.field_menu.values():
        choice.do(session, "anthias.Perception.radius", "anthias", _field(session), 50.0)
    panels("study")
    yield "a study"
    session.view.welcomes = True
    yield "welcome"
    session.view.welcomes = False
    session.act("colours")
    panels()
    yield "coloured"
    session.submit(Clear())
    session.clock.paused = True
    window.on_update(0.05)
    panels("time bar")
    yield "empty and paused"


def _question(session: Session) -> None:
    session.ask(Question("Reset all keys", "Reset every action to its default keys?", [("Reset", nothing)]))


def _field(session: Session) -> Field:
    return session.simulation.world.table.components["Perception"].fields["radius"]


def names_in(window: FlockWindow) -> set[str]:
    """What stays as it is: names of the scene and of files, keys, and words that both languages have."""
    session, same = window.session, {english for english, text in GERMAN.items() if english == text}
    listed = [*(headline(path)[:2] for path in bundled_scenes()), *(about(path)[:2] for path in lessons_in())]
    mods = [mod.found.manifest for mod in session.services.modding.library.listed()]
    found = {text for name_and_description in listed for text in name_and_description}
    found |= {text for mod in mods if mod for text in (mod.title, mod.description)}
    fields = [line.field for line in field_lines(window.simulation) if isinstance(line, Line)]
    return found | same | {choice for field in fields for choice in field.choices}


def is_name(text: str, window: FlockWindow, names: set[str]) -> bool:
    if (
        text in names
        or text in NAMED.values()
        or UNITS.fullmatch(text)
        or CHANGE.fullmatch(text)
        or text.startswith(("/", "WW ", "boids"))
    ):
        return True
    words = set(re.findall(r"[^\W\d_]{2,}", text))
    prefabs = {word for prefab in window.simulation.scene.prefabs for word in prefab.replace("_", " ").split()}
    keys = {*NAMED.values(), *HELD}
    return words <= prefabs | keys | names | {"px", "ms", "MB", "KB", "CSV", "mp"}


@pytest.mark.parametrize("size", [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.verify)])
def test_what_is_drawn_is_german_and_finds_room(open_on: OpenWindow, tmp_path: Path, size: tuple[int, int]) -> None:
    library = Library(Trust(tmp_path / "mods.toml"))
    window = open_on(sandbox.load("reef").scene, size, panels=USUAL, library=library)
    names = names_in(window) | {*tmp_path.parts}
    english, cut = {}, {}
    for place in everywhere(window):
        window.session.messages.clear()  # what was said stays in the language of then
        before, after = drawn(window, "en"), drawn(window, "de")
        both = {text for text in before.texts & after.texts if WORD.search(text) and not is_name(text, window, names)}
        english |= {place: both} if both else {}
        cut |= {place: after.cut - before.cut} if after.cut - before.cut else {}
        drawn(window, "en")
    assert english == {}
    assert cut == {}


def test_the_language_changes_at_once_and_panels_stay_where_they_are(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (1440, 900), panels=(*USUAL, "settings"))
    window.session.preferences.language = "en"
    click(window, "Prefabs")
    before, layout = standing(window), imgui.save_ini_settings_to_memory()
    click(window, "##settings Language")
    click(window, "Deutsch")
    assert window.session.preferences.language == "de"
    seen = look(window)
    assert {"Datei###File", "Vorlagen###Prefabs"} <= seen.places.keys()
    assert "Tasten" in seen.texts
    assert standing(window) == before
    assert imgui.save_ini_settings_to_memory() == layout
    assert "##prefab" in seen.places  # the tab that was open is open
    click(window, "##settings Language")
    click(window, "English")
    assert "File" in look(window).places
    assert standing(window) == before


def test_choices_tips_and_the_legend_speak_it_too(open_on: OpenWindow) -> None:
    window = open_on(drifting(*(at(100 + 10 * n, 100) for n in range(7))), (1200, 800), panels=["settings"])
    window.session.preferences.language = "de"
    assert "dunkel" in look(window).texts
    for name, told in (("past", "Vergangenheit"), ("theme", "dunkel")):
        send(window, ("on_mouse_motion", *look(window).places[f"##settings/Preferences.{name}"], 0, 0))
        for _ in range(2):
            look(window)
            window.gui.pass_time(1.0)
        assert told in look(window, 1).text
    window.session.document.colour_by("flock")
    window.on_update(0.01)
    assert "ein Schwarm von 7" in look(window, 2).text


def test_a_command_is_found_by_its_german_title(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (800, 600))
    window.session.preferences.language = "de"
    window.on_draw()
    hit(window, key.P, key.MOD_CTRL)
    look(window)
    write(window, "rückg")
    window.on_draw()
    assert "Rückgängig###Undo##command" in look(window).places


def test_a_table_of_a_teacher_is_offered_and_spoken(open_on: OpenWindow) -> None:
    folder = settings_file().parent / "languages"
    folder.mkdir(parents=True)
    (folder / "fr.toml").write_text('"This language" = "Français"\n"File" = "Fichier"\n', "utf-8")
    (folder / "de.toml").write_text('"File" = "Akte"\n', "utf-8")
    assert languages() == {"en": "English", "de": "Deutsch", "fr": "Français"}
    window = open_on(drifting(), (1000, 700), panels=["settings"])
    click(window, "##settings Language")
    click(window, "Français")
    assert {"Fichier###File", "Edit"} <= look(window).places.keys()
    window.session.preferences.language = "de"
    assert {"Akte###File", "Bearbeiten###Edit"} <= look(window).places.keys()


def test_what_a_mod_declares_is_translated_by_its_english_text(open_on: OpenWindow) -> None:
    folder = settings_file().parent / "languages"
    folder.mkdir(parents=True)
    (folder / "fr.toml").write_text('"Flip" = "Retourner"\n', "utf-8")
    window = open_on(drifting(), (1000, 700))
    window.session.actions["magnet.flip"] = Action("magnet.flip", "Flip", lambda session: None, menu="Edit")
    window.session.preferences.language = "fr"
    click(window, "Edit")
    assert "Retourner###Flip" in look(window).places


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('"File" = "Datei\n', 1, ""),
        ('"File" = 3\n', 1, "must be a text"),
        ('# so\n"tick {tick:,}" = "Tick {tock}"\n', 2, "must have the placeholders of its key: {tick:,}"),
        ('"saved {path}" = "gespeichert"\n', 1, "must have the placeholders of its key: {path}"),
        ('"File" = "Datei {"\n', 1, "write {{ or }}"),
    ],
)
def test_a_wrong_table_is_told_and_english_goes_on(open_on: OpenWindow, text: str, line: int, words: str) -> None:
    folder = settings_file().parent / "languages"
    folder.mkdir(parents=True)
    (folder / "de.toml").write_text(text, "utf-8")
    window = open_on(drifting(), (1000, 700))
    window.session.preferences.language = "de"
    window.on_draw()
    told = window.session.messages.newest
    assert "\n" not in told
    assert f"de.toml:{line}:" in told
    assert words in told
    assert "File" in look(window).places
    assert window.session.messages.newest == told  # once


def test_the_language_is_kept_and_that_of_the_system_is_spoken_at_first(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Preferences().language == ""
    for system, expected in (("de_AT.UTF-8", "Datei"), ("fr_FR.UTF-8", "File"), ("C", "File")):
        monkeypatch.setenv("LC_ALL", system)
        set_language("en")
        set_language("")
        assert translate("File") == expected
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text('language = "de"\n')
    assert read_preferences() == (Preferences(language="de"), "")
    settings_file().write_text("language = 3\n")
    preferences, wrong = read_preferences()
    assert preferences.language == ""
    assert "must be the code of a language" in wrong
