"""How well judges do: against people, against labelled files and against each other; training the embedded judge."""
