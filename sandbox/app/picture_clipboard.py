"""Puts a picture on the clipboard, by the program that each desktop has for it.

pyglet's clipboard and Dear ImGui's hold text only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from subprocess import DEVNULL, PIPE

from sandbox.language import translate
from sandbox.programs import find_program

PATIENCE = 10.0  # s
POWERSHELL = (
    "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; "
    "[Windows.Forms.Clipboard]::SetImage([Drawing.Image]::FromFile($env:BOIDS_PICTURE))"
)
APPLESCRIPT = 'set the clipboard to (read (POSIX file (system attribute "BOIDS_PICTURE")) as «class PNGf»)'
NEEDED = {"wl-copy": "wl-clipboard", "xclip": "xclip"}  # the packages of Linux that contain them


class NoClipboardError(OSError):
    """The desktop has no program that takes a picture; the message says which is needed."""


def copy_picture(png: bytes) -> None:
    """Put a PNG on the clipboard; waits for the other program, so call it in a thread.

    Raises:
        NoClipboardError: there is no such program.
        OSError: the program failed.
    """
    words = copying_program()
    if words[0] in NEEDED:  # it stays behind, as the owner of the clipboard, and inherits what it writes to
        _run(words, {}, png)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        path.write_bytes(png)
        _run(words, {"BOIDS_PICTURE": str(path)})


def copying_program() -> list[str]:
    """Return the command that copies a picture: from its input on Linux, else from the file BOIDS_PICTURE.

    Raises:
        NoClipboardError: there is none.
    """
    if sys.platform == "win32":
        possible = [["powershell", "-NoProfile", "-STA", "-Command", POWERSHELL]]
    elif sys.platform == "darwin":
        possible = [["osascript", "-e", APPLESCRIPT]]
    else:
        wayland = [["wl-copy", "--type", "image/png"]] if os.environ.get("WAYLAND_DISPLAY") else []
        possible = [*wayland, ["xclip", "-selection", "clipboard", "-target", "image/png"]]
    for words in possible:
        if find_program(words[0]):
            return words
    name = possible[0][0]
    raise NoClipboardError(
        translate("here the clipboard takes pictures only with the program {name}", name=NEEDED.get(name, name))
    )


def _run(words: list[str], variables: dict[str, str], given: bytes = b"") -> None:
    """Run a command.

    Raises:
        OSError: it failed, or took too long.
    """
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                words,
                executable=find_program(words[0]),
                stdin=PIPE,
                stdout=DEVNULL,
                stderr=output,
                env=os.environ | variables,
            )
            process.communicate(given, PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise OSError(translate("{name} does not answer", name=words[0])) from None
        if process.returncode:
            output.seek(0)
            lines = output.read(1000).decode(errors="replace").split("\n")
            raise OSError(f"{words[0]}: {lines[0] or process.returncode}")
