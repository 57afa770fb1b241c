"""The parts of a reader of one tool's files: recognition, questions to the user, and results."""
