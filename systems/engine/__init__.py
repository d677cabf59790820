"""The engine that runs systems: the pipeline, the app in which they are installed, kernels, settings."""
