"""Scripts that make the files of numbers in the package; they need more than FaithView does (see README.md)."""
