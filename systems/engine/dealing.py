"""Work that threads share out while they do it: whoever has done its own portion helps with the others'.

Equal portions alone wait for the slowest thread: one whose core another program uses too, or whose boids have more
neighbours than others. Which thread does a piece must not matter: a piece writes its own output.
"""

from __future__ import annotations

from typing import Any

from systems.engine.kernel import Late


def _take() -> Any:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def take(_: Any, counters: Any, portion: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            counter = builder.gep(array.data, [arguments[1]])
            return builder.atomic_rmw("add", counter, ir.Constant(ir.IntType(64), 1), "monotonic")

        return types.int64(counters, types.int64), generate

    return take


take: Any = Late(_take)
"""take(counters, portion), in a kernel: the next number of its counter (int64 array), given to one thread alone."""
