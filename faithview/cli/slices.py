"""`faithview slices`: where a run goes wrong."""

from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_store
from faithview.cli.runs import RunArgument
from faithview.domain.answer import View
from faithview.wording import numbers as fmt
from faithview.wording.numbers import VIEW_WORDS
from faithview.wording.slices import NO_CORRECTED_SLICE, not_searched_words, nothing_found, plain_slice

if TYPE_CHECKING:
    from faithview.services.weak_spots.slices import RunSlices


def slices(
    run: RunArgument,
    view: Annotated[
        View, typer.Option("--view", help="The verdicts to use: the judge's, reviewed or corrected.")
    ] = View.JUDGE,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find what a run's answers with low scores have in common."""
    from faithview.services.weak_spots.slices import find_slices, slices_document

    with open_store(db) as store:
        found = find_slices(store, run, view=view)
    if found.view is not view:
        output.say(f"note: {NO_CORRECTED_SLICE}")
    if as_json:
        output.print_json(slices_document(found, asked=view))
        return
    if found.not_searched:
        output.say(not_searched_words(found.not_searched))
    if found.slices:
        _print(found)
        return
    noun = "answer" if found.questions == found.answers else "question"
    text = nothing_found(found.answers, found.tested, found.noticeable, name=lambda size: fmt.plural(size, noun))
    output.print_lines([f"Verdicts {VIEW_WORDS[found.view]}: {text}" if found.view is not View.JUDGE else text])


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
    title = f"{found.run.name}, verdicts {VIEW_WORDS[found.view]}: slices that score lower than the rest, of "
    title += f"{fmt.count(found.tested)} looked at"
    output.print_table(title, ["slice", "score ", "elsewhere ", "difference ", "n ", "p "], rows)
