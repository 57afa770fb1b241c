"""The parts of pages: one module a page, each function drawing one part of it."""
