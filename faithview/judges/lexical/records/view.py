"""What the chunks of one answer are as records: grids, topics, names and opening hours."""

from collections import Counter
from functools import cached_property

from faithview.judges.lexical.opening_hours.schedule import Schedule, read_schedule
from faithview.judges.lexical.records.grids import Grid, grids_of
from faithview.judges.lexical.records.topics import Topic, topics_of
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.text.tokens import tokenize


class RecordView:
    """The records among the chunks of one answer; each part is worked out when it is first asked for."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @cached_property
    def grids(self) -> list[Grid]:
        """The tables and records by rows and columns."""
        return grids_of(self.context.passages, self.context.texts)

    @cached_property
    def names(self) -> dict[int, frozenset[str]]:
        """For each chunk that is a record the stems that tell its name from other records'; none where it has none."""
        names: dict[int, frozenset[str]] = {}
        for passage in self.context.passages:
            field = passage.field
            if field is None or not field.keys or field.group >= 0:
                continue
            words = tokenize(self.context.texts[passage.chunk], *field.subject) if field.subject is not None else []
            names[passage.chunk] = names.get(passage.chunk) or frozenset(
                token.word.stem for token in words if token.word.is_content
            )
        counts = Counter(stem for name in names.values() for stem in name)
        return {chunk: frozenset(s for s in name if counts[s] == 1) for chunk, name in names.items()}

    @cached_property
    def topics(self) -> list[Topic]:
        """What the fields of records are about."""
        return topics_of(self.context.passages)

    @cached_property
    def schedule(self) -> Schedule | None:
        """The opening hours that the records give; None where they give none, or several that differ."""
        return read_schedule(self.context.passages, self.context.texts) if self.context.is_record else None
