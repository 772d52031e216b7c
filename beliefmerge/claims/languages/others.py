"""Other languages: which one a sentence is in, its copulas, its negation. What no frame reads is left to alignment."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from beliefmerge.claims.clauses.reasons import argument
from beliefmerge.claims.frames import explicit
from beliefmerge.claims.languages.english import without_markup
from beliefmerge.claims.reading import Clause, Frame, Parsed, Reading, is_weak, name_reading
from beliefmerge.claims.values.normalise import plain, read
from beliefmerge.claims.words.keys import canonical


@dataclass(frozen=True)
class Language:
    """Closed classes of one language, as alternatives of a regular expression."""

    name: str
    articles: str
    copulas: str
    places: str
    """Prepositions that open a place or a time."""
    negations: str
    indefinite: str = ""
    joint: str = " "
    """What stands between subject, copula and predicate."""

    def copula(self) -> re.Pattern[str]:
        """Subject, copula, negation, preposition and predicate of a clause."""
        return re.compile(
            rf"^(?P<subject>.{{2,60}}?)\s(?:(?:{_NE})\s?)?(?P<be>{self.copulas})(?:\s(?P<not>{self.negations}))?(?:\s(?P<place>{self.places})(?=\s|$))?\s(?P<value>.+)$",
            re.IGNORECASE,
        )


_NE = r"ne|n['’]|no|non|não|не"
LANGUAGES = (
    Language(
        "de",
        "der|die|das|den|dem|des|unser|unsere|mein|meine",
        "ist|sind|war|wird|bleibt|liegt|lautet|heißt|beträgt|heisst|betraegt",
        "in|im|am|um|auf|an|bei|ab|bis|unter",
        "nicht|kein|keine|keinen",
        "ein|eine|einen",
    ),
    Language(
        "fr",
        "le|la|les|notre|mon|ma|nos",
        "est|sont|était|sera|reste|se trouve|devient",
        "à|au|aux|en|dans|sur|le|chez|de",
        "pas|plus|jamais",
        "un|une|des",
    ),
    Language(
        "es",
        "el|la|los|las|nuestro|nuestra|mi",
        "es|está|son|están|era|será|queda|se llama",
        "en|el|a las|a la|al|sobre|de",
        "no|nunca",
        "un|una",
    ),
    Language(
        "it",
        "il|lo|la|i|gli|le|nostro|nostra",
        "è|sono|era|sarà|si trova|resta",
        "a|in|al|alla|alle|su|sul|di",
        "non|mai",
        "un|una|uno",
    ),
    Language("pt", "o|a|os|as|nosso|nossa", "é|está|são|fica|era|será", "em|no|na|às|a|ao|de", "não|nunca", "um|uma"),
    Language("nl", "de|het|onze|ons", "is|zijn|was|wordt|blijft|ligt", "in|op|om|aan|bij", "niet|geen", "een"),
    Language("sv", "den|det|vår|vårt", "är|var|blir|ligger|heter", "i|på|vid|klockan", "inte|ej", "en|ett"),
    Language(
        "ru",
        "наш|наша|наше",
        "—|–|-|это|был|была|будет|находится|является|находятся|равен|равна|называется",
        "в|во|на|у",
        "не",
        "",
    ),
    Language("pl", "nasz|nasza", "jest|są|był|będzie|to", "w|na|o|we", "nie", ""),
    Language("tr", "bizim", "", "", "değil", "bir"),
    Language("ar", "", "هو|هي|كان|يكون|تقع|يقع", "في|على", "ليس|ليست", ""),
)  # fmt: skip
_WORDS = {
    "de": (
        "der die das ist sind nicht und ein eine auf wird wir mit für den dem im am zu von läuft haben nur "
        "noch auch bei dass wurde werden"
    ),
    "fr": "le la les est sont une des et en dans sur pas nous pour avec du au ce cette qui que à été",
    "es": "el los las es está son una y en con por para del al no se que nuestro hemos",
    "it": "il lo gli è sono una e di che con per della del nel non abbiamo alle",
    "pt": "o os é está são uma e em com por para do da não que nosso temos no na",
    "nl": "het een is zijn niet en op van voor met wij ons de wordt naar",
    "sv": "är och inte på för med att den det vi som av har ett",
    "pl": "jest są nie na do dla się że w z i",
    "tr": "bir ve için değil bu ile",
}
_LANGUAGE_OF: dict[str, list[str]] = {}
for _name, _listed in _WORDS.items():
    for _word in _listed.split():
        _LANGUAGE_OF.setdefault(_word, []).append(_name)
_ENGLISH = frozenset(
    "the is are was were a an and of to in on at for with we it this that not be has have will must can may i you "
    "our my as by from or if "
    "use uses no do does so but they he she there set only now all its than when which who what".split()
)
_COPULAS = {language.name: language.copula() for language in LANGUAGES if language.copulas}
_BY_NAME = {language.name: language for language in LANGUAGES}
_CYRILLIC, _ARABIC = re.compile(r"[\u0400-\u04ff]"), re.compile(r"[\u0600-\u06ff]")
_EASTERN = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_SIMPLE = ("name", "word", "phrase", "identifier")

_JAPANESE = re.compile(
    r"^(?P<subject>.{1,30}?)は(?P<value>.{1,30}?)(?P<end>です|でした|だ|である|になりました|になります|に変更(?:しました|されました|です)|にあります|にいます|"
    r"で行います|で行われます|です。)?$"
)
_JAPANESE_NOT = re.compile(r"(?:ではありません|じゃありません|ではない|じゃない|ではなかった)$")
_KOREAN = re.compile(
    r"^(?P<subject>.{1,30}?)(?:은|는) (?P<value>.{1,30}?)(?P<end>입니다|이다|이에요|예요|에 있습니다|에서 합니다|"
    r"로 변경되었습니다|로 변경했습니다|이 아닙니다|"
    r"가 아닙니다|이 아니다)$"
)


_AS = re.compile(
    r"^(?:(?:wir|ich|nous|on|nosotros|noi|nós|wij|vi|мы|my) )?[^\W\d_]+ (?P<new>[^ ]+(?: [^ ]+){0,3}?) (?:als|comme|"
    r"como|come|как|в качестве|som|jako) (?P<key>.+)$",
    re.IGNORECASE,
)


def language(text: str) -> str:
    """The language of `text` among those with frames: `en` when nothing speaks for another, `ja`/`ko` by script."""
    if not text.isascii():
        if _EASTERN.search(text):
            return "ko" if re.search(r"[\uac00-\ud7af]", text) else "ja"
        if _CYRILLIC.search(text):
            return "ru"
        if _ARABIC.search(text):
            return "ar"
    words = re.findall(r"[^\W\d_]+", text.casefold())
    scores: dict[str, int] = {}
    english = 0
    for word in words:
        english += word in _ENGLISH
        for name in _LANGUAGE_OF.get(word, ()):
            scores[name] = scores.get(name, 0) + 1
    if not scores:
        return "en"
    best = max(scores, key=lambda name: (scores[name], name))
    return best if scores[best] + (not text.isascii()) > english else "en"


def parse(text: str, kind: str, name: str) -> Parsed:
    """Clauses of a sentence in the language `name` (not English or Chinese)."""
    text = without_markup(text).rstrip(" .。!！;؛।")
    reason = argument(text)
    if reason is None:
        return Parsed((_clause(text, kind, name),))
    premise, conclusion = _clause(reason.premise, kind, name), _clause(reason.conclusion, kind, name)
    usable = (0,) if any(r.frame is not Frame.STATEMENT for r in premise.readings) else ()
    return Parsed((premise, replace(conclusion, premises=usable)))


def _clause(text: str, kind: str, name: str) -> Clause:
    readings = _written(text, kind) or _role(text, name)
    if not readings and name == "ja":
        readings = _japanese(text)
    elif not readings and name == "ko":
        readings = _korean(text)
    elif not readings and name in _COPULAS:
        readings = _copula(text, name)
    positive = text
    negated = False
    if not readings:
        positive, negated = _positive(text, name)
        readings = [_statement(positive, negated)]
    found = tuple(readings)
    return Clause(found, positive, negated, (), name, is_weak(found) or found[0].frame is Frame.PROPERTY)


def _written(text: str, kind: str) -> list[Reading]:
    if ":" not in text and "=" not in text and "→" not in text:
        return []
    pairs = [explicit.with_unit(pair) for pair in explicit.pairs(text, kind)]
    return [name_reading(p.key, p.value, Frame.EXPLICIT, multi=len(p.value) > 60) for p in pairs if len(p.value) <= 120]


def _role(text: str, name: str) -> list[Reading]:
    """“Wir verwenden PostgreSQL als Datenbank”."""
    match = _AS.match(text)
    lang = _BY_NAME.get(name)
    if match is None or lang is None:
        return []
    key = re.sub(rf"^(?:{lang.indefinite})\s", "", _without_articles(match["key"], lang), flags=re.IGNORECASE)
    if len(key.split()) > 5 or len(match["new"].split()) > 4:
        return []
    return [name_reading(key, match["new"], Frame.EXPLICIT)]


def _copula(text: str, name: str) -> list[Reading]:
    lang = _BY_NAME[name]
    match = _COPULAS[name].match(text)
    if match is None:
        return []
    subject = _without_articles(match["subject"], lang)
    value = match["value"].strip()
    negated = bool(match["not"]) or bool(
        re.search(
            rf"\s(?:{_NE})$|\s(?:{_NE})\s(?:{lang.copulas})\s", match.string[: match.start("value")], re.IGNORECASE
        )
    )
    if not subject or len(subject.split()) > 6 or len(value.split()) > 8:
        return []
    place, be = (match["place"] or "").casefold(), match["be"].casefold()
    typed = read(value).kind not in _SIMPLE
    if place and not typed:
        return [_clausal(f"{subject} {be} {place}", value, negated)]
    if lang.indefinite and re.match(rf"(?:{lang.indefinite})\s", value, re.IGNORECASE) and not typed:
        return [_clausal(f"{subject} {be}", value, negated, multi=True)]
    if not typed and value.islower() and value.isalpha():
        return [_property(f"{subject} {be} {value}", negated)]
    return [name_reading(subject, _without_articles(value, lang) or value, Frame.COPULA, denied=negated)]


def _without_articles(text: str, lang: Language) -> str:
    text = plain(text)
    return re.sub(rf"^(?:{lang.articles})\s", "", text, flags=re.IGNORECASE) if lang.articles else text


def _japanese(text: str) -> list[Reading]:
    text = text.rstrip("。")
    stripped = _JAPANESE_NOT.sub("です", text)
    match = _JAPANESE.match(stripped)
    if match is None or not match["end"]:
        return []
    value = match["value"].removesuffix("に")
    if match["end"] in ("にあります", "にいます"):
        return [_clausal(f"{match['subject']}は", value, stripped != text)]
    return [name_reading(match["subject"], value, Frame.COPULA, denied=stripped != text)]


def _korean(text: str) -> list[Reading]:
    match = _KOREAN.match(text)
    if match is None:
        return []
    negated = "아" in match["end"]
    if match["end"].startswith("에"):
        return [_clausal(f"{match['subject']} {match['end'].split()[0]}", match["value"], negated)]
    return [name_reading(match["subject"], match["value"], Frame.COPULA, denied=negated)]


def _positive(text: str, name: str) -> tuple[str, bool]:
    """`text` without its negative word, and whether it had one."""
    lang = _BY_NAME.get(name)
    if lang is None:
        return text, False
    found = re.sub(rf"(?<!\w)(?:{lang.negations})\s", "", text, count=1, flags=re.IGNORECASE)
    if found == text:
        return text, False
    return (re.sub(r"(?<!\w)(?:ne\s|n['’])", "", found, count=1, flags=re.IGNORECASE) if name == "fr" else found), True


def _property(text: str, negated: bool) -> Reading:
    key = canonical(text)
    return Reading(key, f"c {key}", "no" if negated else "yes", Frame.PROPERTY)


def _clausal(key: str, value: str, negated: bool, *, multi: bool = False, frame: Frame = Frame.VERB) -> Reading:
    shown = canonical(key)
    return Reading(shown, f"c {shown}", value, frame, negated, multi)


def _statement(text: str, negated: bool) -> Reading:
    words = text.split()
    if len(words) < 2:
        return _property(text, negated)
    cut = min(max(1, len(words) - 1), 4)
    return _clausal(" ".join(words[:cut]), " ".join(words[cut:]), negated, multi=True, frame=Frame.STATEMENT)
