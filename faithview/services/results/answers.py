"""The answers of a run: listed, filtered, opened."""

from collections.abc import Iterator

from faithview.domain.errors import NotFound
from faithview.domain.views import AnswerDetail, AnswerFilter, AnswerPage, Order, View
from faithview.services.container import Services
from faithview.store.runs import answers, results

_PAGE = 200


def list_answers(
    services: Services,
    run_id: str,
    filters: AnswerFilter,
    *,
    view: View = View.JUDGE,
    order: Order = Order.WORST,
    offset: int = 0,
    limit: int = 50,
    around: str | None = None,
) -> AnswerPage:
    """Return one page of a run's answers: the page with the answer `around` if the list has it."""
    return answers.list_answers(
        services.db, run_id, filters, view=view, order=order, offset=offset, limit=limit, around=around
    )


def list_matching_claims(
    services: Services, run_id: str, position: int, filters: AnswerFilter, *, view: View = View.JUDGE
) -> list[int]:
    """Return the numbers of the judge's claims of one answer that meet what the filters ask of a claim, in order."""
    return answers.list_matching_claims(services.db, run_id, position, filters, view=view)


def get_answer(services: Services, run_id: str, key: str) -> AnswerDetail:
    """Return one answer with its claims, by key or position; raises NotFound."""
    return results.get_answer(services.db, run_id, key)


def get_answer_at(services: Services, run_id: str, position: int) -> AnswerDetail:
    """Return one answer with its claims, by its position from 1; raises NotFound."""
    details = results.list_details(services.db, run_id, after=position - 1, limit=1)
    if not details or details[0].position != position:
        raise NotFound(f"Run {run_id} has no row {position}.")
    return details[0]


def iterate_answers(services: Services, run_id: str) -> Iterator[AnswerDetail]:
    """Yield every answer of a run whole, in the order of the file."""
    after = 0
    while page := results.list_details(services.db, run_id, after=after, limit=_PAGE):
        yield from page
        after = page[-1].position


def list_segments(services: Services, run_id: str) -> list[str]:
    """Return the names of a run's segments, sorted."""
    return answers.list_segments(services.db, run_id)
