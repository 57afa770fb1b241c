"""Whether Streamlit's server has answered all that a page has asked for; the page itself does not say."""

import itertools
from pathlib import Path

from playwright.sync_api import BrowserContext, Page
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_numbers = itertools.count(1)


def watch_reruns(profile: BrowserContext) -> None:
    """Have every page that the profile opens from now on count what it asks for."""
    script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    numbers = {
        "RERUN_SCRIPT": BackMsg.RERUN_SCRIPT_FIELD_NUMBER,
        "IS_AUTO_RERUN": ClientState.IS_AUTO_RERUN_FIELD_NUMBER,
        "NEW_SESSION": ForwardMsg.NEW_SESSION_FIELD_NUMBER,
        "SCRIPT_FINISHED": ForwardMsg.SCRIPT_FINISHED_FIELD_NUMBER,
        "FINISHED_EARLY_FOR_RERUN": ForwardMsg.FINISHED_EARLY_FOR_RERUN,
    }
    for name, number in numbers.items():
        script = script.replace(f"${name}$", str(number))
    profile.add_init_script(script)


def wait_until_answered(page: Page) -> None:
    """Wait until the server has answered all that the page has asked for, and all that was clicked just now."""
    page.wait_for_function(
        "(token) => !window.faithviewIsAnswered || window.faithviewIsAnswered(token)", arg=next(_numbers)
    )
