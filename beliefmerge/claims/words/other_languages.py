"""Other languages: which one a text is in, and its closed word classes."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re
from dataclasses import dataclass


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
_CYRILLIC, _ARABIC = re.compile(r"[\u0400-\u04ff]"), re.compile(r"[\u0600-\u06ff]")
_EASTERN = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")


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
