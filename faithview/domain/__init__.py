"""The words FaithView thinks in, and the definitions of its numbers: no I/O, no clock, no randomness without a seed."""
