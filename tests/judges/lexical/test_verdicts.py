"""Pairs of a chunk and a claim, written by hand, with the verdict that a careful reader would give."""

import pytest

from faithview.domain.claim import HallucinationType, Verdict
from faithview.domain.result import State
from faithview.domain.sample import Chunk, Sample
from faithview.judges.lexical.judge import judge_sample

SUPPORTED, CONTRADICTED = Verdict.SUPPORTED, Verdict.CONTRADICTED

PAIRS = [
    ("Support answers within 24 hours.", "Support answers within 48 hours.", CONTRADICTED),
    ("The box holds 24 eggs.", "The box holds two dozen eggs.", SUPPORTED),
    ("The box holds two dozen eggs.", "The box holds 36 eggs.", CONTRADICTED),
    ("The trail is 3,000 m long.", "The trail is 3 km long.", SUPPORTED),
    ("The trail is 3,000 m long.", "The trail is 5 km long.", CONTRADICTED),
    ("The library has 1,200,000 books.", "The library has 1.2 million books.", SUPPORTED),
    ("The library has 1.2 million books.", "The library has 2.1 million books.", CONTRADICTED),
    ("The plan costs $12 per month.", "The plan costs $15 per month.", CONTRADICTED),
    ("The plan costs $12 per month.", "The plan costs 12 dollars per month.", SUPPORTED),
    ("About 40% of customers renew their contract.", "About 60% of customers renew their contract.", CONTRADICTED),
    (
        "About 40% of customers renew their contract.",
        "About forty percent of customers renew their contract.",
        SUPPORTED,
    ),
    ("The warranty lasts two years.", "The warranty lasts 24 months.", SUPPORTED),
    ("The warranty lasts two years.", "The warranty lasts three years.", CONTRADICTED),
    ("The kettle has a 2-year warranty.", "The warranty is 6 years.", CONTRADICTED),
    ("The kettle has a 2-year warranty.", "The warranty is two years.", SUPPORTED),
    ("Kettles have a 2-year warranty. Lamps have a warranty of 6 years.", "The warranty is 6 years.", SUPPORTED),
    ("The museum was founded on May 3rd, 2021.", "The museum was founded on 2021-05-03.", SUPPORTED),
    ("The museum was founded on May 3rd, 2021.", "The museum was founded on 3 June 2021.", CONTRADICTED),
    ("The museum was founded in 1921.", "The museum was founded in 1912.", CONTRADICTED),
    ("The museum was founded on 3 May 1921.", "The museum was founded in 1921.", SUPPORTED),
    ("The shop opens at 9 am.", "The shop opens at 09:00.", SUPPORTED),
    ("The shop opens at 9 am.", "The shop opens at 10 am.", CONTRADICTED),
    ("The shop closes at 17:30.", "The shop closes at 5:30 pm.", SUPPORTED),
    ("Bake the bread at 180°C for 40 minutes.", "Bake the bread at 200°C for 40 minutes.", CONTRADICTED),
    ("Bake the bread at 180°C for 40 minutes.", "Bake the bread at 356°F for 40 minutes.", SUPPORTED),
    ("Bake the bread for 8 to 12 minutes.", "Bake the bread for 8-12 minutes.", SUPPORTED),
    ("Bake the bread for 8 to 12 minutes.", "Bake the bread for 15-20 minutes.", CONTRADICTED),
    ("The bag weighs 2.5 kg.", "The bag weighs 2500 grams.", SUPPORTED),
    ("The bag weighs 2.5 kg.", "The bag weighs 2.5 g.", CONTRADICTED),
    ("The committee meets every Monday.", "The committee meets every Tuesday.", CONTRADICTED),
    ("She finished 3rd in the race.", "She finished third in the race.", SUPPORTED),
    ("The tank holds half a litre of water.", "The tank holds 0.5 litres of water.", SUPPORTED),
    ("The tower is 324 metres tall.", "The tower is 300 metres tall.", CONTRADICTED),
    ("The upload limit is 2 GB per file.", "The upload limit is 2,000 MB per file.", SUPPORTED),
    ("The upload limit is 2 GB per file.", "The upload limit is 2 MB per file.", CONTRADICTED),
    ("Refunds take 5 to 7 business days.", "Refunds take 3 business days.", CONTRADICTED),
    ("The meeting starts at noon.", "The meeting starts at 12:00.", SUPPORTED),
    ("There are five planets in the model.", "There are 5 planets in the model.", SUPPORTED),
    ("The contract ends on 31 December 2024.", "The contract ends on December 31, 2024.", SUPPORTED),
    ("The contract ends on 31 December 2024.", "The contract ends on 30 November 2024.", CONTRADICTED),
    ("The festival takes place in July.", "The festival takes place in August.", CONTRADICTED),
    ("The house was built in the 1890s.", "The house was built in the 1980s.", CONTRADICTED),
    ("The headquarters of the company are in Berlin.", "The headquarters of the company are in Munich.", CONTRADICTED),
    ("Marie Curie won the Nobel Prize in Physics.", "Lise Meitner won the Nobel Prize in Physics.", CONTRADICTED),
    ("The novel was written by Jane Austen.", "The novel was written by Emily Bronte.", CONTRADICTED),
    ("The bridge crosses the Danube in Budapest.", "The bridge crosses the Rhine in Budapest.", CONTRADICTED),
    ("The app runs on Windows and macOS.", "The app runs on Windows and macOS.", SUPPORTED),
    ("The World Health Organization issued the report.", "The WHO issued the report.", SUPPORTED),
    ("Gift cards can be refunded.", "Gift cards cannot be refunded.", CONTRADICTED),
    ("Gift cards cannot be refunded.", "Gift cards can be refunded.", CONTRADICTED),
    ("The pool is heated in winter.", "The pool is not heated in winter.", CONTRADICTED),
    ("Pets are not allowed in the apartment.", "Pets are allowed in the apartment.", CONTRADICTED),
    ("Pets are not allowed in the apartment.", "Pets are forbidden in the apartment.", SUPPORTED),
    ("Smoking is prohibited on the terrace.", "Smoking is allowed on the terrace.", CONTRADICTED),
    ("Two-factor login is enabled by default.", "Two-factor login is disabled by default.", CONTRADICTED),
    ("The price increased in March.", "The price decreased in March.", CONTRADICTED),
    ("The maximum deposit is 500 euros.", "The minimum deposit is 500 euros.", CONTRADICTED),
    ("Breakfast is included in the price.", "Breakfast is excluded from the price.", CONTRADICTED),
    ("Breakfast is included in the price.", "Breakfast is not included in the price.", CONTRADICTED),
    ("The service never stores passwords.", "The service stores passwords.", CONTRADICTED),
    ("The service no longer supports fax.", "The service supports fax.", CONTRADICTED),
    ("Apply the paint before sanding the wood.", "Apply the paint after sanding the wood.", CONTRADICTED),
    ("Registration is mandatory for visitors.", "Registration is optional for visitors.", CONTRADICTED),
    ("The proposal was accepted by the council.", "The proposal was rejected by the council.", CONTRADICTED),
    ("The museum is open on holidays.", "The museum is closed on holidays.", CONTRADICTED),
    ("The drug is safe for children.", "The drug is unsafe for children.", CONTRADICTED),
    ("The service is available in Spain.", "The service is unavailable in Spain.", CONTRADICTED),
    ("The team won the final.", "The team lost the final.", CONTRADICTED),
    ("Google acquired Fitbit in 2021.", "Fitbit acquired Google in 2021.", CONTRADICTED),
    ("Fitbit was acquired by Google in 2021.", "Google acquired Fitbit in 2021.", SUPPORTED),
    ("Fitbit was acquired by Google in 2021.", "Fitbit acquired Google in 2021.", CONTRADICTED),
    ("Brazil defeated Italy in the final.", "Italy defeated Brazil in the final.", CONTRADICTED),
    ("Anna married Peter in 1990.", "Peter married Anna in 1990.", SUPPORTED),
    (
        "Customers may return shoes within thirty days of purchase.",
        "Shoes can be returned within 30 days of purchase.",
        SUPPORTED,
    ),
    (
        "The library was built in 1905 by the architect Otto Wagner.",
        "Otto Wagner built the library in 1905.",
        SUPPORTED,
    ),
    ("Plants need sunlight and water to grow.", "To grow, plants need water and sunlight.", SUPPORTED),
    ("The company was founded in Paris by two brothers.", "Two brothers founded the company in Paris.", SUPPORTED),
    (
        "Users can reset the password on the settings page.",
        "You can reset your password on the settings page.",
        SUPPORTED,
    ),
    ('{"RestaurantsTakeOut": false, "OutdoorSeating": true}', "Outdoor seating is available.", SUPPORTED),
    ('{"RestaurantsTakeOut": false, "OutdoorSeating": true}', "The restaurant does not offer take out.", SUPPORTED),
    (
        '{"name": "Blue Cafe", "hours": {"Monday": "17:0-21:0"}}',
        "Blue Cafe is open on Monday from 5 pm to 9 pm.",
        SUPPORTED,
    ),
]

NOT_FULLY_SUPPORTED = [
    ("The report was issued in Geneva.", "The report was issued by Albert Schmidt in Geneva."),
    ("The hotel has a garden.", "The hotel has a garden with a sauna and a golf course."),
    ("The hotel opened in 1950.", "The hotel opened in 1950 and was renovated by Zaha Hadid."),
    ("The fine is £250.", "The fine is €250."),
    ('{"WiFi": null, "stars": 4.5}', "Free WiFi is available."),
    ('{"RestaurantsTakeOut": false, "OutdoorSeating": true}', "The restaurant offers takeout."),
    ('{"hours": {"Monday": "17:0-21:0"}}', "The cafe is open on Monday from 5 pm to 11 pm."),
    ("Delivery takes 3 days.", "Delivery takes 3 days and costs 15 euros."),
]


@pytest.mark.parametrize(("chunk", "claim", "verdict"), PAIRS, ids=[pair[1] for pair in PAIRS])
def test_verdict_of_a_claim(chunk: str, claim: str, verdict: Verdict) -> None:
    result = judge_sample(Sample.of(claim, [chunk]))
    assert set(result.verdicts) == {verdict}, [c.explanation for c in result.claims]


@pytest.mark.parametrize(("chunk", "claim"), NOT_FULLY_SUPPORTED, ids=[pair[1] for pair in NOT_FULLY_SUPPORTED])
def test_a_claim_with_more_than_the_chunk_says_is_not_supported(chunk: str, claim: str) -> None:
    result = judge_sample(Sample.of(claim, [chunk]))
    assert result.claims
    assert result.claims[0].verdict is not SUPPORTED
    assert result.claims[0].verdict is not CONTRADICTED or "17:0" in chunk or "false" in chunk


def test_values_that_changed_places_between_clauses_are_contradicted() -> None:
    chunk = "The Basic plan costs 5 dollars and the Pro plan costs 10 dollars."
    result = judge_sample(Sample.of("The Basic plan costs 10 dollars and the Pro plan costs 5 dollars.", [chunk]))
    assert result.verdicts == (CONTRADICTED, CONTRADICTED)


def test_a_short_claim_that_denies_what_the_chunk_says_is_contradicted() -> None:
    chunk = "Exports are kept for 7 days and are then deleted."
    assert judge_sample(Sample.of("Exports are not deleted.", [chunk])).verdicts == (CONTRADICTED,)


_PLANS = [
    "The Team plan costs $12 per member per month.",
    "The Business plan costs $20 per member per month. Single sign-on is only available on the Business plan.",
]


def test_a_value_of_another_thing_is_contradicted_though_it_is_in_the_chunks() -> None:
    claim = judge_sample(Sample.of("The Team plan costs $20 per member per month.", _PLANS)).claims[0]
    assert claim.verdict is CONTRADICTED
    assert claim.correction == "The Team plan costs $12 per member per month."


def test_what_holds_for_one_name_only_is_contradicted_for_another() -> None:
    claim = judge_sample(Sample.of("Single sign-on is available on the Team plan.", _PLANS)).claims[0]
    assert claim.verdict is CONTRADICTED
    assert claim.supporting_chunk_ids == ("2",)


_RECORD = """{"name": "Blue Cafe", "hours": {"Monday": "17:0-21:0"}, "attributes": {"BusinessParking":
{"garage": false, "street": true}, "RestaurantsReservations": false, "RestaurantsTakeOut": true, "WiFi": "free",
"OutdoorSeating": null}}"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("It takes reservations.", CONTRADICTED),
        ("It does not take reservations.", SUPPORTED),
        ("It has a garage.", CONTRADICTED),
        ("Street parking is available.", SUPPORTED),
        ("There is no street parking.", CONTRADICTED),
        ("The cafe offers takeout.", SUPPORTED),
        ("The cafe does not offer takeout.", CONTRADICTED),
        ("Free WiFi is available.", SUPPORTED),
        ("It is open on Monday from 5 pm to 9 pm.", SUPPORTED),
        ("It offers outdoor seating.", Verdict.NOT_MENTIONED),
    ],
)
def test_a_field_of_a_record_says_what_its_value_says(claim: str, verdict: Verdict) -> None:
    result = judge_sample(Sample.of(claim, [_RECORD]))
    assert result.verdicts == (verdict,), result.claims[0].explanation


def test_evidence_from_a_record_is_the_field() -> None:
    claim = judge_sample(Sample.of("It takes reservations.", [_RECORD])).claims[0]
    assert [e.quote for e in claim.evidence] == ['"RestaurantsReservations": false']


def test_a_conversion_in_brackets_is_no_second_value() -> None:
    result = judge_sample(Sample.of("Preheat the oven to 500°F (260°C).", ["Preheat the oven to 500 degrees F."]))
    assert result.verdicts == (SUPPORTED,)


def test_a_claim_about_something_else_is_not_mentioned() -> None:
    result = judge_sample(Sample.of("The restaurant serves vegan burgers.", ["The hotel has a garden."]))
    assert result.verdicts == (Verdict.NOT_MENTIONED,)
    assert result.claims[0].supporting_chunk_ids == ()


def test_a_chunk_with_the_value_speaks_for_the_claim_when_another_chunk_differs() -> None:
    chunks = ["Preheat the oven to 350 degrees.", "Preheat the oven to 250 degrees."]
    assert judge_sample(Sample.of("Preheat the oven to 250 degrees.", chunks)).verdicts == (SUPPORTED,)


def test_words_of_the_question_count_as_known() -> None:
    with_question = Sample.of(
        "The Kilimanjaro hike takes six days.", ["It takes six days."], question="Kilimanjaro hike?"
    )
    without = Sample.of("The Kilimanjaro hike takes six days.", ["It takes six days."])
    known, unknown = judge_sample(with_question).claims[0], judge_sample(without).claims[0]
    assert (known.support_score or 0) > (unknown.support_score or 0)
    assert known.verdict is not Verdict.NOT_MENTIONED
    assert "Kilimanjaro" not in known.explanation
    assert unknown.verdict is Verdict.NOT_MENTIONED
    assert "Kilimanjaro" in unknown.explanation


def test_numbers_of_passages_and_steps_are_no_values() -> None:
    answer = "Preheat the oven to 250 degrees (passage 2).\n\nStep 3: Add the chopped onions to the pan."
    chunks = ["1  Preheat the oven to 250 degrees. 4  Add the chopped onions to the pan."]
    assert CONTRADICTED not in judge_sample(Sample.of(answer, chunks)).verdicts


def test_a_contradicted_claim_names_both_sides_and_the_chunk() -> None:
    chunks = [
        Chunk(text="Our office is in Rome.", chunk_id="kb-1"),
        Chunk(text="Support answers within 24 hours.", chunk_id="kb-2"),
    ]
    claim = judge_sample(Sample.of("Support answers within 48 hours.", chunks)).claims[0]
    assert claim.verdict is CONTRADICTED
    assert claim.supporting_chunk_ids == ("kb-2",)
    assert "24 hours" in claim.explanation
    assert "48 hours" in claim.explanation
    assert claim.correction == "Support answers within 24 hours."
    assert claim.hallucination_type is HallucinationType.CONTRADICTION
    assert claim.support_score is not None
    assert claim.support_score < 0.4


def test_a_missing_name_is_named_in_the_explanation() -> None:
    claim = judge_sample(Sample.of("Zaha Hadid renovated the hotel in Lisbon.", ["The hotel has a garden."])).claims[0]
    assert claim.verdict is Verdict.NOT_MENTIONED
    assert "Zaha Hadid" in claim.explanation
    assert claim.hallucination_type is HallucinationType.FABRICATION


def test_the_best_chunk_comes_first() -> None:
    chunks = ["The station is near the river.", "The museum opens at nine and closes at six.", "The museum is old."]
    claim = judge_sample(Sample.of("The museum opens at nine and closes at six.", chunks)).claims[0]
    assert claim.supporting_chunk_ids[0] == "2"


@pytest.mark.parametrize(
    ("chunk", "answer", "verdict"),
    [
        ("The kettle has a two-year warranty and a 1 m cable.", "6 years.", CONTRADICTED),
        ("The kettle has a two-year warranty.", "Two years.", SUPPORTED),
        ("Kettles have a 2-year warranty. Spare parts are sold for 6 years.", "6 years.", SUPPORTED),
    ],
)
def test_an_answer_of_one_measure_is_about_what_was_asked(chunk: str, answer: str, verdict: Verdict) -> None:
    sample = Sample.of(answer, [chunk], question="How long is the warranty?")
    assert [claim.verdict for claim in judge_sample(sample).claims] == [verdict]


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("6 years.", "How long are spare parts sold after the warranty?"),
        ("6 years.", "How long is the battery warranty?"),
        ("6 years.", "How old is the kettle with the warranty?"),
        ("6 years after the warranty.", "How long do you keep parts?"),
        ("The battery warranty is 6 years.", None),
        ("The warranty is 6 years old.", None),
        ("Spare parts are sold for 6 years.", None),
    ],
)
def test_how_long_one_thing_lasts_contradicts_nothing_about_another(answer: str, question: str | None) -> None:
    sample = Sample.of(answer, ["The kettle has a 2-year warranty."], question=question)
    (claim,) = judge_sample(sample).claims
    assert claim.verdict in (Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED)


def test_evidence_is_the_sentence_and_not_the_whole_chunk() -> None:
    chunk = "The lake is deep. The warranty lasts two years. Trees grow slowly."
    claim = judge_sample(Sample.of("The warranty lasts two years.", [chunk])).claims[0]
    assert [e.quote for e in claim.evidence] == ["The warranty lasts two years."]


def test_the_answer_score_ranks_a_faithful_answer_above_an_invented_one() -> None:
    chunks = ["The warranty lasts two years and covers the battery."]
    faithful = judge_sample(Sample.of("The warranty covers the battery.", chunks))
    invented = judge_sample(Sample.of("A cruise to Norway departs on Friday from Hamburg.", chunks))
    assert faithful.answer_score is not None
    assert invented.answer_score is not None
    assert faithful.answer_score > invented.answer_score


@pytest.mark.parametrize(
    ("answer", "chunks", "state"),
    [
        ("", ["Some text."], State.NO_CLAIMS),
        ("   \n ", ["Some text."], State.NO_CLAIMS),
        ("Hello there!", ["Some text."], State.NO_CLAIMS),
        ("The sky is blue.", [], State.EMPTY_CONTEXT),
        ("The sky is blue.", ["", "  \n"], State.EMPTY_CONTEXT),
        ("The context does not mention a price.", ["  "], State.EMPTY_CONTEXT),
        ("The context does not mention a price.", ["The sky is blue."], State.ABSTAINED),
        (
            "I'm sorry, but I cannot answer this question based on the provided context.",
            ["The sky is blue."],
            State.ABSTAINED,
        ),
        ("Unable to answer based on given passages.", ["The sky is blue."], State.ABSTAINED),
        ("The sky is blue.", ["The sky is blue."], State.JUDGED),
    ],
)
def test_state_of_an_answer(answer: str, chunks: list[str], state: State) -> None:
    assert judge_sample(Sample.of(answer, chunks)).state is state


def test_an_answer_with_a_refusal_and_a_fact_is_judged_on_the_fact() -> None:
    answer = "The passages do not mention the opening year. The museum is located in Vienna."
    result = judge_sample(Sample.of(answer, ["The museum is located in Vienna."]))
    assert result.state is State.JUDGED
    assert [claim.text for claim in result.claims] == ["The museum is located in Vienna."]


def test_a_field_that_is_left_open_supports_nothing_and_is_quoted() -> None:
    claim = judge_sample(Sample.of("It has a happy hour.", ['{"HappyHour": null, "WiFi": "free", "stars": 4}'])).claims[
        0
    ]
    assert claim.verdict is Verdict.NOT_MENTIONED
    assert '“"HappyHour": null”' in claim.explanation


@pytest.mark.parametrize(
    ("chunk", "claim"),
    [
        ("Bake it for 50 to 70 minutes and let it cool.", "Bake it for an hour and let it cool."),
        ("She holds a Ph.D. in marine biology.", "She holds a PhD in marine biology."),
        ("Quality Control starts the evaluation process.", "QC is the start of the evaluation process."),
        ("If you cannot break the area into squares, mark it with flags.", "Break the area into squares."),
    ],
)
def test_what_only_looks_like_a_denial_is_not_called_one(chunk: str, claim: str) -> None:
    assert judge_sample(Sample.of(claim, [chunk])).claims[0].verdict is not Verdict.CONTRADICTED


def test_an_answer_that_claims_nothing_is_ranked_by_its_words_and_below_a_refusal() -> None:
    chunk = "The pool opens at 7 am."
    about, apart, refusal = (
        judge_sample(Sample.of(answer, [chunk])).answer_score
        for answer in ("Do you like the pool?", "Have you seen that film?", "The context does not mention a price.")
    )
    assert apart is not None
    assert about is not None
    assert apart < about <= 0.5
    assert refusal == 1.0


def test_a_question_in_a_chunk_stands_against_nothing() -> None:
    faq = "Q: Are dogs allowed?\nA: No.\nQ: When is breakfast?\nA: From 7 to 10 am."
    assert judge_sample(Sample.of("Dogs are not allowed.", [faq])).claims[0].verdict is not CONTRADICTED


def test_what_no_passage_says_is_not_put_down_to_a_question_that_was_not_asked() -> None:
    recipe = "Salt: a pinch\nFlour: 250 g\nEggs: 3\nMilk: 500 ml\nButter: none\nServes: 4\n"
    claim = judge_sample(Sample.of("No butter is needed.", [recipe])).claims[0]
    assert not claim.evidence
    assert "question" not in claim.explanation


@pytest.mark.parametrize(
    ("answer", "chunk"),
    [
        ("Cook the ribs at 350 degrees for 1 1/2 hours.", "Cook the ribs at 350 degrees for 1 and 1/2 hours."),
        ("Not everyone has all these symptoms.", "Everyone has these symptoms in their own way."),
        ("Drain the water that could freeze in the pipes.", "Drain the water so that it won't freeze in the pipes."),
        ("The photo should not be resized by the printer.", "The printer software didnt allow to resize the photo."),
        ("For 12-year-old boys the average weight is 40 kg.", "For 8-year-old boys the average weight is 26 kg."),
    ],
)
def test_what_only_looks_like_a_denial_contradicts_nothing(answer: str, chunk: str) -> None:
    assert Verdict.CONTRADICTED not in judge_sample(Sample.of(answer, [chunk])).verdicts


@pytest.mark.parametrize(
    ("answer", "chunk"),
    [
        ("The cafe lies in Goleta, California.", '{"name": "The cafe", "city": "Goleta", "state": "CA"}'),
        ("The firm is based in Trenton, New Jersey.", "The firm is based in Trenton, NJ."),
        ("The firm is based in Austin, TX.", "The firm is based in Austin, Texas."),
        ("The shop opens at 5 PM.", "The shop opens at 17:00."),
    ],
)
def test_a_place_may_be_abbreviated_and_an_hour_told_either_way(answer: str, chunk: str) -> None:
    assert judge_sample(Sample.of(answer, [chunk])).verdicts == (SUPPORTED,)


def test_another_state_is_not_said() -> None:
    chunk = '{"name": "The cafe", "city": "Goleta", "state": "CA"}'
    assert judge_sample(Sample.of("The cafe lies in Goleta, Nevada.", [chunk])).verdicts != (SUPPORTED,)


_HOURS = '{"name": "The cafe", "hours": {"Tuesday": "9:0-17:0", "Wednesday": "9:0-17:0", "Sunday": "10:0-16:0"}, \
"HasTV": false, "review_info": [{"review_text": "The buche de noel was lovely."}, {"review_text": "Too dear."}]}'


@pytest.mark.parametrize(
    "answer",
    [
        "The cafe is closed on Mondays and Thursdays.",
        "The cafe is open three days a week.",
        "The cafe has no TVs.",
        "The bûche de Noël was lovely.",
    ],
)
def test_what_a_record_says_in_its_own_way_is_not_missing(answer: str) -> None:
    claim = judge_sample(Sample.of(answer, [_HOURS])).claims[0]
    assert "not in the chunks" not in (claim.explanation or "")
    assert claim.verdict is SUPPORTED
