"""The page Settings: the store, the judges and the versions in use, and the alert rules and the audit log."""
