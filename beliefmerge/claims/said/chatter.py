"""What is no claim: greetings, thanks, acknowledgements, progress, questions, code, logs. And how much a claim says."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re

from beliefmerge.session.notices import SENTENCES

_GREETING = (
    r"hi|hello|hey|good (?:morning|afternoon|evening|night|day)|greetings|welcome(?: back)?|bye|goodbye|see you|"
    r"cheers|dear|nice to meet|"
    r"have a (?:nice|good|great)|take care|how are you|what's up|you(?:'re| are) welcome|no worries|my pleasure|anytime"
)
_THANKS = (
    r"thanks?(?: you)?|thx|ty|much appreciated|appreciate it|i appreciate|many thanks|sorry|apologies|my bad|"
    r"i apologi[sz]e|excuse me|pardon"
)
_ACKNOWLEDGED = (
    r"ok(?:ay)?|k|sure(?: thing)?|yes|yep|yeah|no|nope|right|got it|understood|noted|agreed|great|perfect|awesome|"
    r"excellent|cool|nice|good|"
    r"fine|alright|all right|sounds? (?:good|great|fine|reasonable|like a plan)|makes sense|fair enough|of course|"
    r"absolutely|exactly|"
    r"indeed|certainly|definitely|will do|on it|done|ready|acknowledged|roger|copy that|wonderful|interesting|hmm+|"
    r"uh|um|well|wow|oh|ah|"
    r"lol|haha|looks? good(?: to me)?|lgtm|works for me|good (?:point|idea|question|catch|job|work)|"
    r"great (?:question|idea|work|job)|"
    r"that(?:'s| is) (?:great|fine|good|right|correct|true|all|it|ok|okay|perfect|helpful|interesting|fair|nice)|"
    r"i see|i understand|i agree|"
    r"no problem|not sure|i don't know|same here|me too|let's (?:go|see|do (?:it|this|that)|continue|start|begin|"
    r"move on|proceed)|go ahead|"
    r"carry on|keep going|continue|proceed|please (?:continue|proceed|go ahead)|one moment|just a (?:moment|second|"
    r"minute|sec)|hold on|"
    r"hang on|wait|never mind|whatever|anyway|so|then|next|first|finally|moving on|back to work|long day|"
    r"coffee(?: break)?"
)
_PROGRESS = (
    r"let me (?:know|see|check|look|take|think|try|start|begin|run|read|search|open|find|verify|review|explain|first|"
    r"quickly|now|also|do|get|go|"
    r"dig|inspect|examine|confirm|pull|update|fix|write|create|make|use|show|walk|add|test|note)|i(?:'ll| will|"
    r" am going to|'m going to|'m gonna) (?:now |also |first |just |quickly |then |go ahead and )*"
    r"(?:check|look|take|try|start|begin|run|read|search|open|find|verify|review|explain|do|get|go|dig|inspect|"
    r"examine|confirm|pull|update|fix|"
    r"write|create|make|show|walk|add|test|note|have|need|help|keep|continue|wait|proceed|implement|investigate|"
    r"analy[sz]e|summari[sz]e|see|let|ask|think|follow|be (?:right )?back|come back)|"
    r"i(?:'m| am) (?:now |just |still |currently )*(?:checking|looking|reading|running|working|trying|going|"
    r"searching|thinking|waiting|reviewing|happy|glad|here|sorry|afraid|not sure|ready|done|sure|excited|curious)|"
    r"i(?:'ve| have)? (?:just |now |already |also )*(?:checked|looked|read|run|ran|finished|completed|started|"
    r"searched|tried|updated|created|added|fixed|opened|reviewed|made(?! (?:a mistake|an error))|"
    r"implemented|written|wrote|pushed|committed)\b(?!,? (?:that|and)\b|: )|"
    r"(?:now |next,? |first,? |then,? )?(?:let's|we(?:'ll| will| should| can| need to)) (?:now |first |also |"
    r"then )*(?:check|look|see|start|begin|take a look|try|move on|continue|dig|go (?:through|over|back)|"
    r"get (?:started|going)|talk|discuss|chat|catch up|think|circle back|keep (?:going|an eye)|sync|touch base|"
    r"revisit)|"
    r"(?:checking|looking|running|reading|searching|opening|verifying|reviewing|working|thinking|loading|fetching|"
    r"processing|starting|continuing|moving|going|testing|trying|analy[sz]ing|investigating|scanning|inspecting|"
    r"digging|pulling|updating|waiting|one moment|getting|taking|typing|brb)\b"
)
_META = (
    r"here(?:'s| is| are) (?:the|a|an|what|my|your|some|how)|as you (?:can see|know|asked|requested)|as (?:an ai|"
    r"a language model)|hope (?:this|that) helps|i hope|feel free|"
    r"(?:please )?let (?:me|us) know|(?:do |would )?(?:you (?:want|like|need)|shall i|should i)|if you (?:want|need|"
    r"have|like|would|'d|prefer)|happy to help|is there anything|anything else|"
    r"can you|could you|would you|will you|please (?:help|tell|explain|show|give|check|look|review|summari[sz]e|read|"
    r"take|see|find|write|provide|share|send|make|let)|"
    r"i need (?:some )?help|i (?:want|need|would like|'d like) (?:you )?to (?:know|ask|understand|see|talk|discuss)|"
    r"help me|tell me|show me|explain|what do you think|"
    r"(?:the )?(?:following|above|below) (?:is|are|table|list|code|steps?|example)|to summari[sz]e|in summary|"
    r"in conclusion|let's (?:break|summari[sz]e)|step \d+|"
    r"(?:that|this|it) (?:should|will|would|might|may|could|looks?|seems?|sounds?|works?|makes?|helps?|depends?|"
    r"happens?|took|went|was (?:fun|great|nice|good|a)|is (?:a |an |the )?(?:good|great|nice|fun|interesting|"
    r"important|useful|common|helpful|because|why|how|what|where|when))\b"
)
_CJK_END = r"(?=$|[\s,，。.!！~～…、]|了|啊|吧|呢|哦|呀|的$|你)"
_CJK_CHATTER = (
    rf"(?:(?:好的|好吧|好|嗯+|谢谢|多谢|感谢|不客气|没问题|没关系|收到|明白|了解|知道了|懂了|可以|行|对|是的|当然|你好|您好|早上好|晚上好|再见|请稍等|稍等|抱歉|对不起|不好意思|太好了|不错|"
    rf"很好|"
    rf"はい|了解です|ありがとう|わかりました|承知|お願い|こんにちは|네|알겠습니다|감사|고마워|안녕){_CJK_END}[\s,，。.!！~～…、了啊吧呢哦呀你]*)+$|"
    rf"(?:(?:好的|好|嗯+|没问题|收到|明白了?|可以|行|对)[,，。!！\s]+)*"
    r"(?:让我|我来|我先|我去|我看|我会|我正在|我已经|接下来|首先|然后|现在我|正在|下面|以下|如下|希望|如果你|如果您|请问|请告诉|麻烦|辛苦|加油|哈哈|お待ち|確認します)"
)
_OTHER_CHATTER = (
    r"danke|bitte|hallo|guten (?:tag|morgen|abend)|alles klar|verstanden|super|genau|klar|merci|bonjour|d'accord|"
    r"gracias|hola|vale|de acuerdo|claro|entendido|grazie|ciao|obrigado|olá|"
    r"спасибо|привет|здравствуйте|хорошо|понял|понятно|ладно|да|нет|شكرا|مرحبا|حسنا"
)
_SHORT = re.compile(rf"(?:{_GREETING}|{_THANKS}|{_ACKNOWLEDGED}|{_OTHER_CHATTER})\b", re.IGNORECASE)
_ONLY = re.compile(
    rf"(?:(?:{_GREETING}|{_THANKS}|{_ACKNOWLEDGED}|{_OTHER_CHATTER})\b[\s,.!;:~…—–-]*)+(?:(?:there|all|everyone|team|"
    rf"folks|guys|again|so much|very much|a lot|for (?:the |your |that|this|all|now)[^,.]*|then|too|"
    r"to (?:me|know|hear)|with (?:me|that)|by me|on this|about that|on that|to hear that|indeed|enough|done|idea|"
    r"work|(?-i:[A-Z][a-z]+))\b[\s,.!;:~…]*)*$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    rf"(?:(?:ok(?:ay)?|sure|great|perfect|alright|good|right|yes|thanks|well|so|and|hmm+|"
    rf"now)\b[\s,.!;:—–-]+)*(?:{_PROGRESS}|{_META})",
    re.IGNORECASE,
)
_CJK_OPENING = re.compile(rf"(?:{_CJK_CHATTER})")
_GERUND_SUBJECT = re.compile(
    r"[A-Z]?[a-z]+ing (?:[\w-]+ ){0,4}(?:is|are|was|takes?|costs?|requires?|needs?|must|may|should|can|will)\b"
)
_FRUITLESS = re.compile(
    r"\b(?:tried|tested|attempted)\b.*\b(?:but|failed|not|n't|persisted|crashed|broke|no)\b", re.IGNORECASE
)
_THANKING = re.compile(rf"(?:{_GREETING}|{_THANKS})\b", re.IGNORECASE)
_CODE = re.compile(
    r"^\s*(?:(?:def|class|import|from|return|function|const|let|var|if|for|while|else|elif|try|except|public|private|"
    r"static|void|int|async|await|package|use|fn|struct|impl|#include|SELECT|INSERT|UPDATE|DELETE|"
    r"CREATE)\b.*[({;:=)]\s*$|"
    r"[}\])];?,?\s*$|[<{\[].*[>}\]]\s*$|\$ |>>> |File \".*\", line \d+|at [\w.$<>]+\(.*\)|Traceback \(|"
    r"[\w.]*(?:Error|Exception): |#!|//|/\*|\*/|--- |\+\+\+ |@@ |diff --git|[+-]{1,3}\s*[\w({])"
)
_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:\[)?(?:DEBUG|INFO|WARN|WARNING|ERROR|TRACE|FATAL|"
    r"CRITICAL)\b[\]: ]|[-drwx]{10}\s|"
    r"(?:PASS|PASSED|FAIL|FAILED|ok|OK|SKIP|npm|yarn|pip|remote:|From |To |Collecting|Downloading|Installing|"
    r"Compiling|Building|Resolving|Unpacking|Setting up|Receiving|Counting)\b(?: +[\w./:-]+)*\s*[.…(\d%]*$)"
)
_SYMBOLS = re.compile(r"[{}()\[\];=<>|&$\\^~#@]")
_QUESTION_END = ("?", "？", "؟", "吗", "呢")
_DIGITS = frozenset("0123456789")
_SIGNS = frozenset("`$€£¥%°_/@=")
_STRONG = frozenset(
    (
        "must never always only decided chose agreed settled switched replaced required deadline forbidden "
        "prohibited ruled limit budget owner moved changed prefer prefers allergic favourite favorite"
    ).split()
)
_DECISIVE = frozenset(
    (
        "is are was will use uses set chosen allowed due least most longer instead owns goal plan because therefore "
        "runs lives costs starts ends deploys depends not cannot has needs default"
    ).split()
)
_VAGUE = frozenset(
    "maybe perhaps might could something stuff thing things somehow kind sort bit probably guess quite really very "
    "interesting nice good great fun lovely weather coffee lunch weekend busy tired "
    "think feel hope seems looks sounds well much lot".split()
)
_SELF = frozenset("i i'm i've i'll it it's this that that's they he she there you".split())
_CJK_STRONG = ("必须", "不得", "决定", "禁止", "截止", "改为", "改成", "换成", "上限", "负责人")
_CJK_DECISIVE = ("是", "为", "在", "不能", "只能", "目标", "因为", "所以", "采用", "使用")
_PAIR = re.compile(r"^[\w .\-/]{2,40}\s*(?:[:=：]|->|→)\s*\S")
_NOT_WORD = re.compile(r"[^\W\d_]")


_NOISE = re.compile(
    r"^(?:\w*(?:Error|Exception|Warning): |\w+: (?:downloading|installing|building|fetching|extracting|finding|"
    r"warning|error|note)\b|[\w.-]+\.\w{1,5}$)"
)


def cause(text: str, kind: str = "prose") -> str | None:
    """Why `text` is no claim, or None when it may be one: `chatter`, `question`, `code`, `log`, `heading`, `long`."""
    length = len(text)
    if length > 600:
        return "long"
    if not _NOT_WORD.search(text):
        # A bare number may answer the question before it.
        return None if length <= 20 and any(c.isdigit() for c in text) else "chatter"
    if length < 3 and text.isascii():
        return "chatter"
    if text in SENTENCES:
        return "chatter"
    if kind == "heading" and ":" not in text and "=" not in text:
        return "heading"
    if text.endswith(_QUESTION_END):
        return "question"
    if text[-1] in ":：":
        return "heading"
    if text.startswith("You are ") and _PERSONA.match(text):
        return "chatter"
    if kind == "code":
        return None
    first = text[0]
    if (first in "{[<}>])$#/@+-*F" or "(" in text or text[-1] in ";{:,") and _CODE.match(text):
        return "code"
    if (first.isdigit() or first == "[" or text[:3].isupper()) and _LOG.match(text):
        return "log"
    if (": " in text[:40] and _NOISE.match(text)) or (" " not in text and "." in text and _NOISE.match(text)):
        return "log"
    if length > 40 and len(_SYMBOLS.findall(text)) * 6 > length:
        return "code"
    return _talk(text, length)


def _talk(text: str, length: int) -> str | None:
    if not text.isascii():
        if length < 30 and _CJK_OPENING.match(text):
            return "chatter"
    elif text[: text.find(" ")].rstrip(",.!;:…—").casefold() not in _FIRST and " " in text:
        return None
    if length < 90 and _SHORT.match(text) and _ONLY.match(text):
        return "chatter"
    told = _GERUND_SUBJECT.match(text) or _FRUITLESS.search(text) or " = " in text
    if not told and _OPENING.match(text):
        return "chatter"
    return "chatter" if length < 60 and _THANKING.match(text) else None


def _first_words(*patterns: str) -> frozenset[str]:
    """Words that a match of one of the patterns may begin with: every word in them, optional endings spelled out."""
    words: set[str] = set()
    for pattern in patterns:
        spelled = re.sub(r"\(\?[:!=]|[()?^$\\]|\bb\b", " ", pattern.replace("(?:s", " s"))
        for part in re.split(r"[^\w'’]+", pattern.replace("\\b", " ") + " " + spelled):
            words.update((part, part + "s", part[:-1]))
    return frozenset(words)


_FIRST = _first_words(_GREETING, _THANKS, _ACKNOWLEDGED, _OTHER_CHATTER, _PROGRESS, _META) | frozenset(
    (
        "analyzing analysing okay k ok hmmm hmmmm let's i'll i'm i've that's here's you're what's thanks thank "
        "summarize summarise"
    ).split()
)


FLOOR = 0.2
"""Salience below which a slot is small talk."""

_TALKED_TO = frozenset("i me my you your i'm i've i'll i'd you're you'd".split())
_NAME = re.compile(r"(?<=\S )(?!I\b)[A-Z]|[a-z][A-Z]|[A-Z]{2}")
_PERSONA = re.compile(r"You are (?:a|an|the|now) ")
"""What a system prompt tells a model to be."""
_NEVER_MIND = re.compile(r"never mind", re.IGNORECASE)


def salience(text: str) -> float:
    """How much a sentence is worth keeping, 0..1: concrete and decisive up, vague, self-centred and long down."""
    lower = text.lower()
    words = lower.replace(",", " ").replace(".", " ").replace(";", " ").split()
    found, characters = set(words), set(text)
    digits = not _DIGITS.isdisjoint(characters)
    concrete = digits or (lower[1:] != text[1:] and bool(_NAME.search(text)))
    score = 30 + 15 * digits + 10 * (not _SIGNS.isdisjoint(characters)) + 10 * concrete
    if not _STRONG.isdisjoint(found) and not ("mind" in found and _NEVER_MIND.search(text)):
        score += 20
    elif not _DECISIVE.isdisjoint(found):
        score += 10
    if not text.isascii():
        score += 20 if any(word in text for word in _CJK_STRONG) else 10 * any(word in text for word in _CJK_DECISIVE)
    if (":" in characters or "=" in characters or "：" in characters or ">" in characters) and _PAIR.match(text):
        score += 15
    if (words and words[0] in _SELF) or (not concrete and not _TALKED_TO.isdisjoint(found)):
        score -= 15
    if not concrete:
        score -= 8 * min(len(found & _VAGUE), 3)
    if len(text) > 240:
        score -= 20
    elif len(text) < 15 and text.isascii():
        score -= 5
    return min(100, max(0, score)) / 100
