"""The language of the window: what the code says in English is looked up in the table of another language.

The English text is the key, as with gettext; a text that the table has not is shown in English. It stands below the
window, for the sentences of Explain are made there. Programs without a window never `speak` another language.
"""

from __future__ import annotations

from functools import lru_cache

from sandbox.languages.tables import ENGLISH, Table, system_language, table_of
from sandbox.toml.mistakes import SceneError

_table: Table = {}
_spoken = ENGLISH


def said(text: str, /, **values: object) -> str:
    """A text in the language of the window, with values for its placeholders: `said("saved {path}", path=path)`."""
    found = _table.get(text, text)
    return found.format(**values) if values else found


def labelled(text: str, /, **values: object) -> str:
    """The label of a widget in the language of the window; for Dear ImGui its id stays that of the English one."""
    found = _label(text)
    return found.format(**values) if values else found


@lru_cache(4096)
def _label(text: str) -> str:
    words, hashes, id = text.partition("##")
    bare = bare_words(words)
    found = _table.get(f"{bare}{hashes}{id}") or _table.get(bare)  # "Reset##everybody": where "Reset" has little room
    if found is None:
        return text
    shown = words.replace(bare, found, 1)
    return f"{shown}{hashes}{id}" if id.startswith("#") else f"{shown}###{text}"


def capitalised(text: str) -> str:
    """A sentence as people read it: with a capital letter, unless it begins with the name of a file or a setting."""
    named = any(sign in text.split(" ", 1)[0] for sign in "._/\\")
    return text if named else text[:1].upper() + text[1:]


def bare_words(words: str) -> str:
    """Words without the symbols and spaces around them; one symbol of the font is a plain plus."""
    return words.strip(" +" + "".join(sign for sign in words if "\ue000" <= sign <= "\uf8ff"))


def speak(language: str) -> str:
    """Say everything in this language from now on: "de", or "": the system's, if there is a table of it, else English.

    Returns:
        what is wrong with its file, a sentence, else "": then all is said in English.
    """
    global _table, _spoken
    if language == _spoken:
        return ""
    _table, _spoken, wrong = {}, language, ""
    try:
        _table = table_of(language or system_language())
    except SceneError as error:
        wrong = f"{str(error).splitlines()[0]}: the window is in English until this is corrected"
    _label.cache_clear()
    return wrong


def spoken() -> str:
    """The code of the language that is spoken: "en" where there is no table."""
    return (_spoken or system_language()) if _table else ENGLISH
