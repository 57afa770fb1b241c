"""Pure functions on numbers: no store, no clock, seeded where they draw."""
