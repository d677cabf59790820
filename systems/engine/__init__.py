"""What runs systems: the pipeline, the app they are installed in, kernels, settings."""
