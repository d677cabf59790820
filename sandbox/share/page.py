"""One HTML file that plays a part of a recording, with the recording itself inside."""

from __future__ import annotations

import base64
import hashlib
import html
from importlib.metadata import version
from importlib.resources import files
from string import Template

from sandbox.files import as_text
from sandbox.files.page import KIND

OWN = files("sandbox.share")


def page_of(bundle: bytes, recording: bytes, still: str, title: str, caption: str, told: str) -> bytes:
    """Return the page.

    Args:
        bundle: what the viewer plays; `recording`: a `.boids` file; b"": the page has none.
        still: the address of a picture for browsers that can't play it.
        title, caption: any text; `told`: a sentence below the picture.
    """
    script, style = (OWN.joinpath(name).read_text(encoding="utf-8") for name in ("viewer.js", "page.css"))
    script += '\nplay(document.getElementById("boids"));\n'
    words = {"title": title, "caption": caption, "told": told, "still": still}
    made = Template(OWN.joinpath("page.html").read_text(encoding="utf-8")).substitute(
        {name: html.escape(as_text(text)) for name, text in words.items()},
        version=version("boids-sandbox"),
        style=style,
        script=script,
        allowed=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        bundle=base64.b64encode(bundle).decode(),
        recording=f'<script type="{KIND}">{base64.b64encode(recording).decode()}</script>\n' if recording else "",
    )
    return made.encode()
