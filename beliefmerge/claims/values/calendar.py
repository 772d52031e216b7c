"""Dates, weekdays, months, clock times and frequencies, in the spellings of several languages, as canonical text."""

from __future__ import annotations

import re

from beliefmerge.claims.values import numerals

_WEEKDAYS = (
    "monday mon montag lundi lunes понедельник 星期一 周一 礼拜一 月曜日 월요일 الاثنين",
    "tuesday tue tues dienstag mardi martes вторник 星期二 周二 礼拜二 火曜日 화요일 الثلاثاء",
    "wednesday wed mittwoch mercredi miércoles среда среду 星期三 周三 礼拜三 水曜日 수요일 الأربعاء",
    "thursday thu thur thurs donnerstag jeudi jueves четверг 星期四 周四 礼拜四 木曜日 목요일 الخميس",
    "friday fri freitag vendredi viernes пятница пятницу 星期五 周五 礼拜五 金曜日 금요일 الجمعة",
    "saturday sat samstag sonnabend samedi sábado суббота субботу 星期六 周六 礼拜六 土曜日 토요일 السبت",
    "sunday sun sonntag dimanche domingo воскресенье 星期日 星期天 周日 周天 礼拜天 日曜日 일요일 الأحد",
)
_MONTHS = (
    "january jan januar janvier enero январь января",
    "february feb februar février febrero февраль февраля",
    "march mar märz mars marzo март марта",
    "april apr avril abril апрель апреля",
    "may mai mayo май мая",
    "june jun juni juin junio июнь июня",
    "july jul juli juillet julio июль июля",
    "august aug août agosto август августа",
    "september sep sept septembre septiembre сентябрь сентября",
    "october oct oktober octobre octubre октябрь октября",
    "november nov novembre noviembre ноябрь ноября",
    "december dec dezember décembre diciembre декабрь декабря",
)
FREQUENCIES = {
    "hourly": "hourly",
    "every hour": "hourly",
    "once an hour": "hourly",
    "每小时": "hourly",
    "daily": "daily",
    "every day": "daily",
    "each day": "daily",
    "once a day": "daily",
    "每天": "daily",
    "每日": "daily",
    "nightly": "nightly",
    "every night": "nightly",
    "每晚": "nightly",
    "weekly": "weekly",
    "every week": "weekly",
    "once a week": "weekly",
    "每周": "weekly",
    "biweekly": "biweekly",
    "fortnightly": "biweekly",
    "every two weeks": "biweekly",
    "monthly": "monthly",
    "every month": "monthly",
    "once a month": "monthly",
    "每月": "monthly",
    "quarterly": "quarterly",
    "every quarter": "quarterly",
    "yearly": "yearly",
    "annually": "yearly",
    "every year": "yearly",
    "once a year": "yearly",
    "每年": "yearly",
}

WEEKDAY = {name: names.split()[0] for names in _WEEKDAYS for name in names.split()}
"""English weekday by every spelling, lower case."""
MONTH = {name: i for i, names in enumerate(_MONTHS, 1) for name in names.split()}
"""1..12 by every spelling of a month, lower case."""
_MONTH_NAMES = [names.split()[0] for names in _MONTHS]
AMBIGUOUS = frozenset({"sat", "sun", "wed", "may", "mar", "mai", "march", "mars"})
"""Names that are ordinary words too: they count as a day or month only when capitalised or beside a number."""

_MONTH_RE = "|".join(sorted((re.escape(m) for m in MONTH), key=len, reverse=True))
_NUMBER = r"(\d{1,2})(?:st|nd|rd|th|\.)?"
_ISO = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_DMY = re.compile(rf"(?:the )?{_NUMBER}(?: of)? (?:de )?({_MONTH_RE})\.?(?:,? (?:de )?(\d{{4}}))?")
_MDY = re.compile(rf"({_MONTH_RE})\.? (?:the )?{_NUMBER}(?:,? (\d{{4}}))?")
_NTH = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)(?: of (?:the|each|every) month)?")
_MY = re.compile(rf"({_MONTH_RE})\.?,? (?:of )?(\d{{4}})")
_CJK_DATE = re.compile(
    rf"(?:(\d{{4}})年)?([\d{numerals.CJK_NUMERAL}]{{1,3}})月(?:([\d{numerals.CJK_NUMERAL}]{{1,3}})[日号])?"
)
_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.h](\d{2}))?(?::(\d{2}))? ?(a\.?m\.?|p\.?m\.?|o'clock|uhr|h)?(?: (utc|gmt|cet|cest|est|pst|pt|et))?"
)
_CJK_CLOCK = re.compile(
    rf"(凌晨|早上|上午|中午|下午|晚上|午後|午前|오전 ?|오후 ?)?([\d{numerals.CJK_NUMERAL}]{{1,3}})[点點时時시](?:(半)|"
    rf"([\d{numerals.CJK_NUMERAL}]{{1,3}})分?)?"
)
_DAY = r"(?P<day>(?:[下本这])?(?:周|星期|礼拜)[一二三四五六日天]|\d{4}-\d\d-\d\d|.*?[月/-].*?[日号]|[^\d\W]+\.?)"
_DATE = r"(?P<day>.*?[^\W\d].*?\d(?:st|nd|rd|th)?(?:,? \d{4})?|\d.*?[^\W\d]+(?:,? \d{4})?)"
_AT = (
    r"(?:,? (?:at|um|à|a las|alle|в) |, | )?(?P<time>(?:凌晨|早上|上午|中午|下午|晚上|\d|noon|midnight|"
    r"[零一二两三四五六七八九十]).*)"
)
_DAY_TIMES = (re.compile(_DAY + _AT), re.compile(_DATE + _AT))
_BETWEEN = re.compile(r" ?(?:-|–|—|~|到|至| to | till | until | bis ) ?")
_PM = ("下午", "晚上", "午後", "오후")
_EVERY = re.compile(r"(?:every|each) (\w+)")


def read(text: str, *, capital: bool = False) -> tuple[str, str] | None:
    """Canonical text and kind (`date`, `weekday`, `month`, `time`, `frequency`) of `text`, or None.

    `text` is lower case, half width. `capital` says that it began with a capital, which an ambiguous name ("may",
    "sat") needs to count. 5 March 2024 is ``2024-03-05``, without a year ``--03-05``; 3 pm is ``15:00``.
    """
    frequency = FREQUENCIES.get(text)
    if frequency:
        return frequency, "frequency"
    return _weekday(text, capital) or _date(text, capital) or _time(text) or _moment(text) or _hours(text)


def _hours(text: str) -> tuple[str, str] | None:
    """From one time to another: "9:00-17:00", 九点到五点."""
    first, sep, last = re.sub(_BETWEEN, "\x1f", text.removeprefix("from "), count=1).partition("\x1f")
    ends = (_time(first), _time(last)) if sep else (None, None)
    return (f"{ends[0][0]}-{ends[1][0]}", "time") if ends[0] and ends[1] else None


def _moment(text: str) -> tuple[str, str] | None:
    """A day with a time: "Tuesday at 10 am", 周三下午三点."""
    for pattern in _DAY_TIMES:
        match = pattern.fullmatch(text)
        day = (_weekday(match["day"], True) or _date(match["day"], True)) if match else None
        time = _time(match["time"]) if match and day else None
        if day and time:
            return f"{day[0]} {time[0]}", day[1]
    return None


def _weekday(text: str, capital: bool) -> tuple[str, str] | None:
    text = text.removeprefix("next ").removeprefix("this ").removeprefix("每").removeprefix("本").removeprefix("下")
    name = text if text in WEEKDAY else text.removesuffix("s").rstrip(".")
    if name in WEEKDAY and (capital or name not in AMBIGUOUS):
        return WEEKDAY[name], "weekday"
    every = _EVERY.fullmatch(text)
    if every and every[1] in WEEKDAY:
        return WEEKDAY[every[1]], "weekday"
    return None


def _date(text: str, capital: bool) -> tuple[str, str] | None:
    # A weekday beside a date adds nothing that tells dates apart.
    head, _, rest = text.partition(", ")
    if rest and head in WEEKDAY:
        text = rest
    if text in MONTH and (capital or text not in AMBIGUOUS):
        return _MONTH_NAMES[MONTH[text] - 1], "month"
    if match := _ISO.fullmatch(text):
        return _day(match[1], int(match[2]), int(match[3]))
    if match := _DMY.fullmatch(text):
        return _day(match[3], MONTH[match[2]], int(match[1]))
    if match := _MDY.fullmatch(text):
        return _day(match[3], MONTH[match[1]], int(match[2]))
    if (match := _NTH.fullmatch(text)) and 1 <= int(match[1]) <= 31:
        return f"---{int(match[1]):02d}", "date"
    if match := _MY.fullmatch(text):
        return f"{match[2]}-{MONTH[match[1]]:02d}", "month"
    if match := _CJK_DATE.fullmatch(text):
        month, day = numerals.cjk(match[2]), numerals.cjk(match[3]) if match[3] else None
        if month is not None and match[3] is None and 1 <= month <= 12:
            return _MONTH_NAMES[int(month) - 1], "month"
        if month is not None and day is not None:
            return _day(match[1], int(month), int(day))
    return None


def _day(year: str | None, month: int, day: int) -> tuple[str, str] | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return f"{year or '-'}-{month:02d}-{day:02d}", "date"


def _time(text: str) -> tuple[str, str] | None:
    if text in ("noon", "midday", "中午"):
        return "12:00", "time"
    if text in ("midnight", "午夜"):
        return "00:00", "time"
    if match := _CLOCK.fullmatch(text):
        hour, minute, second, half, zone = match.groups()
        if minute is None and half is None:
            return None
        if "." in text.split(" ")[0] and half is None:
            return None
        return _clock(int(hour), int(minute or 0), second, (half or "").replace(".", ""), zone)
    if match := _CJK_CLOCK.fullmatch(text):
        period, hour_text, half_past, minute_text = match.groups()
        hour_number = numerals.cjk(hour_text)
        minutes = numerals.cjk(minute_text) if minute_text else 0
        if hour_number is None or minutes is None:
            return None
        late = (period or "").strip() in _PM
        return _clock(int(hour_number), 30 if half_past else int(minutes), None, "pm" if late else "", None)
    return None


def _clock(hour: int, minute: int, second: str | None, half: str, zone: str | None) -> tuple[str, str] | None:
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    if hour > 24 or minute > 59:
        return None
    return f"{hour:02d}:{minute:02d}" + (f":{second}" if second else "") + (f" {zone}" if zone else ""), "time"
