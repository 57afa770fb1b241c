"""The Judges page: how far each judge can be trusted."""
