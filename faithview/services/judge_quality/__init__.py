"""How good judges are: by reviewers' labels, on labelled files and compared; training the embedded judge."""
