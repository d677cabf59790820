"""The category of the warnings that scripts get."""


class SandboxWarning(UserWarning):
    """A mod is not on or was stopped, or a command was refused: the simulation goes on without it."""
