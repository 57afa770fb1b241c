"""Every hostile text on every page and in the address; exits with 1 if one does harm.

`python -m tests.performance.payloads`. A store is filled with rows whose texts are all hostile, then each page is
opened as it is and with every payload in its address, spread over all parameters, and once more beside runs that are
there. `--each` puts each payload into all parameters at once, which takes hours.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Error

from tests.browser import launch
from tests.dashboard import start_dashboard
from tests.hostile_store import fill
from tests.payloads import PAGES, PARAMETERS, PAYLOADS, Address, addresses, find_damage
from tests.performance import tables
from tests.performance.tried import Tally
from tests.ui.browser.screen import new_profile, new_screen


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
    tally = Tally("pages")
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/payloads.db"
        there = fill(url)
        # Hostile texts alone end at "no such run"; beside a run that is there they reach what a page shows of it.
        cases += [Address(parameters={**case.parameters, **there}) for case in cases]
        dashboard = start_dashboard(url, log=Path(name) / "log")
        sys.stdout.write(f"{len(set(PAYLOADS))} payloads, {len(PARAMETERS)} parameters of addresses\n")
        try:
            with launch() as browser, new_profile(browser) as profile:
                for path in options.page or PAGES:
                    reasons: Counter[str] = Counter()
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
                        tally.count(path, failed=bool(found))
                        reasons.update(found)
                    why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
                    sys.stdout.write(f"{path:<12}{why or 'whole'}\n")
                    sys.stdout.flush()
        finally:
            dashboard.stop()
    tally.show(f"Addresses opened ({tables.machine()})")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
