"""`faithview guard`: what may be sent is on standard output, all else on standard error."""

from tests.cli.conftest import Command

CONTEXT = ("--context", "An invitation is valid for 7 days.", "--context", "Owners can invite people.")
WRONG = "An invitation is valid for 14 days. Owners can invite people."
RIGHT = "An invitation is valid for 7 days. Owners can invite people."


def test_an_answer_that_passes_is_printed_as_it_is(faithview: Command) -> None:
    done = faithview("guard", "--answer", RIGHT, *CONTEXT)
    assert (done.status, done.out, done.err) == (0, f"{RIGHT}\n", "")


def test_a_wrong_value_is_corrected_and_named(faithview: Command) -> None:
    done = faithview("guard", "--answer", WRONG, *CONTEXT)
    assert (done.status, done.out) == (0, f"{RIGHT}\n")
    assert "Claim 1, contradicted: An invitation is valid for 14 days." in done.err
    assert "“14 days” replaced by “7 days”. Chunk 1 says “7 days”." in done.err


def test_without_correction_it_is_blocked_with_status_1(faithview: Command) -> None:
    done = faithview("guard", "--answer", WRONG, *CONTEXT, "--no-correct")
    assert (done.status, done.out) == (1, "")
    assert "Blocked. 1 of 2 claims is supported (0.50)" in done.err


def test_the_fallback_takes_the_place_of_a_blocked_answer(faithview: Command) -> None:
    done = faithview("guard", "--answer", "Llamas are free.", *CONTEXT, "--fallback", "Ask a person.")
    assert (done.status, done.out) == (0, "Ask a person.\n")
    assert "Nothing in this answer is supported" in done.err


def test_json_is_one_document(faithview: Command) -> None:
    done = faithview("guard", "--answer", WRONG, *CONTEXT, "--json")
    document = done.document
    assert (document["passed"], document["changed"], document["sent"]) == (True, True, RIGHT)
    assert document["before"]["issues"][0]["spans"] == [[0, 35]]
    assert document["edits"][0]["replacement"] == "7 days"
    checked = faithview("guard", "--answer", WRONG, *CONTEXT, "--json", "--no-correct")
    assert (checked.status, checked.document["passed"], checked.document["sent"]) == (1, False, None)


def test_html_is_the_given_answer_with_its_problems_marked(faithview: Command) -> None:
    done = faithview("guard", "--answer", f"{WRONG} <b>", *CONTEXT, "--html")
    assert done.out.startswith('<mark data-verdict="contradicted"')
    assert "&lt;b&gt;" in done.out
