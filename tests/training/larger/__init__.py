"""The larger reader: eight layers of all-mpnet-base-v2, trained on pairs written by hand. See ../README.md."""
