"""Everything that has to be said of a file before it is read, asked in one message with the options to copy."""

from faithview.domain.errors import InvalidInput, MissingColumn
from faithview.formats.rows.mapping import list_columns
from faithview.services.datasets.files import Dataset

_REQUIRED = ("answer", "contexts")
_MISSING = {
    "question": "Which column holds the question, if any?",
    "answer": "Which column holds the answer?",
    "contexts": "Which column holds the retrieved chunks?",
    "score": "Which column holds the faithfulness scores?",
}


def check_answered(dataset: Dataset, *, for_results: bool) -> None:
    """Raise an error with the text of `what_is_open`, if there is any.

    Raises:
        MissingColumn: no column holds the answer or the chunks.
        InvalidInput: something else has to be said of the file.
    """
    text = what_is_open(dataset, for_results=for_results)
    if not text:
        return
    whole = f"{dataset.table.name}: {text}"
    missing = [field for field in _missing(dataset, for_results=for_results) if field in _REQUIRED]
    if missing:
        question = _why(dataset, missing[0])
        raise MissingColumn(missing[0], question=question, columns=f"{_columns(dataset)}.", text=whole)
    raise InvalidInput(whole)


def what_is_open(dataset: Dataset, *, for_results: bool) -> str:
    """Return all that nobody has said of a file yet, with the options that answer it as a line to copy; "" for nothing.

    The options name a column that can be it, or COLUMN where none is known.

    Args:
        dataset: the file under the mapping in use.
        for_results: whether another tool's results are read, which need no chunks.
    """
    questions = dataset.open_questions(for_results=for_results)
    missing = _missing(dataset, for_results=for_results)
    if not questions and not missing:
        return ""
    if not missing and len(questions) == 1:
        return str(questions[0])
    # In the order in which the fields are listed everywhere; what is no field comes last.
    order = [*_MISSING, *(question.field for question in questions)]
    asked = [(field, _why(dataset, field), f"--map {field}=COLUMN") for field in missing]
    asked += [(question.field, str(question), question.options[0]) for question in questions]
    asked.sort(key=lambda item: order.index(item[0]))
    sentences, options = " ".join(item[1] for item in asked), " ".join(item[2] for item in asked)
    lead = ("Answer" if questions else "Name") + (" it" if len(asked) == 1 else " them")
    return f"{sentences} {lead} with {options} ({_columns(dataset)})."


def _columns(dataset: Dataset) -> str:
    return f"the columns of {dataset.table.name} are {list_columns(dataset.table.columns)}"


def _missing(dataset: Dataset, *, for_results: bool) -> list[str]:
    """Return the fields without a column that no question of the format is about, in the order of the options."""
    mapping = dataset.mapping
    asked = {question.field for question in dataset.open_questions(for_results=for_results)}
    is_open = {
        "answer": mapping.answer is None and mapping.claim is None,
        "contexts": not mapping.contexts and bool(not for_results or mapping.unmapped_contexts),
    }
    missing = [field for field in _REQUIRED if is_open[field] and field not in asked]
    # What a file can do without is asked about only where something has to be asked anyway.
    if (
        missing
        and dataset.is_by_name
        and not mapping.contexts
        and "contexts" not in {*missing, *asked, *dataset.answered}
    ):
        missing.append("contexts")
    if missing and for_results and not dataset.has_results and not asked.intersection(("score", "map")):
        missing.append("score")
    if missing and dataset.is_by_name and mapping.question is None and "question" not in {*asked, *dataset.answered}:
        missing.insert(0, "question")
    return missing


def _why(dataset: Dataset, field: str) -> str:
    """Return the question for a column, with the reason why the format has none."""
    why = {"answer": dataset.mapping.unmapped_answer, "contexts": dataset.mapping.unmapped_contexts}.get(field, "")
    return f"{why}. {_MISSING[field]}" if why else _MISSING[field]
