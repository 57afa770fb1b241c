"""The exit codes of `faithview`; the table in docs/commands.md says what each means for each command."""

# A gate failed, an answer was blocked, or a check found something wrong.
CHECK_FAILED = 1
# Bad input or usage: one line on standard error, nothing written.
BAD_INPUT = 2
# The work was done and stored, with rows that failed or that are still pending.
INCOMPLETE = 3
# The shell's code for a program that Ctrl-C stopped.
STOPPED = 130
