"""What Python warns with, for whoever runs the program from a script."""


class SandboxWarning(UserWarning):
    """A mod is not on or was stopped, or a command was refused: the simulation goes on without it."""
