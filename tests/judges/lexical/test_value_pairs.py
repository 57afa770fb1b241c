"""Two hundred pairs of a chunk and a claim, written by hand: values, names, negations, roles, flags and nulls.

A pair is right if a claim that the chunk denies is contradicted, one that it says is supported, and one that it does
not tell is neither. The judge sees words and no meaning, so a few are wrong: the share that is right is promised.
"""

import json

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import judge_sample
from tests.judges.lexical.test_verdicts import PAIRS

_YES, _NO, _UNTOLD = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_MENTIONED

_VALUES = [
    ("The lease runs for 18 months.", "The lease runs for one and a half years.", _YES),
    ("The lease runs for 18 months.", "The lease runs for 12 months.", _NO),
    ("Parcels over 30 kg are sent by truck.", "Parcels over 20 kg are sent by truck.", _NO),
    ("The pool is 25 metres long.", "The pool is 50 metres long.", _NO),
    ("The pool is 25 metres long.", "The pool is 2,500 cm long.", _YES),
    ("Each crate holds a dozen bottles.", "Each crate holds 12 bottles.", _YES),
    ("Each crate holds a dozen bottles.", "Each crate holds 20 bottles.", _NO),
    ("The fund raised $4.5 million last year.", "The fund raised $4,500,000 last year.", _YES),
    ("The fund raised $4.5 million last year.", "The fund raised $5.4 million last year.", _NO),
    ("Late returns cost €3 per day.", "Late returns cost 3 euros per day.", _YES),
    ("Late returns cost €3 per day.", "Late returns cost €5 per day.", _NO),
    ("The battery charges in 90 minutes.", "The battery charges in an hour and a half.", _YES),
    ("The battery charges in 90 minutes.", "The battery charges in 60 minutes.", _NO),
    ("The battery charges in 90 minutes.", "The battery charges in 1.5 hours.", _YES),
    ("The discount is 15 percent for students.", "The discount is 15% for students.", _YES),
    ("The discount is 15 percent for students.", "The discount is 50% for students.", _NO),
    ("The server keeps backups for 30 days.", "The server keeps backups for 90 days.", _NO),
    ("The server keeps backups for 30 days.", "The server keeps backups for thirty days.", _YES),
    ("The course has 14 lessons.", "The course has 41 lessons.", _NO),
    ("The course has 14 lessons.", "The course has fourteen lessons.", _YES),
    ("The stadium seats 54,000 people.", "The stadium seats 45,000 people.", _NO),
    ("The stadium seats 54,000 people.", "The stadium seats 54000 people.", _YES),
    ("Invoices are due within 14 days.", "Invoices are due within two weeks.", _YES),
    ("Invoices are due within 14 days.", "Invoices are due within 30 days.", _NO),
    ("The engine delivers 110 kW.", "The engine delivers 150 kW.", _NO),
    ("Water boils at 100 °C.", "Water boils at 212 °F.", _YES),
    ("Water boils at 100 °C.", "Water boils at 90 °C.", _NO),
    ("The cable is 6 feet long.", "The cable is 72 inches long.", _YES),
    ("The cable is 6 feet long.", "The cable is 9 feet long.", _NO),
    ("Three quarters of the voters agreed to the plan.", "75% of the voters agreed to the plan.", _YES),
    ("The app needs 512 MB of memory.", "The app needs 512 GB of memory.", _NO),
    ("The app needs 2,048 MB of memory.", "The app needs 2 GB of memory.", _YES),
    ("The parcel weighs 500 g.", "The parcel weighs 0.5 kg.", _YES),
    ("The parcel weighs 500 g.", "The parcel weighs 5 kg.", _NO),
    ("Add 250 ml of milk to the flour.", "Add 500 ml of milk to the flour.", _NO),
    ("Add 250 ml of milk to the flour.", "Add a quarter of a litre of milk to the flour.", _YES),
    ("The flight takes about 11 hours.", "The flight takes about 7 hours.", _NO),
    ("The ride lasts 45 seconds.", "The ride lasts 45 minutes.", _NO),
    ("The tower has 88 floors.", "The tower has 80 floors.", _NO),
    ("The archive holds 2.3 million documents.", "The archive holds 2.3 billion documents.", _NO),
]

_SHARES = [
    ("A quarter of the members voted by post.", "25% of the members voted by post.", _YES),
    ("A quarter of the members voted by post.", "40% of the members voted by post.", _NO),
    ("Half of the seats are reserved.", "50 percent of the seats are reserved.", _YES),
    ("Two thirds of the harvest was lost.", "67% of the harvest was lost.", _YES),
    ("Two thirds of the harvest was lost.", "30% of the harvest was lost.", _NO),
    ("Let the dough rest for 50 to 70 minutes.", "Let the dough rest for an hour.", _YES),
    ("Nobody was hurt in the crash.", "Three people were hurt in the crash.", _NO),
    ("The bridge was designed by Ada Lund.", "Tom Berg designed the bridge.", _NO),
]

_DATES = [
    ("The treaty was signed on 14 June 1985.", "The treaty was signed on June 14, 1985.", _YES),
    ("The treaty was signed on 14 June 1985.", "The treaty was signed on 14 June 1995.", _NO),
    ("The treaty was signed on 14 June 1985.", "The treaty was signed on 1985-06-14.", _YES),
    ("The treaty was signed on 14 June 1985.", "The treaty was signed in June 1985.", _YES),
    ("The treaty was signed on 14 June 1985.", "The treaty was signed in July 1985.", _NO),
    ("The old contract expires on March 1, 2026.", "The old contract expires on March 11, 2026.", _NO),
    ("The old contract expires on March 1, 2026.", "The old contract expires on 1 March 2026.", _YES),
    ("The clinic is open from 8:30 to 16:00.", "The clinic is open from 8:30 am to 4 pm.", _YES),
    ("The clinic is open from 8:30 to 16:00.", "The clinic is open from 8:30 am to 6 pm.", _NO),
    ("The ferry leaves at 7:15 pm.", "The ferry leaves at 19:15.", _YES),
    ("The ferry leaves at 7:15 pm.", "The ferry leaves at 7:15 am.", _NO),
    ("The market is held every Saturday.", "The market is held every Sunday.", _NO),
    ("The market is held every Saturday.", "The market is held on Saturdays.", _YES),
    ("The band formed in the 1970s.", "The band formed in the 1960s.", _NO),
    ("The library closes at midnight.", "The library closes at noon.", _NO),
    ("Sales begin in September.", "Sales begin in October.", _NO),
    ("She was the second woman to climb the peak.", "She was the 2nd woman to climb the peak.", _YES),
    ("She was the second woman to climb the peak.", "She was the fourth woman to climb the peak.", _NO),
    ("The patch was released in 2019.", "The patch was released in 2021.", _NO),
    ("The report is published on the first Monday of each month.", "The report is published on the first Friday of "
     "each month.", _NO),
]  # fmt: skip

_NAMES = [
    ("The company was founded by Ada Berg.", "The company was founded by Nils Holm.", _NO),
    ("The ship sailed from Lisbon to Recife.", "The ship sailed from Porto to Recife.", _NO),
    ("The ship sailed from Lisbon to Recife.", "The ship sailed from Lisbon to Recife.", _YES),
    ("The award went to Maria Lopez in 2018.", "The award went to Elena Kraus in 2018.", _NO),
    ("The software runs on Linux servers.", "The software runs on Solaris servers.", _NO),
    ("The European Space Agency built the probe.", "The ESA built the probe.", _YES),
    ("The European Space Agency built the probe.", "NASA built the probe.", _NO),
    ("The lake lies in Finland.", "The lake lies in Estonia.", _NO),
    ("The film was directed by Agnes Varda.", "Agnes Varda directed the film.", _YES),
    ("The film was directed by Agnes Varda.", "Chantal Akerman directed the film.", _NO),
    ("Oracle bought Sun Microsystems in 2010.", "Sun Microsystems bought Oracle in 2010.", _NO),
    ("Oracle bought Sun Microsystems in 2010.", "Sun Microsystems was bought by Oracle in 2010.", _YES),
    ("Ghana beat Serbia in the opening match.", "Serbia beat Ghana in the opening match.", _NO),
    ("Harriet taught Edmund to paint.", "Edmund taught Harriet to paint.", _NO),
    ("The Pro plan includes phone support; the Free plan does not.", "The Pro plan includes phone support.", _YES),
    ("Basic costs $5 and Premium costs $9.", "Basic costs $9.", _NO),
    ("Basic costs $5 and Premium costs $9.", "Premium costs $9.", _YES),
    ("Basic costs $5 and Premium costs $9.", "Premium costs $5.", _NO),
    ("A viewer sees the same reports as an editor.", "A viewer sees the same reports as an editor.", _YES),
    ("Guests have no access to reports.", "Guests see the same reports as members.", _NO),
    (
        "A merchant is a person who sells goods. A customer is a person who buys goods.",
        "A customer is a person who sells goods.",
        _NO,
    ),
    (
        "A snapshot is a copy of the disk. An archive is a folder of old files.",
        "An archive is a copy of the disk.",
        _NO,
    ),
]

_NEGATIONS = [
    ("Dogs are welcome in the garden.", "Dogs are not welcome in the garden.", _NO),
    ("Dogs are not welcome in the garden.", "Dogs are welcome in the garden.", _NO),
    ("Refunds are not available after 30 days.", "Refunds are not available after 30 days.", _YES),
    ("Refunds are not available after 30 days.", "Refunds are available after 30 days.", _NO),
    ("The tool cannot read encrypted files.", "The tool can read encrypted files.", _NO),
    ("The tool cannot read encrypted files.", "The tool is unable to read encrypted files.", _YES),
    ("The lamp does not contain mercury.", "The lamp contains mercury.", _NO),
    ("The lamp contains mercury.", "The lamp does not contain mercury.", _NO),
    ("Sharing is disabled by default.", "Sharing is enabled by default.", _NO),
    ("The medicine lowers blood pressure.", "The medicine raises blood pressure.", _NO),
    ("The medicine lowers blood pressure.", "The medicine reduces blood pressure.", _YES),
    ("Unemployment fell last spring.", "Unemployment rose last spring.", _NO),
    ("The north gate is locked at night.", "The south gate is locked at night.", _NO),
    ("Wash your hands before cooking the meat.", "Wash your hands after cooking the meat.", _NO),
    ("The new filter is larger than the old one.", "The new filter is smaller than the old one.", _NO),
    ("The court found the driver guilty.", "The court found the driver innocent.", _NO),
    ("Membership is voluntary for all staff.", "Membership is mandatory for all staff.", _NO),
    ("The beach is public.", "The beach is private.", _NO),
    ("The museum is closed on Mondays.", "The museum is open on Mondays.", _NO),
    ("Nobody was injured in the fire.", "Several people were injured in the fire.", _NO),
    ("Entry is free for children.", "Entry is free for children.", _YES),
    ("The permit allows camping.", "The permit forbids camping.", _NO),
    ("The motion was rejected by the senate.", "The motion was approved by the senate.", _NO),
    ("The upgrade never deletes user data.", "The upgrade deletes user data.", _NO),
    ("Exports include the comments.", "Exports exclude the comments.", _NO),
]

_RECORD = json.dumps(
    {
        "name": "Harbour Grill",
        "city": "Lund",
        "stars": 4.5,
        "hours": {"Tuesday": "11:0-22:0", "Saturday": "9:30-23:0", "Sunday": None},
        "attributes": {
            "RestaurantsReservations": True,
            "OutdoorSeating": False,
            "WiFi": "no",
            "RestaurantsTakeOut": True,
            "RestaurantsDelivery": False,
            "GoodForKids": True,
            "HappyHour": None,
            "BusinessParking": {"garage": False, "street": True, "valet": False, "lot": True},
            "Ambience": {"romantic": False, "casual": True, "touristy": False},
            "Caters": False,
        },
    }
)

_FIELDS = [
    ("It takes reservations.", _YES),
    ("It does not take reservations.", _NO),
    ("It has outdoor seating.", _NO),
    ("There is no outdoor seating.", _YES),
    ("It offers free WiFi.", _NO),
    ("It does not offer WiFi.", _YES),
    ("Takeout is available.", _YES),
    ("Takeout is not available.", _NO),
    ("Delivery is available.", _NO),
    ("It does not deliver.", _YES),
    ("It is good for kids.", _YES),
    ("It is not good for kids.", _NO),
    ("It has a happy hour.", _UNTOLD),
    ("Valet parking is available.", _NO),
    ("There is a parking lot.", _YES),
    ("Street parking is available.", _YES),
    ("There is no street parking.", _NO),
    ("The ambience is romantic.", _NO),
    ("The ambience is casual.", _YES),
    ("The ambience is not touristy.", _YES),
    ("It caters.", _NO),
    ("It is rated 4.5 stars.", _YES),
    ("It is rated 3.5 stars.", _NO),
    ("It is open on Tuesday from 11 am to 10 pm.", _YES),
    ("It is open on Tuesday from 11 am to 8 pm.", _NO),
    ("On Saturday it opens at 9:30 am.", _YES),
    ("On Saturday it opens at 8 am.", _NO),
    ("It is located in Lund.", _YES),
    ("It is located in Oslo.", _NO),
    ("It is based in Lund.", _YES),
    ("There is no happy hour.", _UNTOLD),
]

ALL = [
    *PAIRS,
    *_VALUES,
    *_SHARES,
    *_DATES,
    *_NAMES,
    *_NEGATIONS,
    *((_RECORD, claim, verdict) for claim, verdict in _FIELDS),
]

LEAST_RIGHT = 0.95


def _is_right(chunk: str, claim: str, expected: Verdict) -> bool:
    verdict = judge_sample(Sample.of(claim, [chunk])).claims[0].verdict
    if expected is _UNTOLD:
        return verdict in (Verdict.NOT_MENTIONED, Verdict.PARTIALLY_SUPPORTED)
    return verdict is expected


def test_there_are_two_hundred_pairs_and_none_stands_twice() -> None:
    assert len({(chunk, claim) for chunk, claim, _ in ALL}) == len(ALL) >= 200


def test_nineteen_of_twenty_pairs_are_judged_as_a_careful_reader_would() -> None:
    wrong = [(chunk, claim, expected.value) for chunk, claim, expected in ALL if not _is_right(chunk, claim, expected)]
    assert 1 - len(wrong) / len(ALL) >= LEAST_RIGHT, wrong


def test_a_claim_that_the_chunk_says_is_never_called_contradicted() -> None:
    denied = [
        (chunk, claim)
        for chunk, claim, expected in ALL
        if expected is _YES and judge_sample(Sample.of(claim, [chunk])).claims[0].verdict is _NO
    ]
    assert denied == []
