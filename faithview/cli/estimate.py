"""`--estimate`: what a run would take."""

from collections.abc import Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from faithview.cli import output
from faithview.cli.options import has_store, open_services
from faithview.domain.sample import Sample
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.services.runs.create import RunRequest


def print_estimate(
    samples: Iterable[Sample], request: "RunRequest", *, db: str | None, repeat: int, as_json: bool
) -> None:
    """Print how many calls judging these samples takes, and what they cost; nothing is judged or stored."""
    from faithview.services.runs.estimate import estimate_run

    with ExitStack() as stack:
        # An estimate creates no store.
        services = stack.enter_context(open_services(db)) if has_store(db) else None
        estimate = estimate_run(
            samples,
            request.judge,
            store=services,
            use_cache=request.use_cache,
            repeat=repeat,
            is_batch=request.by_batches,
        )
    if as_json:
        output.print_json(estimate)
        return
    cost = "no price is known" if estimate.cost_usd is None else f"about {fmt.dollars(estimate.cost_usd)}"
    if estimate.cost_usd is not None and estimate.prices_as_of:
        cost += f" at prices of {estimate.prices_as_of}"
    lines = [f"{estimate.answers:,} answers by {estimate.judge}, {estimate.cached_answers:,} of them judged before"]
    lines.append(f"  called        {estimate.host or 'nothing: no text leaves this machine'}")
    if estimate.host is not None:
        lines.append(f"  calls         about {estimate.calls:,}")
        lines.append(f"  tokens        about {estimate.prompt_tokens:,} in and {estimate.completion_tokens:,} out")
        lines.append(f"  cost          {cost}")
    output.print_lines(lines)
