"""The words for verdicts, causes, numbers and findings, which the command line, the dashboard and reports print."""
