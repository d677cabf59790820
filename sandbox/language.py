"""The language of the window: English texts are looked up in the table of another language.

The English text is the key, as with gettext; a text that is not in the table is shown in English. This module is below
the window because the sentences of Explain need it. Programs without a window never call `set_language`.
"""

from __future__ import annotations

import locale
import os
import re
from functools import lru_cache

from sandbox.extras import modules
from sandbox.toml.mistakes import SceneError

Table = dict[str, str]  # translations by English text
ENGLISH = "en"
THOUSAND = "1,000"  # its translation contains the separator between groups of digits
COMMA = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")

_table: Table = {}
_spoken = ENGLISH


def translate(text: str, /, **values: object) -> str:
    """Translate a text for the window, and fill in its placeholders: `translate("saved {path}", path=path)`."""
    found = _table.get(text, text)
    return grouped(found.format(**values)) if values else found


def translate_label(text: str, /, **values: object) -> str:
    """Translate the label of a widget; its id in Dear ImGui stays that of the English label."""
    found = _label(text)
    return grouped(found.format(**values)) if values else found


def grouped(text: str) -> str:
    """Return a text with the separator of the language, instead of a comma, between groups of digits: "1 000"."""
    return COMMA.sub(_table[THOUSAND][1:-3], text) if THOUSAND in _table else text


def counted(number: int) -> str:
    """Return a whole number as the language writes it: "1,000", in German "1 000"."""
    return grouped(f"{number:,}")


@lru_cache(4096)
def _label(text: str) -> str:
    words, hashes, id = text.partition("##")
    bare = bare_words(words)
    found = _table.get(f"{bare}{hashes}{id}") or _table.get(bare)  # "Reset##everybody": where room is short
    if found is None:
        return text
    shown = words.replace(bare, found, 1)
    return f"{shown}{hashes}{id}" if id.startswith("#") else f"{shown}###{text}"


def capitalised(text: str) -> str:
    """Capitalise a sentence, unless it begins with the name of a file or a setting."""
    named = any(sign in text.split(" ", 1)[0] for sign in "._/\\")
    return text if named else text[:1].upper() + text[1:]


def bare_words(words: str) -> str:
    """Strip spaces and symbols of the icon font from both ends of a text; "+" counts as a symbol."""
    return words.strip(" +" + "".join(sign for sign in words if "\ue000" <= sign <= "\uf8ff"))


def set_language(language: str) -> str:
    """Show the window in a language, such as "de"; "" is that of the locale if there is a table for it, else English.

    Returns:
        a sentence that says what is wrong with the language's file (the window is then in English), or "".
    """
    global _table, _spoken
    if language == _spoken:
        return ""
    _table, _spoken, wrong = {}, language, ""
    try:
        for texts in modules("texts"):
            _table |= texts.table_of(language or locale_language())
    except SceneError as error:
        _table = {}
        wrong = f"{str(error).splitlines()[0]}: the window is in English until this is corrected"
    _label.cache_clear()
    return wrong


def current_language() -> str:
    """Return the code of the window's language, "en" if there is no table."""
    return (_spoken or locale_language()) if _table else ENGLISH


def languages() -> dict[str, str]:
    """Return the own name of each available language, by its code."""
    found = {ENGLISH: "English"}
    for texts in modules("texts"):
        found |= texts.languages()
    return found


def locale_language() -> str:
    """Return the code of the locale's language, such as "de"; "c" if none is set."""
    name = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), locale.getlocale()[0] or "c")
    return locale.normalize(name.split("_")[0].split(".")[0])[:2].lower()
