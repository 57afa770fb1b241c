"""Word lists of the embedded judge, written by hand: function words, forms, synonyms and opposites."""


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text written in one piece, which reads better than a list of strings."""
    return frozenset(text.split())


def word_list(text: str) -> list[str]:
    """Return the words of a text in their order."""
    return text.split()


FUNCTION_WORDS = word_set("""
    a an the this that these those some any each every all both either neither such same other another own
    i you he she it we they me him her us them my your his its our their mine yours hers ours theirs myself yourself
    himself herself itself ourselves themselves who whom whose which what where when why how
    and or but nor so yet if then than as because while although though since until unless whether whereas
    of in on at by for with about against between into through during before after above below to from up down out off
    over under again further upon within without across along among around behind beside besides beyond despite except
    inside near onto outside per toward towards underneath via
    be is am are was were been being have has had having do does did doing done can could will would shall should may
    might must ought cannot can't won't don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't couldn't
    wouldn't shouldn't mustn't needn't it's that's there's here's he's she's i'm you're we're they're i've you've we've
    they've i'll you'll we'll they'll it'll let's what's who's
    yes
    not no never none nothing nobody there here also just only even still too very quite rather really more most less
    least much many few several lot lots s t d ll re ve m
    however therefore thus hence moreover furthermore additionally overall finally instead otherwise meanwhile
    etc eg ie vs pm e.g i.e based according provided given passage passages mention mentioned mentions following include
    includes included including well like
    """)

# Forms that no stemmer brings together.
IRREGULAR = {
    form: base
    for base, forms in {
        "begin": "began begun",
        "buy": "bought",
        "build": "built",
        "bring": "brought",
        "break": "broke broken",
        "catch": "caught",
        "choose": "chose chosen",
        "come": "came",
        "cut": "cutting",
        "die": "died dying death dead deaths",
        "draw": "drew drawn",
        "drink": "drank drunk",
        "drive": "drove driven",
        "eat": "ate eaten",
        "fall": "fell fallen",
        "feel": "felt",
        "fight": "fought",
        "find": "finding",
        "fly": "flew flown",
        "forbid": "forbade forbidden",
        "freeze": "froze frozen",
        "get": "got gotten",
        "give": "gave given",
        "go": "went gone",
        "grow": "grew grown growth",
        "hear": "heard",
        "hold": "held",
        "keep": "kept",
        "know": "knew known",
        "lead": "led",
        "leave": "left",
        "lose": "lost loss losses",
        "make": "made",
        "mean": "meant",
        "meet": "met",
        "pay": "paid",
        "rise": "rose risen",
        "run": "ran",
        "say": "said",
        "see": "saw seen",
        "sell": "sold",
        "send": "sent",
        "shoot": "shot",
        "show": "shown",
        "shrink": "shrank shrunk",
        "sing": "sang sung",
        "sink": "sank sunk",
        "sleep": "slept",
        "speak": "spoke spoken",
        "spend": "spent",
        "stand": "stood",
        "steal": "stole stolen",
        "swim": "swam swum",
        "take": "took taken",
        "teach": "taught",
        "tell": "told",
        "think": "thought",
        "throw": "threw thrown",
        "wear": "wore worn",
        "win": "won",
        "write": "wrote written",
        "child": "children",
        "man": "men",
        "woman": "women",
        "person": "people persons",
        "foot": "feet",
        "tooth": "teeth",
        "mouse": "mice",
        "life": "lives",
        "wife": "wives",
        "leaf": "leaves",
        "analysis": "analyses",
        "good": "better best",
        "bad": "worse worst",
    }.items()
    for form in forms.split()
}

# Stems that mean the same; the first of each group represents all. A group joins only words that
# can be exchanged in most sentences: a wrong pair here hides a wrong answer.
SAME_MEANING = {
    stem: group.split()[0]
    for group in (
        "begin start commenc",
        "buy purchas acquir acquisit",
        "big larg huge",
        "small littl tini",
        "car automobil",
        "doctor physician",
        "child kid",
        "rais increas",
        "lower reduc decreas",
        "end finish conclud",
        "help assist aid",
        "allow permit",
        "forbid prohibit ban",
        "need requir",
        "show demonstr",
        "approxim about rough around",
        "quick fast rapid",
        "error mistak",
        "fix repair",
        "receiv get obtain",
        "movi film",
        "job employ",
        "firm compani",
        "email e-mail mail",
        "photo photograph pictur imag",
        "usual typic general common normal",
        "state declar",
        "locat situat",
        "refund reimburs",
        "cancel cancell",
        "phone telephon",
        "annual year yearli",
        "day daili",
        "week weekli",
        "month monthli",
        "hour hourli",
        "percent percentag",
        "usa american america",
        "british britain uk",
        "delet remov eras",
        "choos select pick",
        "correct accur",
        "custom client",
        "attempt tri",
        "stay remain",
        "injur hurt wound",
        "kill murder",
        "sick ill",
        "gather collect",
        "deliveri deliver",
    )
    for stem in group.split()
}

# Opposites: (one side, other side), by stem after SAME_MEANING. The same concept with the other sign.
OPPOSITES = (
    ("enabl activ", "disabl deactiv inact"),
    ("rais grow rise gain climb expand upward higher", "lower fall drop declin shrink loss downward"),
    ("allow", "forbid"),
    ("maximum highest most max", "minimum lowest least min"),
    ("more greater larger longer older", "less fewer smaller shorter younger"),
    ("accept approv", "reject deni refus"),
    ("includ", "exclud"),
    ("win victori", "lose defeat"),
    ("succeed success pass", "fail failur"),
    ("open", "close shut closed"),
    ("buy", "sell"),
    ("before prior earlier", "after later"),
    ("above", "below beneath"),
    ("first", "last"),
    ("mandatori compulsori need oblig", "option voluntari"),
    ("possibl", "imposs"),
    ("legal law", "illeg unlaw"),
    ("safe", "unsaf danger"),
    ("avail", "unavail"),
    ("abl", "unabl"),
    ("like", "unlik"),
    ("public", "privat"),
    ("free", "paid"),
    ("hot warm", "cold cool"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("left", "right"),
    ("arriv", "depart leav"),
    ("join", "leav"),
    ("import", "export"),
    ("begin", "end stop"),
    ("support", "oppos"),
    ("agre", "disagre"),
    ("true", "fals"),
    ("visibl", "invis hidden"),
    ("guilti", "innoc"),
    ("aliv surviv", "die kill"),
    ("employ hire", "fire dismiss"),
    ("strength stronger strong", "weaken weaker weak"),
    ("improv better", "worsen worse"),
    ("perman", "temporari"),
    ("alway", "never"),
    ("male man", "femal woman"),
    ("husband", "wife"),
    ("father", "mother"),
    ("brother", "sister"),
    ("son", "daughter"),
)

# Full names of places by their abbreviations in capitals: in American addresses "CA" is California.
PLACES = {
    abbreviation: full.split()
    for abbreviation, full in (
        line.split(maxsplit=1)
        for line in """
        al alabama
        ak alaska
        az arizona
        ar arkansas
        ca california
        co colorado
        ct connecticut
        de delaware
        fl florida
        ga georgia
        hi hawaii
        id idaho
        il illinois
        in indiana
        ia iowa
        ks kansas
        ky kentucky
        la louisiana
        me maine
        md maryland
        ma massachusetts
        mi michigan
        mn minnesota
        ms mississippi
        mo missouri
        mt montana
        ne nebraska
        nv nevada
        nh new hampshire
        nj new jersey
        nm new mexico
        ny new york
        nc north carolina
        nd north dakota
        oh ohio
        ok oklahoma
        or oregon
        pa pennsylvania
        ri rhode island
        sc south carolina
        sd south dakota
        tn tennessee
        tx texas
        ut utah
        vt vermont
        va virginia
        wa washington
        wv west virginia
        wi wisconsin
        wy wyoming
        ab alberta
        bc british columbia
        on ontario
        qc quebec
        uk united kingdom
        us united states
        usa united states
        eu european union
        """.strip().splitlines()
    )
}

NEGATIONS = word_set(
    """not no never none neither nor without cannot can't won't don't doesn't didn't isn't aren't wasn't weren't
    haven't hasn't hadn't couldn't wouldn't shouldn't mustn't needn't lack lacks lacked lacking nobody nothing
    hardly cant dont doesnt didnt isnt arent wasnt werent hasnt havent couldnt wouldnt shouldnt"""
)

# Words that deny by themselves: a "not" on the other side may mean the same.
NEARLY_NEGATIONS = word_set(
    """avoid avoids avoiding prevent prevents preventing prevented stop stops instead rather than unable unlike fail
    fails failed refuse refuses refused non lack free against little few rarely seldom"""
)

# With one of these, "not" does not simply deny: "not until Monday", "not unless approved", "not only".
CONDITIONS = word_set("unless until only except although though despite whether otherwise")

# Words of headers by stem; what a header says in one of them a claim may say in another.
_CONCEPTS = {
    stem: group.split()[0]
    for group in (
        "price cost fee fare charg tariff pay",
        "user seat member person peopl licens",
        "durat length last runtim",
        "leav depart departur",
        "arriv arrival",
        "storag space disk",
        "weight weigh",
        "rate star score",
        "guarante warranti",
    )
    for stem in group.split()
}
_SYNONYMS = {
    stem: [other for other, first in _CONCEPTS.items() if first == concept and other != stem]
    for stem, concept in _CONCEPTS.items()
}


def concept_of(stem: str) -> str:
    """Return the common stem of all words that mean the same in a header as this one."""
    return _CONCEPTS.get(stem, stem)


def synonyms_of(stem: str) -> list[str]:
    """Return the other words for what a header calls by this stem."""
    return _SYNONYMS.get(stem, [])
