"""Closed word classes the frames rely on: function words, verb forms, adjectives that exclude each other."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

ARTICLES = frozenset("the a an".split())
POSSESSIVES = frozenset("our my your".split())
"""Dropped from keys: what the user calls "my flight" the assistant calls "your flight"."""
PRONOUNS = frozenset(
    "it he she they this that these those there here him her them one something everything nothing".split()
)
"""Subjects that mean nothing outside their message."""
PREPOSITIONS = frozenset(
    "in on at by from to with for after before until till via per under over into onto through during within without "
    "against between about near behind beside besides inside outside above below across along around as since toward "
    "towards upon every".split()
)
FILLERS = frozenset(
    "now currently still already just really actually also too simply basically definitely certainly presently "
    "officially finally again today always".split()
)
"""Adverbs that do not change which slot a sentence is about, or what its value is."""
KEY_FILLERS = frozenset(
    "value setting parameter option current new actual final official chosen agreed correct right real exact overall "
    "configured preferred number count amount total our my your name tool solution provider".split()
)
"""Words a noun-phrase key means the same without, when others remain."""

BE = frozenset("is are was were be am been being".split())
MODALS = frozenset("may must can should shall will would could might cannot ought".split())

_REGULAR = (
    "accept act add adopt advertise aim agree allow announce answer appear apply approve arrive ask assign attend "
    "average "
    "back bake base belong block book boost borrow bump cache call cancel cap capture carry cause change charge check "
    "claim clean clear climb close collect combine commit compile complete configure confirm connect consist "
    "contain continue convert cook copy correct cost count cover crash create cross cure decide declare decline "
    "decrease default defer define delay delegate delete deliver demand depart depend deploy deprecate describe "
    "deserve design "
    "detect develop disable discover discuss double drop earn employ enable end enforce enjoy enter equal exceed "
    "exist expand face expect expire explain export extend fail favour favor fetch fill filter finance finish fit "
    "fix follow "
    "form format freeze function gain generate grant handle happen hate help honour host ignore implement import "
    "improve "
    "include increase inherit insist install intend invite involve issue join jump kill kick label land last launch "
    "learn like limit link list listen live load locate log look love lower maintain manage mark match matter measure "
    "meet mention merge migrate miss mount move name need notice notify obtain occur offer open operate order organise "
    "organize own pack park pass pay perform pick pin plan plant play point poll postpone prefer present prevent "
    "process produce promise propose protect provide publish pull purchase push raise range rank reach receive "
    "recommend record reduce refer reject release rely remain remember remove rename rent repeat replace reply report "
    "represent request require reschedule reserve resolve rest restart result resume retain retire retry return review "
    "roast rotate save scale schedule score search seem select serve settle share ship show sign skip sleep sort "
    "specify split stand start state stay stop store stream stretch structure study submit suffer suggest suit supply "
    "support suppose surpass suspend swap switch sync take talk target taste teach tend terminate test tie time total "
    "chair coach supervise sponsor coordinate shift transition rehearse prescribe target seat contain mature feed drop "
    "rule dismiss eliminate discard exclude attempt experiment correct revise reassign relocate adjust pivot revert "
    "roll substitute exchange trade supersede succeed ditch abandon discontinue phase decommission migrate shorten "
    "downgrade standardise standardize "
    "touch track train transfer transition translate travel treat trigger trust try turn unlock update upgrade use "
    "validate vary view visit vote wait walk want warm warn wash watch weigh welcome whisk win wish work wrap yield"
).split()
_IRREGULAR = {
    "be": "is are was were been being am",
    "have": "has had having",
    "do": "does did done doing",
    "go": "goes went gone going",
    "get": "gets got gotten getting",
    "run": "runs ran running",
    "choose": "chooses chose chosen choosing",
    "make": "makes made making",
    "take": "takes took taken taking",
    "come": "comes came coming",
    "become": "becomes became becoming",
    "give": "gives gave given giving",
    "keep": "keeps kept keeping",
    "leave": "leaves left leaving",
    "meet": "meets met meeting",
    "read": "reads reading",
    "write": "writes wrote written writing",
    "speak": "speaks spoke spoken speaking",
    "say": "says said saying",
    "tell": "tells told telling",
    "think": "thinks thought thinking",
    "know": "knows knew known knowing",
    "find": "finds found finding",
    "feed": "feeds fed feeding",
    "feel": "feels felt feeling",
    "hold": "holds held holding",
    "hang": "hangs hung hanging",
    "put": "puts putting",
    "set": "sets setting",
    "cut": "cuts cutting",
    "hit": "hits hitting",
    "let": "lets letting",
    "quit": "quits quitting",
    "reset": "resets resetting",
    "cost": "costs costing",
    "send": "sends sent sending",
    "spend": "spends spent spending",
    "build": "builds built building",
    "bring": "brings brought bringing",
    "buy": "buys bought buying",
    "sell": "sells sold selling",
    "teach": "teaches taught teaching",
    "lead": "leads led leading",
    "lose": "loses lost losing",
    "pay": "pays paid paying",
    "see": "sees saw seen seeing",
    "eat": "eats ate eaten eating",
    "drink": "drinks drank drunk drinking",
    "drive": "drives drove driven driving",
    "fly": "flies flew flown flying",
    "grow": "grows grew grown growing",
    "begin": "begins began begun beginning",
    "break": "breaks broke broken breaking",
    "rise": "rises rose risen rising",
    "fall": "falls fell fallen falling",
    "sit": "sits sat sitting",
    "stand": "stands stood standing",
    "sleep": "sleeps slept sleeping",
    "understand": "understands understood",
    "wear": "wears wore worn wearing",
    "win": "wins won winning",
    "mean": "means meant meaning",
    "stick": "sticks stuck sticking",
    "freeze": "freezes froze frozen",
    "lie": "lies lay lying",
    "swim": "swims swam swimming",
    "sing": "sings sang singing",
    "throw": "throws threw thrown",
    "forget": "forgets forgot forgotten",
    "store": "stores stored storing",
}


def _regular(base: str) -> dict[str, str]:
    """Third person, past and gerund of a regular verb."""
    doubled = base[-1] if base in _DOUBLING else ""
    if base.endswith("y") and base[-2] not in "aeo":
        third, past = base[:-1] + "ies", base[:-1] + "ied"
    else:
        third = base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
        past = base + doubled + ("d" if base.endswith("e") else "ed")
    stem = base[:-1] if base.endswith("e") and not base.endswith(("ee", "ie")) else base + doubled
    return {third: "s", past: "ed", stem + "ing": "ing"}


_DOUBLING = frozenset(
    "cap cancel commit defer drop fit  log map pin plan ship skip split stop swap submit transfer trim wrap".split()
)


def _forms() -> tuple[dict[str, str], dict[str, str]]:
    base_of: dict[str, str] = {}
    tense_of: dict[str, str] = {}
    for base in _REGULAR:
        base_of[base], tense_of[base] = base, ""
        for form, tense in _regular(base).items():
            base_of.setdefault(form, base)
            tense_of.setdefault(form, tense)
    for base, forms in _IRREGULAR.items():
        base_of[base], tense_of[base] = base, ""
        for form in forms.split():
            base_of[form] = base
            tense_of[form] = "ing" if form.endswith("ing") else "s" if form.endswith("s") and form != "was" else "ed"
    return base_of, tense_of


VERB_BASE, VERB_TENSE = _forms()
"""Base form and tense ("" base, "s" third person, "ed" past or participle, "ing") of every known verb form."""

FUNCTIONAL_VERBS = frozenset(
    "cost weigh last choose select pick prefer equal begin start end open close expire live default become remain stay "
    "total measure average score rank adopt settle schedule reschedule deploy serve leave depart arrive land launch "
    "set raise lower limit cap name call elect win stand face return wear marry hold finish sleep run listen "
    "point sit".split()
)
"""Verbs whose complement is unique at a time: two different ones oppose each other."""
MULTI_VERBS = frozenset(
    "support include contain own need require depend like love enjoy speak know use have work visit see meet "
    "buy eat add fix find write read send call test try want consist involve handle provide offer accept help "
    "teach bring take share play cover allow manage mention see charge cause".split()
)
"""Verbs whose complements pile up: the next one does not oppose the last."""
AGENT = {
    "own": "owner",
    "manage": "manager",
    "maintain": "maintainer",
    "lead": "lead",
    "supervise": "supervisor",
    "coach": "coach",
    "chair": "chair",
    "coordinate": "coordinator",
    "organise": "organiser",
    "organize": "organizer",
    "sponsor": "sponsor",
    "host": "host",
}
"""What one is who does it: "Ana owns the calendar" makes her its owner."""
EPISODIC_TENSE = "ed"

DETERMINERS = frozenset("the a an this that these those our my your his her their its some any each no".split())

_EXCLUSIVE = {
    "colour": "red green blue yellow black white grey gray orange purple pink brown beige turquoise violet navy teal",
    "openness": "open closed shut locked unlocked",
    "visibility": "public private internal hidden secret",
    "obligation": "mandatory optional required compulsory voluntary",
    "payment": "paid unpaid overdue",
    "price": "free chargeable",
    "size": "big small large tiny huge medium",
    "level": "high low medium moderate critical",
    "speed": "fast slow",
    "heat": "hot cold warm cool lukewarm",
    "running": "up down online offline",
    "synchrony": "synchronous asynchronous sync async",
    "mode": "manual automatic automated",
    "place": "local remote",
    "marriage": "married single divorced widowed",
    "life": "alive dead",
    "approval": "approved rejected pending declined granted denied revoked refused accepted withdrawn",
    "outcome": "passing failing broken green red",
    "fate": "confirmed cancelled canceled postponed",
    "side": "left right",
    "weather": "sunny rainy cloudy foggy snowy",
    "wet": "wet dry",
    "difficulty": "easy hard difficult",
    "phase": "pending done finished ongoing unfinished",
    "fill": "full empty",
    "presence": "present absent",
    "write": "read-only writable",
    "diet": "vegan vegetarian omnivorous",
}
DIMENSION = {word: name for name, words in reversed(list(_EXCLUSIVE.items())) for word in words.split()}
"""What an adjective says something about; two adjectives of one dimension exclude each other."""

_ADJECTIVES = (
    "able absolute accurate acceptable active afraid aware bad basic beautiful better best boring brave bright broad "
    "busy "
    "calm cheap clean clear clever clumsy comfortable common complete complex cool correct crazy crucial curious "
    "dark dead "
    "deep delicate delicious different dirty double early elegant essential exact excellent expensive extra fair "
    "familiar "
    "famous fine firm flaky flat fragile fresh friendly funny good great happy healthy heavy helpful honest huge "
    "hungry "
    "ideal idle ill important incomplete intact interesting kind late lazy light likely live long loud lovely lucky "
    "main "
    "mature mild modern narrow nervous new nice noisy normal obsolete obvious odd old ok okay perfect plain pleasant "
    "polite "
    "poor popular possible powerful pretty primary proud quick quiet random rare raw ready real reliable rich ripe "
    "risky "
    "robust rough round rude sad safe same secure sensitive separate serious sharp short shy sick significant silent "
    "silly similar simple slim smart smooth soft solid sore sour spicy stable stale steep sticky stiff straight "
    "strange "
    "strict strong stupid suitable sure sweet tall tasty tender tense thick thin tidy tight tired tough tricky "
    "typical ugly "
    "unclear unique upset urgent useful useless usual valid vague visible weak weird whole wide wild wise wonderful "
    "worse worst worth wrong young allergic available busy compatible consistent capable eligible exempt final finite "
    "idempotent immutable infinite intermittent legacy nullable redundant responsive reusable scalable stateless "
    "thread-safe transient unavailable up-to-date verbose volatile"
).split()
ADJECTIVES = frozenset(_ADJECTIVES) | frozenset(DIMENSION)
ADJECTIVE_ENDINGS = (
    "able",
    "ible",
    "ful",
    "less",
    "ous",
    "ive",
    "ical",
    "ary",
    "ised",
    "ized",
    "ated",
    "ied",
    "ish",
    "some",
)
NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "non-", "non", "dis")

ATTRIBUTE_NOUNS = frozenset(
    "status state colour color size type mode level priority role mood plan tier format language framework version "
    "region zone host hostname port url address name title owner lead deadline date day time limit budget price cost "
    "fee "
    "rate threshold timeout ttl interval frequency duration engine database broker queue backend frontend tool manager "
    "library provider vendor supplier branch environment cluster bucket endpoint protocol license schema encoding "
    "theme "
    "font model brand currency location venue destination gate platform seat room capacity dose dosage score grade "
    "result "
    "winner captain teacher author speaker contact phone email password username id key path directory folder file "
    "strategy policy default encryption algorithm approach method severity rank temperature weight height width length "
    "age gender species breed dish dessert starter flavour topic theme weather default editor shell compiler runtime "
    "scheduler cache store storage orchestrator registry proxy gateway".split()
)
"""Nouns that name an attribute: whatever a sentence says one *is* competes with whatever else it is said to be."""

STATE_NOUNS = frozenset(
    "status state colour color size mode level priority mood phase result severity risk rank temperature weather "
    "visibility type theme strategy plan tier branch environment".split()
)
"""Attributes whose values are adjectives: the status is approved, the theme is dark."""
EVALUATIVE = frozenset(
    "wrong right correct incorrect fine good bad ok okay important missing unclear unknown known reasonable acceptable "
    "necessary tricky strange weird odd clear obvious useful useless great nice interesting crucial relevant "
    "irrelevant".split()
)
"""What is said *about* a statement of an attribute, never its value: the timeout is wrong."""

GENERIC_SUBJECTS = frozenset(
    "problem reason idea point question thing step goal way result issue answer fact bug error concern trick catch "
    "difference advantage downside upside benefit risk challenge summary conclusion rest rule example note purpose "
    "solution fix cause next first last second other others some most all part it what".split()
)
"""Subjects too general to be a slot of their own when nothing qualifies them."""
