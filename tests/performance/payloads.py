"""Every hostile text on every page and in the address; exits with 1 if one does harm.

`python -m tests.performance.payloads`. A store is filled with rows whose texts are all hostile, then each page is
opened as it is and with every payload in its address, spread over all parameters. `--each` puts each payload into all
parameters at once, which takes hours.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Error

from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample, find_unstorable
from faithview.services.container import build
from faithview.services.runs.create import RunRequest, create_run, judge_here
from faithview.settings import Settings
from tests.browser import launch
from tests.dashboard import start_dashboard
from tests.payloads import PAGES, PARAMETERS, PAYLOADS, Address, addresses, find_damage
from tests.ui.browser.screen import new_profile, new_screen

_NAMES = 6


def fill(url: str) -> None:
    """Store runs over rows whose question, answer, chunks, ids, segments and names are payloads."""
    texts = [text for text in PAYLOADS if find_unstorable(text) is None and text.strip()]
    rows = [
        Sample(
            key=f"{number} {text[:80]}",
            question=text,
            answer=f"{text} Inboxes hold {number} members.",
            chunks=(
                Chunk(chunk_id=f"{number} {text[:80]}", text=f"{text} Inboxes hold 20 members.", metadata={"x": text}),
            ),
            segment=text[:80],
        )
        for number, text in enumerate(texts)
    ]
    with build(Settings.from_env(database_url=url)) as services:
        for name in texts[:: len(texts) // _NAMES][:_NAMES]:
            run = create_run(services, rows, RunRequest(name=name[:150], judge=JudgeSpec(name="lexical")))
            judge_here(services, run)


def main() -> int:
    """Print what became of each page; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", action="store_true", help="each payload in all parameters of an address of its own")
    parser.add_argument("--page", action="append", choices=PAGES, help="only this page; may be repeated")
    options = parser.parse_args()
    cases = [Address(parameters={})]
    cases += (
        [Address(parameters=dict.fromkeys(PARAMETERS, text[:60])) for text in PAYLOADS]
        if options.each
        else list(addresses())
    )
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/payloads.db"
        fill(url)
        dashboard = start_dashboard(url, log=Path(name) / "log")
        sys.stdout.write(f"{len(set(PAYLOADS))} payloads\n{'page':<12}{'opened':>8}{'whole':>8}{'failed':>8}  why\n")
        try:
            with launch() as browser, new_profile(browser) as profile:
                for path in options.page or PAGES:
                    reasons: Counter[str] = Counter()
                    harmed = 0
                    for case in cases:
                        screen = new_screen(profile, dashboard.url)
                        try:
                            screen.open(path, **case.parameters)
                            found = find_damage(screen.page)
                        except (AssertionError, Error) as error:
                            found = [str(error).splitlines()[0]]
                        found += [f"asked {urlsplit(u).netloc}" for u in screen.troubles if u.startswith("asked ")]
                        found += [t[:80] for t in screen.errors]
                        screen.page.close()
                        harmed += bool(found)
                        reasons.update(found)
                    failed += harmed
                    why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
                    sys.stdout.write(f"{path:<12}{len(cases):>8}{len(cases) - harmed:>8}{harmed:>8}  {why}\n")
                    sys.stdout.flush()
        finally:
            dashboard.stop()
    sys.stdout.write(f"failed: {failed}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
