"""What a public host and package managers read is valid, and says the same as pyproject.toml."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sandbox.test_same_everywhere import EXPECTED

ROOT = Path(__file__).parents[1]
FORMS = ".github/ISSUE_TEMPLATE"
SCHEMAS = {
    "vendor.github-workflows": [".github/workflows/*.yml"],
    "vendor.github-issue-forms": [f"{FORMS}/mistake.yml", f"{FORMS}/wish.yml"],
    "vendor.github-issue-config": [f"{FORMS}/config.yml"],
    "vendor.citation-file-format": ["CITATION.cff"],
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def read(file: str) -> Any:
    return yaml.safe_load((ROOT / file).read_text("utf-8"))


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_are_what_their_schema_says(schema: str) -> None:
    files = [str(path) for pattern in SCHEMAS[schema] for path in ROOT.glob(pattern)]
    assert files
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_every_supported_python_is_tested_on_three_systems_where_the_same_digest_is_expected() -> None:
    job = read(".github/workflows/tests.yml")["jobs"]["quick"]
    matrix, steps = job["strategy"]["matrix"], [step.get("run", "") for step in job["steps"]]
    versions = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d", name)]
    assert matrix["python"] == versions
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}
    (same,) = (step.removeprefix("python ").split() for step in steps if "test_same_everywhere.py" in step)
    done = subprocess.run([sys.executable, *same, "--collect-only", "-q"], cwd=ROOT, capture_output=True, text=True)
    assert [scene for scene in EXPECTED if f"expected_digest[{scene}]" not in done.stdout] == []


def test_what_the_workflows_run_is_there() -> None:
    for file in (ROOT / ".github" / "workflows").glob("*.yml"):
        commands = re.findall(r"run: (.*)", file.read_text("utf-8"))
        for path in re.findall(r"(?:tests/[\w/.]+|requirements[\w-]*\.txt)", "\n".join(commands)):
            assert (ROOT / path).exists(), path
        for target in re.findall(r"make (\w+)", "\n".join(commands)):
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), target


def test_the_conda_recipe_and_the_citation_say_what_the_project_says() -> None:
    recipe, citation = read("conda/recipe.yaml"), read("CITATION.cff")
    names = {citation["version"], recipe["context"]["version"]}
    assert names == {PROJECT["version"]}
    needed = {wanted.replace(" ", "") for wanted in recipe["requirements"]["run"]}
    assert needed == {*PROJECT["dependencies"], f"python{PROJECT['requires-python']}"}
    assert {*recipe["build"]["python"]["entry_points"]} == {f"{k} = {v}" for k, v in PROJECT["scripts"].items()}
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in PROJECT["authors"]]
