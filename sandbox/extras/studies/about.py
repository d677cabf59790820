"""What a design says about its study, in its metadata: enough to show the results without the scene's mods."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from sandbox.extras.studies.checked import AGAIN, StudyError, read_metadata
from sandbox.extras.studies.study import Study
from sandbox.extras.studies.tables import IDENTITY, program
from sandbox.files import named
from sandbox.physics import PHYSICS


def about(study: Study) -> dict[bytes, bytes]:
    """Return the metadata of the design of a study."""
    content = {
        "physics": str(PHYSICS),
        "program": program(),
        "mods": json.dumps(study.mods),
        "meanings": json.dumps(dict(study.meanings)),
    }
    return {IDENTITY: study.identity.encode(), **{key.encode(): value.encode() for key, value in content.items()}}


def read_about(design: Path) -> tuple[tuple[tuple[str, str], ...], dict[str, tuple[str, str]]]:
    """Return the mods and the meanings from the metadata of a design.

    Raises:
        StudyError: it can't be read.
    """
    metadata: Mapping[bytes, bytes] = read_metadata(design)
    try:
        mods = [(_text(mod), _text(digest)) for mod, digest in json.loads(metadata[b"mods"])]
        meanings = json.loads(metadata[b"meanings"])
        return tuple(mods), {name: (_text(unit), _text(words)) for name, (unit, words) in meanings.items()}
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError):
        raise StudyError(f"{named(design)}: is damaged or cut: {AGAIN}") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
