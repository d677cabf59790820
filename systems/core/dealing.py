"""Work that threads share out while they do it: whoever has done its own share helps with the others'.

Equal shares alone wait for the slowest thread: one whose core another program uses too, or whose boids have more
neighbours than others. Which thread does a piece must not matter: a piece writes its own output.
"""

# mypy: allow-untyped-defs, disallow-untyped-decorators=False
# (numba finds out the types of kernels)

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def take(_, counters, share):
    """The next number of a share's counter (int64 array), each given to one thread alone."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        counter = builder.gep(array.data, [arguments[1]])
        return builder.atomic_rmw("add", counter, ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(counters, types.int64), generate
