"""The Settings page: the store, the judges and the versions in use."""
