"""Other languages: their copulas, their negation. What no frame reads is left to alignment."""

from __future__ import annotations

import re
from dataclasses import replace

from beliefmerge.claims.clauses.reasons import argument
from beliefmerge.claims.frames import explicit
from beliefmerge.claims.languages.english import without_markup
from beliefmerge.claims.reading import Clause, Frame, Parsed, Reading, is_weak, name_reading
from beliefmerge.claims.values.normalise import UNTYPED, plain, read
from beliefmerge.claims.words.keys import canonical
from beliefmerge.claims.words.other_languages import LANGUAGES, Language

_NE = r"ne|n['’]|no|non|não|не"


def _clause_of(language: Language) -> re.Pattern[str]:
    """Subject, copula, negation, preposition and predicate of a clause."""
    return re.compile(
        rf"^(?P<subject>.{{2,60}}?)\s(?:(?:{_NE})\s?)?(?P<be>{language.copulas})(?:\s(?P<not>{language.negations}))?(?:\s(?P<place>{language.places})(?=\s|$))?\s(?P<value>.+)$",
        re.IGNORECASE,
    )


_COPULAS = {language.name: _clause_of(language) for language in LANGUAGES if language.copulas}
_BY_NAME = {language.name: language for language in LANGUAGES}

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
    typed = read(value).kind not in UNTYPED
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
