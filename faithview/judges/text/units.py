"""Units of measure by the words for them: what they measure, and how many base units they are."""

from faithview.judges.text.lexicon import word_list, word_set

# dimension: (unit words, size in the dimension's base unit)
_UNITS: dict[str, dict[str, float]] = {
    "length": {
        "mm millimeter millimetre millimeters millimetres": 0.001,
        "cm centimeter centimetre centimeters centimetres": 0.01,
        "m meter metre meters metres": 1.0,
        "km kilometer kilometre kilometers kilometres kms": 1000.0,
        "inch inches": 0.0254,
        "ft foot feet": 0.3048,
        "yd yard yards": 0.9144,
        "mi mile miles": 1609.344,
    },
    "mass": {
        "mg milligram milligrams": 1e-6,
        "g gram grams gramme grammes": 0.001,
        "kg kilogram kilograms kilo kilos kgs": 1.0,
        "oz ounce ounces": 0.0283495,
        "lb lbs pound pounds": 0.453592,
        "tonne tonnes ton tons": 1000.0,
    },
    "volume": {
        "ml milliliter millilitre milliliters millilitres": 0.001,
        "cl centiliter centilitre": 0.01,
        "l liter litre liters litres": 1.0,
        "tsp teaspoon teaspoons": 0.00492892,
        "tbsp tablespoon tablespoons": 0.0147868,
        "cup cups": 0.236588,
        "pint pints pt": 0.473176,
        "quart quarts qt": 0.946353,
        "gallon gallons gal": 3.78541,
    },
    "duration": {
        "ms millisecond milliseconds": 0.001,
        "s sec secs second seconds": 1.0,
        "min mins minute minutes": 60.0,
        "h hr hrs hour hours": 3600.0,
        "day days": 86400.0,
        "week weeks wk wks": 604800.0,
        "fortnight fortnights": 1209600.0,
        "month months": 2629800.0,
        "year years yr yrs": 31557600.0,
        "decade decades": 315576000.0,
        "century centuries": 3155760000.0,
    },
    "data": {
        "kb kilobyte kilobytes": 1e3,
        "mb megabyte megabytes": 1e6,
        "gb gigabyte gigabytes": 1e9,
        "tb terabyte terabytes": 1e12,
    },
    "speed": {"mph": 1.609344, "kmh kph km/h": 1.0},
    "power": {"w watt watts": 1.0, "kw kilowatt kilowatts": 1e3, "mw megawatt megawatts": 1e6},
    "energy": {"kcal calorie calories": 1.0},
    "celsius": {"°c celsius centigrade": 1.0},
    "fahrenheit": {"°f fahrenheit": 1.0},
    "degree": {"° degree degrees": 1.0},
    "percent": {"% percent pct": 1.0},
    "USD": {"$ usd dollar dollars buck bucks us$": 1.0, "cent cents ¢": 0.01},
    "EUR": {"€ eur euro euros": 1.0},
    "GBP": {"£ gbp": 1.0, "pence": 0.01},
    "JPY": {"¥ jpy yen": 1.0},
    "CHF": {"chf franc francs": 1.0},
    "SEK": {"sek krona kronor": 1.0},
    "PLN": {"pln zloty zlotys": 1.0},
    "INR": {"₹ inr rupee rupees": 1.0},
}

# word or sign -> (dimension, size in base units)
UNITS: dict[str, tuple[str, float]] = {
    word: (dimension, size)
    for dimension, sizes in _UNITS.items()
    for words, size in sizes.items()
    for word in words.split()
}

MONEY = frozenset({"USD", "EUR", "GBP", "JPY", "INR", "CHF", "SEK", "PLN"})

# One letter is a unit only right after its number: "5 m" and "5m", but "plan A" or "5 a day" never.
NEEDS_NUMBER_CLOSE = word_set("m g l s h w")

SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
    "dozens": 12.0,
}

SMALL_NUMBERS = {
    word: float(value)
    for value, word in enumerate(
        word_list(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen"
        )
    )
}
TENS = {
    word: float(value * 10)
    for value, word in enumerate(word_list("twenty thirty forty fifty sixty seventy eighty ninety"), start=2)
}
ORDINALS = {
    word: float(value)
    for value, word in enumerate(
        word_list(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ),
        start=1,
    )
}
FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875}

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: number
    for number, name in enumerate(
        word_list("monday tuesday wednesday thursday friday saturday sunday"),
        start=1,
    )
}

# Words for several days of the week: Monday is 1.
_DAYS = {
    **dict.fromkeys(word_list("daily everyday"), frozenset(range(1, 8))),
    **dict.fromkeys(word_list("weekday weekdays"), frozenset(range(1, 6))),
    **dict.fromkeys(word_list("weekend weekends"), frozenset({6, 7})),
}


def days_of(word: str) -> frozenset[int]:
    """Return the days of the week that a word in lower case names, 1 for Monday: "mondays", "weekdays", "daily"."""
    number = WEEKDAYS.get(word.removesuffix("s"))
    return _DAYS.get(word, frozenset()) if number is None else frozenset({number})


# Words that alone make a date or a time; without one of them (or a year's number) no text has a date.
CALENDAR_WORDS = frozenset({*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), "noon", "midday", "midnight"})

# Words that alone make a value; every other value begins with a digit.
VALUE_WORDS = frozenset(
    {*SMALL_NUMBERS, *TENS, *ORDINALS, *SCALES, *MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)}
    | {"minute", "hour", "day", "week", "fortnight", "month", "year", "decade", "century"}
    | {
        "half",
        "quarter",
        "quarters",
        "third",
        "thirds",
        "fifth",
        "fifths",
        "tenth",
        "tenths",
        "couple",
        "noon",
        "midday",
        "midnight",
    }
)
