"""Typing commands: in this process, which is quick, or in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from subprocess import PIPE, CompletedProcess

import pytest

from sandbox.cli.main import main

ROOT = Path(__file__).parents[1]


def boids(*words: object, cwd: Path | None = None, **environment: str) -> CompletedProcess[str]:
    """What a command answers: the whole command line, from the words to what is printed, without a new Python."""
    typed = ["boids", *map(str, words)]
    with pytest.MonkeyPatch.context() as here, redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        here.setattr(sys, "argv", typed)
        for name, value in {"COLUMNS": "100", **environment}.items():
            here.setenv(name, value)
        if cwd:
            here.chdir(cwd)
        with pytest.raises(SystemExit) as ended:
            main()
    return CompletedProcess(typed, int(ended.value.code or 0), out.getvalue(), err.getvalue())


def boids_alone(*words: object, cwd: Path | None = None, **environment: str) -> CompletedProcess[str]:
    """The same as a process of its own: where that makes a difference."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **environment}
    command = [sys.executable, "-m", "sandbox.cli.main", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=cwd, check=False)


def kill_once(program: str, *arguments: object) -> None:
    """Run some Python with these arguments, and kill its process when it has printed a line."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", program, *map(str, arguments)]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, cwd=ROOT, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.kill()
