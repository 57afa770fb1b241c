"""The page Review: spot-checks and disagreements, one claim at a time."""
