"""The embedded judge: offline, deterministic, explains itself."""
