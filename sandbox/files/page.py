"""Recordings in pages: an HTML file that `boids share` wrote holds one in an element that browsers leave alone."""

from __future__ import annotations

import base64
import binascii
import re

from sandbox.files.atomic import AnyPath, open_file, reason

KIND = "application/vnd.boids"
MOST = 64 << 20  # bytes of a page
MOST_RECORDING = 24_000_000  # bytes of a recording in one
ELEMENT = re.compile(rb'<script type="%s">([^<]*)</script>' % re.escape(KIND.encode()))


def recording_in_page(path: AnyPath) -> bytes:
    """Return the recording in a page.

    Raises:
        ValueError: the file is too large, or holds no recording, several, or a damaged one.
    """
    try:
        with open_file(path) as file:
            content = file.read(MOST + 1)
    except OSError as error:
        raise ValueError(f"can't be read: {reason(error)}") from None
    if len(content) > MOST:
        raise ValueError(f"is too large: a page with a recording has at most {MOST >> 20} MB")
    found = ELEMENT.findall(content)
    if not found:
        raise ValueError(
            f"this page holds no recording: one that boids share wrote does, if its recording is at most "
            f"{MOST_RECORDING // 1_000_000} MB and no other program has rewritten the page"
        )
    if len(found) > 1:
        raise ValueError("must hold one recording, and not several")
    try:
        return base64.b64decode(found[0], validate=True)
    except binascii.Error:
        raise ValueError("its recording is damaged: take the page as it was written") from None
