"""How much a string looks like a credential rather than like a word, a name, a path or code.

There is no entropy threshold: short pass phrases have little entropy and identifiers much. The shape of the string's
alphanumeric pieces decides instead, and what stands around it decides how much shape is asked for.
"""

from __future__ import annotations

import re
from enum import IntEnum

from beliefmerge.session.redaction.secret import MIN_LENGTH


class Strength(IntEnum):
    """NONE: short, a placeholder, code. WORD: words and names. WEAK: `hunter2`. FAIR, RANDOM: made by a machine."""

    NONE = 0
    WORD = 1
    WEAK = 2
    FAIR = 3
    RANDOM = 4


_HEAD = 96
"""Characters of a value that are looked at: enough to tell, and it keeps the cost of a label constant."""

_PLACEHOLDER = re.compile(
    r"""\$\{ | \$\( | \{\{ | %\( | ^\$env: | ^\$[A-Za-z_]\w*$ | ^%\w+%$ | ^\{ | ^<
      | \.\.\. | … | \*{3} | [•●·]{3} | x{4} | ^[._\W]*$
      | (?<![a-z]) your (?:[-_\s] | (?=api|key|token|secret|pass|own)) | [-_]here$
      | placeholder | redacted | change[-_]?me | replace[-_]?(?:me|this|with) | (?:insert|enter|paste|fill)[-_]
      | ^(?:my|the|some|any|test|dummy|fake|example|sample|super)?[-_]?(?:super|very|top)?[-_]?
         (?:secret|password|passwd|token|api[-_]?key|pass|pwd|key|value)(?:[-_]?(?:key|token|password|value))?[-_]?\d{0,2}$
    """,
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_NOT_A_SECRET = re.compile(
    r"""(?: [a-z][a-z0-9+.-]*://\S+                                        # its password has a rule of its own
          | (?:sha\d{1,3}|sha3-\d+|md5|blake\w{1,3})[:=-]\S+               # a digest
          | 0x[0-9a-f]{1,16}                                              # a pointer
          | \d{4}\.\d{4,5}(?:v\d{1,2})?                                   # arXiv
          | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                                  # e-mail
          | arn:aws\S* | data:\S*
        )\Z""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_ALGORITHM = re.compile(
    r"""(?: argon2\w{0,2} | [sb]crypt | pbkdf2\w{0,12} | sha\d+\w{0,3} | md[45] | [hrep]s\d+ | aes-?\d{3}\w{0,4}
          | oauth\d\w? | base\d\d | utf-?\d+ | x509 | pkcs\d+ | tls\w{1,4} | ipv[46] | http\d | ed25519 | secp\d{3}\w\d
          | curve25519 | rsa-?\d+ | u?int\d+ | float\d+ )\Z""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
_UUID_OR_HEX = re.compile(r"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]+)\Z", re.ASCII | re.IGNORECASE)
_PIECE = re.compile(r"[A-Za-z0-9]+", re.ASCII)
_TURN = re.compile(r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])", re.ASCII)
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", re.ASCII)
_WORDY = re.compile(
    r"[0-9]{1,4}|(?:19|20)[0-9]{6}|[A-Za-z]+[0-9]{0,3}|[A-Za-z][0-9]{1,2}[A-Za-z]{1,3}|"
    r"[0-9]{1,4}[A-Za-z]{1,4}[0-9]{0,4}",
    re.ASCII,
)
_CAPITALISED = re.compile(r"[A-Z][a-z]{2,}", re.ASCII)
_WORD_NUMBER = re.compile(r"([A-Za-z]+)([-_.]?)([0-9]{1,4})", re.ASCII)
_NAME_OF_A_VALUE = re.compile(
    r"(?:my|new|old|user|db)?(?:passwords?|passwd|pwd|pass|pw|tokens?|secrets?|keys?|args?|params?|str|string|values?|val|"
    r"input|field|var|tmp|temp|user|option|step|stage|part|version|line|page|item|level|phase|section|chapter|figure|table)",
    re.ASCII | re.IGNORECASE,
)
_STRONG_SYMBOL = re.compile(r"(?<=\w)[!#$%^&*~@]+(?=\w)", re.ASCII)
_PASSPHRASE = re.compile(r"[a-z]{3,}(?:-[a-z]{3,}){3,}", re.ASCII | re.IGNORECASE)

_TYPE_NAME = re.compile(
    r"[A-Za-z_][\w.]*[a-z0-9](?:Key|Token|Password|Secret|Credential|Id|Name|Type|Config|Error|Provider|Auth|Value|Field)"
    r"(?:s|T|Id|Ids|Type|Types|Name|Code|Bytes|Str|Error)?",
    re.ASCII,
)

_ORDINARY = """
access account admin administrator anonymous application argument authentication available backend basic
changeme cleared client config configured correct credential credentials database default deleted demo
deprecated development disabled docker dummy dynamic elastic email embedded empty enabled encoded encrypted
environment example expired expires external failed false field filename frontend generated global google guest
hashed header hidden internal invalid keychain keyfile keyring kubernetes letmein local localhost logging
managed manager masked master memory missing mongo mongodb monitoring mysql nobody nopassword normal option
optional oracle parameter passphrase password passwords placeholder plaintext postgres postgresql primary
private production project prompt provided public rabbitmq random readonly redacted redis remote removed replica
required reset returned revoked rotated sample sandbox secret secrets secretsmanager security server service
session shared simple something staging standard static storage stored stream string system terminal tester
testing testpass testuser token tokens unchanged undefined unknown unset updated username users valid value
variable vault visible website window worker wrong
"""
ORDINARY = frozenset(_ORDINARY.split())
"""Words that stand where a password would, in documentation and development set-ups; never taken for one."""


def rate(value: str) -> Strength:
    """The strength of `value`; looks at its beginning only."""
    head = value[:_HEAD]
    if len(head) < MIN_LENGTH or len(set(head)) < 4 or _PLACEHOLDER.search(head) or _NOT_A_SECRET.match(head):
        return Strength.NONE
    if _ALGORITHM.match(head):
        return Strength.NONE
    letters = any(c.isalpha() for c in head)
    digits = any("0" <= c <= "9" for c in head)
    if not letters:
        return Strength.WEAK if head.isdigit() else Strength.NONE
    return _rate_mixed(head) if digits else _rate_letters(head)


def _rate_letters(head: str) -> Strength:
    """Letters and marks, no digit."""
    pieces = _PIECE.findall(head)
    longest = max(pieces, key=len, default="")
    if len(longest) >= 16 and len(_HUMP.findall(longest)) * 2.7 > len(longest):
        return Strength.RANDOM
    if len(longest) >= 20 and (longest.islower() or longest.isupper()):
        return Strength.FAIR
    if len(head) >= 8 and _STRONG_SYMBOL.search(head):
        return Strength.WEAK
    if _PASSPHRASE.fullmatch(head) and len(head) >= 20:
        return Strength.WEAK
    return Strength.WORD


def _rate_mixed(head: str) -> Strength:
    """Letters and digits, with or without marks."""
    if _TYPE_NAME.fullmatch(head):
        return Strength.WORD
    if match := _WORD_NUMBER.fullmatch(head):
        word, mark, number = match.groups()
        if (mark and len(number) < 4) or (_NAME_OF_A_VALUE.fullmatch(word) and len(number) < 3):
            return Strength.WORD
        return Strength.WEAK if len(head) < 12 else Strength.FAIR
    pieces = [piece for piece in _PIECE.findall(head) if not _ALGORITHM.match(piece)]
    if any(_random(piece) for piece in pieces):
        return Strength.RANDOM
    if all(_WORDY.fullmatch(piece) for piece in pieces):
        return Strength.WEAK if _STRONG_SYMBOL.search(head) else Strength.WORD
    return Strength.FAIR if len(head) >= 8 else Strength.WEAK


def _random(piece: str) -> bool:
    """Whether an alphanumeric run changes between letters and digits as no name does."""
    if sum(map(len, _CAPITALISED.findall(piece))) * 5 >= len(piece) * 3:
        return False
    turns = len(_TURN.findall(piece))
    return (turns >= 2 and len(piece) >= 8) or (turns >= 1 and len(piece) >= 20)


def is_identifier(value: str) -> bool:
    """Whether `value` is a UUID or plain hexadecimal: ids and hashes, unless a label says otherwise."""
    return _UUID_OR_HEX.match(value) is not None


def is_whole_only(value: str, strength: Strength) -> bool:
    """Whether `value` may be replaced only where it stands alone: words and numbers occur inside others by chance."""
    return strength <= Strength.WORD or value.isdigit()
