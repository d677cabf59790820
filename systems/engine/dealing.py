"""`take`: the counter by which threads of a kernel take each other's pieces; `flocking` loops with it.

Work stealing: a thread that has finished its own portion takes pieces of the other threads' portions.

With fixed portions all threads wait for the slowest one: its core may be used by another program too, or its boids may
have more neighbours. The result must not depend on which thread does a piece: each piece writes its own output.
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
"""take(counters, portion), in a kernel: atomically increments counters[portion] (int64), and returns its old value."""
