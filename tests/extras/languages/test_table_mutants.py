"""Whatever chance makes of a good table of texts is read, or its mistakes are told."""

from __future__ import annotations

from pathlib import Path

from sandbox.extras.languages.texts import BUNDLED, read_table
from tests.mutants import few_or_many, refuse_all_but_mistakes


@few_or_many
def test_a_mutant_is_read_or_its_mistakes_are_told(count: int, tmp_path: Path) -> None:
    refuse_all_but_mistakes(read_table, [(BUNDLED / "de.toml").read_bytes()], count, tmp_path / "language.toml")
