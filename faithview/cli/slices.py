"""`faithview slices`: where a run goes wrong."""

from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.cli.runs import RunArgument
from faithview.domain.views import View
from faithview.wording import numbers as fmt
from faithview.wording.slices import not_searched_words, nothing_found, plain_slice

if TYPE_CHECKING:
    from faithview.services.slices.find import RunSlices


def slices(
    run: RunArgument,
    view: Annotated[View, typer.Option("--view", help="Whose verdicts count.")] = View.JUDGE,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find what the answers of a run with low scores have in common."""
    from faithview.services.exports.slices_document import slices_document
    from faithview.services.slices.find import find_slices

    with open_services(db) as services:
        found = find_slices(services, run, view=view)
    if as_json:
        output.print_json(slices_document(found))
        return
    if found.not_searched:
        output.say(not_searched_words(found.not_searched))
    if found.slices:
        _print(found)
        return
    noun = "answer" if found.questions == found.answers else "question"
    text = nothing_found(found.answers, found.tested, found.noticeable, name=lambda size: fmt.plural(size, noun))
    output.print_lines([text])


def _print(found: "RunSlices") -> None:
    rows = [
        [
            plain_slice(low.definition),
            fmt.share(low.mean),
            fmt.share(low.elsewhere),
            fmt.signed_measure(low.difference, low.interval),
            fmt.count(len(low.positions)),
            fmt.p_number(low.p_value),
        ]
        for low in found.slices
    ]
    title = f"{found.run.name}: slices that score lower than the rest, of {fmt.count(found.tested)} looked at"
    output.print_table(title, ["slice", "score ", "elsewhere ", "difference ", "n ", "p "], rows)
