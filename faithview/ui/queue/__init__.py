"""The Queue page: spot-checks and disagreements, one claim at a time."""
