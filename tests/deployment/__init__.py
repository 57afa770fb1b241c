"""The container image, without a Docker daemon: its files read, and what they do done in a folder."""
