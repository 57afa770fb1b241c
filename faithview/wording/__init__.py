"""The words for verdicts, causes, numbers and findings that the command line, the dashboard and reports print."""
