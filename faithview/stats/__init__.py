"""Statistics as pure functions on numbers: no store, no clock, and a fixed seed if they draw at random."""
