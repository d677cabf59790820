"""The guard that keeps systems of mods from changing esper is in nobody else's way."""

from __future__ import annotations

import esper

import sandbox
from components.store import esper_state
from sandbox.mods.run.guarded_esper import ReadOnlyEsper


def test_a_world_that_nobody_holds_is_forgotten_even_while_a_system_of_a_mod_runs() -> None:
    with sandbox.new() as held, sandbox.new() as dropped:
        held.world.enter()
        with ReadOnlyEsper():
            esper_state.forget(dropped.world.name)
        assert dropped.world.name not in esper.list_worlds()
        assert held.world.name in esper.list_worlds()
