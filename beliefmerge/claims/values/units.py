"""Units of measure: what each spelling is in its dimension's base unit, and currencies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: `dimension` says what it can be compared with, `base` how its base unit is written."""

    dimension: str
    base: str
    factor: Fraction
    offset: Fraction = Fraction(0)
    """Added after the factor: only temperatures have one."""


def _units(dimension: str, base: str, table: dict[str, str | int | Fraction]) -> dict[str, Unit]:
    out = {}
    for factor, names in ((f, n) for n, f in table.items()):
        for name in names.split():
            out[name.replace("_", " ")] = Unit(dimension, base, Fraction(factor))
    return out


_DECIMAL = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def _data() -> dict[str, Unit]:
    out = _units("data", "B", {"byte bytes 字节": 1}) | _units("data", "B", {"bit bits": Fraction(1, 8)})
    names = {"k": "kilo", "m": "mega", "g": "giga", "t": "tera"}
    for power, (letter, factor) in enumerate(_DECIMAL.items(), 1):
        binary = 1024**power
        for spelling in (f"{letter}b", f"{names[letter]}byte", f"{names[letter]}bytes"):
            out[spelling] = Unit("data", "B", Fraction(factor))
            out[f"{spelling}/s"] = Unit("data rate", "B/s", Fraction(factor))
        for spelling in (f"{letter}ib", f"{names[letter][:2]}bibyte", f"{names[letter][:2]}bibytes"):
            out[spelling] = Unit("data", "B", Fraction(binary))
        for spelling in (f"{letter}bps", f"{letter}bit/s", f"{letter}bit"):
            out[spelling] = Unit("data rate", "B/s", Fraction(factor, 8))
    return out


FOLDED: dict[str, Unit] = {
    **_units(
        "duration",
        "s",
        {
            "s sec secs second seconds 秒 秒钟 sekunde sekunden seconde secondes segundo segundos секунд секунды 초": 1,
            "ms msec msecs millisecond milliseconds 毫秒": Fraction(1, 1000),
            "us µs μs microsecond microseconds 微秒": Fraction(1, 10**6),
            "ns nanosecond nanoseconds 纳秒": Fraction(1, 10**9),
            "min mins minute minutes 分钟 分 minuten minuto minutos минут минуты 분": 60,
            "h hr hrs hour hours 小时 个小时 钟头 stunde stunden heure heures hora horas": 3600,
            "час часа часов 時間 시간": 3600,
            "d day days 天 日 tag tage tagen jour jours día días dia dias день дня дней 日間": 86400,
            "w wk wks week weeks 周 个星期 星期 woche wochen semaine semaines semana semanas": 604800,
            "неделя недели недель": 604800,
            "fortnight fortnights": 1209600,
        },
    ),
    **_units(
        "duration",
        "month",
        {
            "month months mo 个月 monat monate monaten mois mes meses месяц месяца месяцев か月 ヶ月 개월": 1,
            "year years yr yrs 年 jahr jahre jahren an ans año años год года лет": 12,
            "quarter quarters 季度": 3,
            "decade decades": 120,
        },
    ),
    **_units("percent", "%", {"% percent pct per_cent prozent 个百分点": 1}),
    **_units(
        "length",
        "m",
        {
            "m metre metres meter meters 米 公尺": 1,
            "km kilometre kilometres kilometer kilometers 公里 千米": 1000,
            "cm centimetre centimetres centimeter centimeters 厘米": Fraction(1, 100),
            "mm millimetre millimetres millimeter millimeters 毫米": Fraction(1, 1000),
            "mi mile miles 英里": Fraction("1609.344"),
            "ft foot feet": Fraction("0.3048"),
            "inch inches": Fraction("0.0254"),
            "yd yard yards": Fraction("0.9144"),
        },
    ),
    **_units(
        "mass",
        "g",
        {
            "g gram grams gramme grammes 克 gramm": 1,
            "kg kilo kilos kilogram kilograms 公斤 千克": 1000,
            "mg milligram milligrams 毫克": Fraction(1, 1000),
            "mcg µg μg microgram micrograms 微克": Fraction(1, 10**6),
            "tonne tonnes ton tons 吨": 10**6,
            "lb lbs pound pounds": Fraction("453.59237"),
            "oz ounce ounces": Fraction("28.349523125"),
        },
    ),
    **_units(
        "volume",
        "ml",
        {
            "ml millilitre millilitres milliliter milliliters 毫升": 1,
            "cl centilitre centilitres": 10,
            "dl decilitre decilitres": 100,
            "l litre litres liter liters 升": 1000,
        },
    ),
    **_units("energy", "J", {"j joule joules": 1, "kj": 1000, "cal": Fraction("4.184"), "kcal": 4184, "kwh": 3600000}),
    **_units("power", "W", {"w watt watts 瓦": 1, "kw kilowatt kilowatts 千瓦": 1000, "mw": 10**6, "gw": 10**9}),
    **_units("frequency", "Hz", {"hz hertz 赫兹": 1, "khz": 1000, "mhz": 10**6, "ghz": 10**9}),
    **_units("speed", "km/h", {"km/h kmh kph": 1, "mph": Fraction("1.609344"), "m/s": Fraction("3.6")}),
    **_units("rate", "/s", {"rps qps req/s requests/s hits/s ops/s requests_per_second": 1, "rpm": Fraction(1, 60)}),
    **_units("voltage", "V", {"v volt volts 伏": 1, "mv": Fraction(1, 1000), "kv": 1000}),
    **_units("pixels", "px", {"px pixel pixels 像素": 1}),
    **_data(),
}
"""Units by spelling in lower case. After a space "m" is metres; without one ("5m") it is minutes, see `ATTACHED`."""

CELSIUS = Unit("temperature", "°C", Fraction(1))
FAHRENHEIT = Unit("temperature", "°C", Fraction(5, 9), Fraction(-160, 9))
_TEMPERATURES = {
    **dict.fromkeys(("°c", "℃", "celsius", "degrees celsius", "degree celsius", "degrees c", "° c", "摄氏度"), CELSIUS),
    **dict.fromkeys(
        ("°f", "℉", "fahrenheit", "degrees fahrenheit", "degree fahrenheit", "degrees f", "° f"), FAHRENHEIT
    ),
    **dict.fromkeys(("°", "degrees", "degree", "度", "grad"), Unit("degrees", "°", Fraction(1))),
}
FOLDED |= _TEMPERATURES

CASED: dict[str, Unit] = {
    "B": Unit("data", "B", Fraction(1)),
    "Mb": Unit("data", "B", Fraction(10**6, 8)),
    "Kb": Unit("data", "B", Fraction(10**3, 8)),
    "Gb": Unit("data", "B", Fraction(10**9, 8)),
    "Tb": Unit("data", "B", Fraction(10**12, 8)),
    **{
        f"{letter}b/s": Unit("data rate", "B/s", Fraction(_DECIMAL[letter.lower()], 8))
        for letter in ("K", "M", "G", "T")
    },
    "MW": Unit("power", "W", Fraction(10**6)),
    "mW": Unit("power", "W", Fraction(1, 1000)),
    "mV": Unit("voltage", "V", Fraction(1, 1000)),
    "MV": Unit("voltage", "V", Fraction(10**6)),
}
"""Spellings whose case matters; looked up before `FOLDED`."""

ATTACHED: dict[str, Unit] = {
    "m": Unit("duration", "s", Fraction(60)),
    "y": Unit("duration", "month", Fraction(12)),
}
"""Units that mean something else when written right after the digits ("5m" is five minutes)."""

CURRENCIES: dict[str, str] = {
    spelling: code
    for code, spellings in {
        "USD": "$ usd us$ dollar dollars buck bucks 美元 美金",
        "EUR": "€ eur euro euros 欧元",
        "GBP": "£ gbp sterling 英镑",
        "CNY": "cny rmb yuan 元 块 块钱 人民币",
        "JPY": "jpy yen 日元 円",
        "¥": "¥ ￥",
        "CHF": "chf franken francs",
        "INR": "₹ inr rupee rupees",
        "KRW": "₩ krw won 원",
        "RUB": "₽ rub rubles roubles рублей",
        "SEK": "sek kronor",
        "BTC": "btc bitcoin bitcoins",
        "CAD": "cad c$",
        "AUD": "aud a$",
    }.items()
    for spelling in spellings.split()
}
"""Currency code by sign, code or name in lower case."""


def unit(spelling: str, *, attached: bool = False) -> Unit | None:
    """The unit that `spelling` means; `attached` when nothing stands between it and its digits."""
    if attached and spelling in ATTACHED:
        return ATTACHED[spelling]
    folded = " ".join(spelling.casefold().split()).rstrip(".")
    return CASED.get(spelling) or FOLDED.get(folded)


def currency(spelling: str) -> str | None:
    """The code of the currency that `spelling` means."""
    return CURRENCIES.get(spelling.casefold())
