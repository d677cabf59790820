"""A real browser without a window: Debian's chromium, spoken to through its DevTools protocol over two pipes."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ALONE = [
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # WebGL, drawn by the processor
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
]
NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND"


class Browser:
    """One page of a browser that reaches no network.

    Attributes:
        told: what its console said and what was thrown in it, each as text.
        asked: the addresses that the page asked for.
    """

    def __init__(self, folder: Path, *more: str) -> None:
        """Start it with a profile in `folder`; `more`: of its options."""
        assert CHROMIUM is not None
        commands, self._to = os.pipe()
        self._from, answers = os.pipe()
        flags = [
            *ALONE,
            *more,
            NO_NETWORK,
            "--headless",
            "--remote-debugging-pipe",
            f"--user-data-dir={folder}",
            "about:blank",
        ]
        line = ["bash", "-c", f'exec "$0" "$@" 3<&{commands} 4>&{answers}', CHROMIUM, *flags]
        self._process = subprocess.Popen(
            line, pass_fds=(commands, answers), stderr=subprocess.DEVNULL, start_new_session=True
        )
        os.close(commands)
        os.close(answers)
        self.told: list[str] = []
        self.asked: list[str] = []
        self._rest, self._count, self._session = b"", 0, ""
        page = next(one for one in self.do("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self._session = self.do("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log", "Network"):
            self.do(f"{part}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._to)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._from)

    def do(self, method: str, **words: Any) -> Any:
        """Carry out a command of the protocol; returns its result."""
        self._count += 1
        call: dict[str, Any] = {"id": self._count, "method": method, "params": words}
        if self._session:
            call["sessionId"] = self._session
        os.write(self._to, json.dumps(call).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == self._count:
                assert "error" not in message, message
                return message["result"]

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            got = os.read(self._from, 1 << 20)
            assert got, "the browser is gone"
            self._rest += got
        line, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(line)
        told = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
        if message.get("method") in told:
            self.told.append(json.dumps(message["params"])[:2000])
        if message.get("method") == "Network.requestWillBeSent":
            self.asked.append(message["params"]["request"]["url"][:200])
        return message

    def open(self, path: Path, theme: str, width: int = 1280, height: int = 900) -> None:
        """Show a file to who likes a theme, "light" or "dark", and wait until it is drawn."""
        liked = [{"name": "prefers-color-scheme", "value": theme}]
        self.do("Emulation.setEmulatedMedia", features=liked)
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.do("Page.navigate", url=path.absolute().as_uri())
        self.wait("document.readyState === 'complete'")

    def value(self, script: str) -> Any:
        """What an expression in the page is."""
        return self.do("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def wait(self, script: str, seconds: float = 30) -> Any:
        """What an expression is once it is something true."""
        end = time.monotonic() + seconds
        while not (found := self.value(script)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.05)
        return found

    def screenshot(self, path: Path) -> bytes:
        """What is shown, as the bytes of a PNG that is written to the path too."""
        height = self.value("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": self.value("innerWidth"), "height": min(height, 4000), "scale": 1}
        png = base64.b64decode(self.do("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"])
        path.write_bytes(png)
        return png
