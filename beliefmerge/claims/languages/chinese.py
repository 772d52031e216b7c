"""Chinese frames: 是/为/在/：, 改为, 换成, 用…作为, 不/没/不能, 因为…所以."""

from __future__ import annotations

import re
from dataclasses import replace

from beliefmerge.claims.clauses.reasons import argument, opening
from beliefmerge.claims.frames import explicit
from beliefmerge.claims.languages.chinese_denials import Ruled, ruled_out
from beliefmerge.claims.reading import Clause, Frame, Parsed, Reading, is_weak, name_reading, turned
from beliefmerge.claims.values.normalise import UNTYPED, plain, read
from beliefmerge.claims.values.units import CURRENCIES, FOLDED
from beliefmerge.claims.words.keys import canonical

_LEAD = re.compile(
    r"^(?:好的|好|嗯|不对|不是|不|对|没错|是的|另外|此外|还有|而且|但是?|不过|其实|实际上|注意|请注意|补充一下|补充|更新|更正|纠正|确认|已确认|经确认|提醒|提醒一下|顺便说一下|顺便|总之|综上|"
    r"目前|现在|当前|如今|今后|以后|从现在开始|从今以后|最终|最后|首先|其次|然后|接着|结论是?|决定|事实上|据我所知|按计划|如前所述|对了|记住|请记住|备注|说明|明确一下)[,，:：、!！\s]+|"
    r"^(?:根据|按照|依据|据|参照)[^,，]{1,20}[,，]\s*|"
    r"^(?:我|我们|大家)(?:觉得|认为|确认|发现|查了一下|查过|看到|知道|记得|同意|一致同意|商定)(?:了)?[,，]?\s*|^(?:文档|配置|日志|老板|客户|经理|同事|医生|老师|"
    r"[\u4e00-\u9fff]{2,3})(?:里|中|上)?(?:说|写着|写的是|显示|表示|提到|告诉我)[,，:：]?\s*"
)
_PRONOUN = re.compile(r"^(?:它|他|她|这|那|这个|那个|这里|那里|他们|她们|它们|其|此|谁|什么|大家)$")
_SUBJECT_NOISE = re.compile(
    r"^(?:那么|那|所以|于是|就|而|并且|且|同时|我们的?|咱们的?|我的|您的|你的|目前的?|当前的?|现在的?|新的|这次的?|本次的?|该|这个)+|(?:现在|目前|当前|都|也|就|则|应该|应当|应|"
    r"必须|将会?|会|已经|已|仍然|仍|一直|总是|最终|最后|的话|的值|默认)+$"
)
_PARTICLE = re.compile(r"(?:了|的|吧|啊|呢|哦|啦|呀|左右)+$")
_END = re.compile(r"[。！；;!.\s]+$")
_ADDITIVE = re.compile(r"(?:也|还|同时|以及|另外还|都)(?=用|使用|支持|采用|包括|包含|有|需要|喜欢|会)")
_PARTITIVE = re.compile(r"之一|其中(?:一|有)|另一|部分(?=[\u4e00-\u9fff]{1,8}(?:来自|由|是))|包括")
_HEDGE = re.compile(r"也许|或许|可能|说不定|如果我们|假设|比如|例如|考虑(?:使用|改用|换)|要不要|不确定")
_CONDITION = re.compile(
    r"^(?P<cond>(?:如果|若|当|假如|只要|一旦|在|对于|关于)[^,，]{2,20}(?:时|的话|情况下|环境中?|中|里|下|上|期间|之前|之后|以后)?)[,，]\s*(?:则|就|那么|"
    r"那)?(?P<rest>.{3,})$"
)

_IS = re.compile(
    r"(?<![但还可于只总就凡要若倒正也不都算或])(?:是)(?!否|不是)|(?<![因认成作行以人变改称视])(?:为)(?!了|什么|何|止|主|例|此|难)|等于|叫做|名为|名叫"
)
_VERB_CHANGE = (
    r"(?:改|换|切换|迁移|调整|变更|更新|升级|降级|提高|提升|降低|降|升|增加|减少|缩短|延长|推迟|延期|提前|移|搬|转|"
    r"变|修改|重命名|更改|增|减)"
)
_TO = r"(?:为|成|到|至|去|用)"
_FROM_TO = re.compile(
    rf"^(?:我们|团队|公司|我)?(?:已经|已|决定|最终|最后|打算)?(?:把|将)?(?P<key>.{{0,20}}?)(?:已经|已|被)?(?:从|"
    rf"由)(?P<old>.{{1,20}}?){_VERB_CHANGE}{_TO}了?(?P<new>.{{1,30}})$"
)
_SET = re.compile(
    rf"^(?:我们|团队|公司|我|请)?(?:已经|已|决定|最终|最后|打算)?(?:把|将)(?P<key>.{{1,20}}?)(?:{_VERB_CHANGE}|设置?|设定|定|配置)(?:为|成|到|至|"
    rf"在)了?(?P<new>.{{1,30}})$"
)
_BECAME = re.compile(
    rf"^(?P<key>.{{1,20}}?)(?:已经|已|被|现在|最后|最终|又)*(?:{_VERB_CHANGE}{_TO}|设置?为|设置?成|设定为|定为|定在|定于|安排在|"
    rf"配置为)了?(?P<new>.{{1,30}})$"
)
_MOVED = re.compile(
    rf"^(?:我们|团队|公司|我)?(?:已经|已|都|现在|决定|最终|最后)*(?:{_VERB_CHANGE}(?:为|成|到|至|用)|改用|换用)了?(?P<new>.{{1,20}})$"
)
_INSTEAD = re.compile(
    r"^(?:我们|团队|公司)?(?:已经|已|决定|最终)?用(?P<new>.{1,20}?)(?:替换|取代|代替|替代)了?(?P<old>.{1,20}?)(?:作为(?P<key>.{1,15}))?$"
)
_REPLACES = re.compile(
    r"^(?P<new>.{1,20}?)(?:已经|已)?(?:替换|取代|代替|替代|接替)了?(?P<old>.{1,20}?)(?:(?:作为|成为|担任)(?P<key>.{1,15}))?$"
)
_LEFT = re.compile(
    r"^(?:我们|团队|公司|我)?(?:已经|已|决定|都)*(?:不再(?:使用|用|采用)|放弃了?|弃用了?|停用了?|停止使用|淘汰了?)(?P<old>.{1,20})$"
)
_RULED_OUT = re.compile(
    r"^(?:我们|团队)?(?:已经|已)?(?:排除了?|否决了?|拒绝了?)(?:使用|用)?(?P<a>.{1,20})$|^(?P<b>.{1,20}?)(?:行不通|不可行|走不通|被排除了?|被否决了?|"
    r"不奏效)(?:[,，].*)?$|"
    r"^(?:我们|我)?(?:试过|尝试过|尝试了|试了)(?:用|使用)?(?P<c>.{1,20}?)[,，]?(?:但是?|结果|可是|然而|不过)?.{0,12}?(?:失败|不行|没用|没有用|无效|没有效果|崩溃|"
    r"没成功)了?.*$"
)
_OF_CLAUSE = re.compile("的(?:说法|想法|计划|方案|可能|提议|建议)$")
_CHOOSE = r"决定(?:使?用|采用|选用|选择)|选择了?|选用了?|选定了?|选了|采用了?|使用了?|改用了?|用的是|用了?"
_ROLE = re.compile(
    rf"^(?:我们|团队|公司|项目|系统|大家|我)?(?:都|现在|目前|将|会|已经|最终|最后|统一)*(?:{_CHOOSE}|以)(?P<new>.{{1,20}}?)(?:来?(?:作为|当作|做|当|作)|"
    rf"为)(?P<key>.{{1,15}})$"
)
_USES = re.compile(
    rf"^(?P<key>.{{1,15}}?)(?:我们)?(?:都|现在|目前|将|会|已经|最终|最后|统一|只)*(?:{_CHOOSE})(?P<new>.{{1,20}})$"
)
_SERVES = re.compile(r"^(?P<new>.{1,15}?)(?:被)?(?:任命为|选为|担任|负责担任|当选为?|成为|作为)(?P<key>.{1,15})$")
_BY = re.compile(
    r"^(?P<key>.{1,15}?)由(?P<new>.{1,12}?)(?:来)?(?P<verb>负责|承担|管理|主持|维护|支付|提供|开发|批准|审核|担任|决定)$"
)
_AT = re.compile(
    r"^(?P<subject>.{1,20}?)(?P<at>(?:位于|坐落于|设在|放在|部署在|运行在|跑在|住在|存放在|存储在|保存在|托管在|建在|安排在|定在|(?<![现存正实所潜内外])在(?!线|于|内|"
    r"意|乎|用|做)|于(?!是)))(?P<value>.{1,24}?)(?P<verb>举行|进行|召开|发布|部署|开始|结束|上线|运行|办公|开会|见面|出发|到达|起飞|开门|关门|营业|截止)?$"
)
_THERE_ARE = re.compile(
    r"^(?P<subject>.{0,15}?)(?:共|一共|总共|现在|"
    r"目前)?有(?P<number>[\d零一二两三四五六七八九十百千万]+)(?P<measure>[个台名位条只件份间家种次张本辆块颗]?)(?P<noun>[\u4e00-\u9fffA-Za-z]{1,10})$"
)
_NOT_BUT = re.compile(r"^(?P<head>.*?)不是(?P<old>[^,，]{1,20}?)[,，]?\s*而是(?P<new>.+)$")
_BUT_NOT = re.compile(
    r"^(?P<main>.+?)[,，]?\s*(?:而不是|并非|而非|[,，]不是|[,，]不在|[,，]不再是|不再是|[,，]不用)(?P<old>[^,，]{1,20})$"
)
_NOT_USED = re.compile(r"(?<![,，])不用(?= ?[A-Za-z0-9])")
"""Before a name it is "do not use"; before a verb, "need not"."""
_USE = re.compile("(?<![不费作信])用|选|采用")
_FIXED = (
    "不仅|不但|不过|不管|不论|不错|不好意思|不客气|没问题|没关系|不一定|不得不|差不多|不久|不同|无论|无关|不用谢|"
    "毫无疑问|要不|是不是|能不能|有没有|会不会|可不可以|对不起|不如|不足|不少|不断|不超过|不低于|不高于|不大于|"
    "不小于|不晚于|不早于|不止|不只|不光|别忘了?|不要忘记?|非常|除非|特别|区别|分别|别人|别的|级别|类别|性别|个别|"
    "未来|未必|没事"
)
_KEPT = {
    "不能够": "可以", "不能": "可以", "不可以": "可以", "不可": "可以", "不得": "可以", "不准": "可以",
    "不许": "可以", "不允许": "可以", "禁止": "可以", "无法": "可以", "严禁": "可以", "不应该": "应该",
    "不应": "应该", "不需要": "必须", "不用": "必须", "不必": "必须", "无需": "必须", "不会": "会", "不要": "",
    "请勿": "", "不再": "", "不是": "是", "并不是": "是", "并非": "是", "并不": "", "并没有": "有",
    "没有": "有", "尚未": "", "还没有": "", "还没": "", "并未": "", "没": "",
    "未": "", "不": "",
}  # fmt: skip
_NEGATION = re.compile(f"{_FIXED}|(?P<neg>" + "|".join(sorted(_KEPT, key=len, reverse=True)) + ")")
_DONE = (
    "完成|开始|通过|批准|合并|发布|部署|上线|修复|解决|更新|启用|测试|支持|实现|收到|包含|包括|生效|启动|结束|同意|"
    "付款|支付|提交|迁移|安装|配置|使用"
)
_MODAL = re.compile(r"可以|能够|(?<![功性可智效职技])能(?![力量源耗])|必须|应该|应当|需要|务必|允许|一定要|得(?=先)")
_ASPECT = re.compile(r"了|已经|已|尚|还|都|现在|目前|的|地|过|仍然|仍|就|也|正在|我们|请")
_TENSE = re.compile(r"已经|已|尚|还(?!原|款|是)|正在|现在|目前|仍然|了$")
_PERMISSION = re.compile(r"能够|允许|准许|(?<![可功性智效])能(?![力量源耗够])|(?<!许)可(?!以|能|靠|用)")
_OBLIGATION = re.compile(r"需要|务必|一定要|应当|应该")
_NUMERAL = r"(?:\d[\d,]*(?:\.\d+)?[万亿]?|[零〇一二两三四五六七八九十百千万亿半]+)"
_UNITS = "|".join(
    sorted((re.escape(u) for u in (*FOLDED, *CURRENCIES) if not u.isascii() or len(u) > 1), key=len, reverse=True)
)
_TYPED = re.compile(
    rf"(?:至少|最多|不超过|不少于|约|大约)?(?:百分之{_NUMERAL}|(?:\d{{4}}年)?{_NUMERAL}月(?:{_NUMERAL}[日号])?|"
    rf"(?:(?:下|本|这|每)?(?:周|星期|礼拜)[一二三四五六日天])?(?:凌晨|早上|上午|中午|下午|晚上)?{_NUMERAL}(?:点|时(?!间))(?:半|{_NUMERAL}分?)?|"
    rf"(?:下|本|这|每)?(?:周|星期|礼拜)[一二三四五六日天]|{_NUMERAL}(?:{_UNITS}|[A-Za-z%]+|[个台名位人次条件份间家种张块颗][\u4e00-\u9fff]{{0,3}}))",
    re.IGNORECASE,
)


def parse(text: str) -> Parsed:
    """Clauses of a Chinese sentence."""
    text = _stripped(text)
    cut = opening(text)
    text = text[cut:]
    if refuted := _refuted(text):
        return Parsed((refuted,))
    reason = argument(text)
    if reason is None:
        return Parsed(tuple(_clause(part) for part in _coordinated(text)), cut > 0)
    premises = [_clause(part) for part in _coordinated(_stripped(reason.premise))]
    conclusions = [_clause(part) for part in _coordinated(_stripped(reason.conclusion))]
    usable = tuple(
        i for i, p in enumerate(premises) if any(r.frame is not Frame.STATEMENT and r.fold for r in p.readings)
    )
    return Parsed((*premises, *(replace(c, premises=usable) for c in conclusions)), cut > 0)


def _stripped(text: str) -> str:
    text = _END.sub("", " ".join(text.replace("**", "").replace("`", "").split()))
    text = _NOT_USED.sub("不使用", text)
    for _ in range(3):
        match = _LEAD.match(text)
        if match is None or len(text) - match.end() < 3:
            break
        text = text[match.end() :]
    # Spaces between scripts carry nothing: "超时是 60 秒".
    return re.sub(r"(?<=[\u3400-\u9fff]) (?=\S)|(?<=\S) (?=[\u3400-\u9fff])", "", text)


def _coordinated(text: str) -> list[str]:
    """Facts joined by commas, when each has a subject and a copula or change of its own."""
    parts = re.split(r"[,，;；]\s*", text)
    if len(parts) < 2 or _NOT_BUT.match(text) or _BUT_NOT.match(text) or _CONDITION.match(text):
        return [text]
    parts = [re.sub(r"^(?:而且|但是?|并且|同时|而|且)", "", part) for part in parts]
    return parts if all(_complete(part) for part in parts) else [text]


def _complete(part: str) -> bool:
    match = _IS.search(part) or _AT.match(part) or _USES.match(part) or _BECAME.match(part)
    return match is not None and not part.startswith(("是", "在", "为", "不是"))


def _refuted(text: str) -> Clause | None:
    """The sentence as one that rules a thing out, or denies a clause as a whole."""
    reason = argument(text)
    conclusion = reason.conclusion if reason else text
    match = _RULED_OUT.match(conclusion)
    found = Ruled(thing=match["a"] or match["b"] or match["c"]) if match else None
    found = ruled_out(text, conclusion) if found is None or _OF_CLAUSE.search(found.thing) else found
    if found is None:
        return None
    if found.clause:
        clause = _clause(_stripped(found.clause))
        readings = tuple(map(turned, clause.readings[:1]))
        return replace(clause, readings=readings, negated=not clause.negated, ruled_out=True)
    thing, topic = _value(plain(found.thing)), _subject(found.topic)
    if not thing or _PRONOUN.match(thing):
        return None
    if topic:
        return Clause((name_reading(topic, thing, Frame.REFUTED, denied=True),), text, True, ruled_out=True)
    return Clause((Reading("", "", "", Frame.REFUTED, denied=True, old=thing),), text, True, ruled_out=True)


def _clause(text: str) -> Clause:
    additive, denied = bool(_ADDITIVE.search(text) or _PARTITIVE.search(text)), []
    text = _ADDITIVE.sub("", text)
    condition = ""
    if match := _CONDITION.match(text):
        condition, text = match["cond"], match["rest"]
    if _HEDGE.search(text):
        return Clause((_statement(text, False),), text, language="zh")
    if match := _NOT_BUT.match(text):
        denied, text = [match["old"]], f"{match['head']}是{match['new']}"
    elif (match := _BUT_NOT.match(text)) and (
        _IS.search(match["main"]) or _AT.match(match["main"]) or _USE.search(match["main"])
    ):
        denied, text = [match["old"]], match["main"]
    readings = _written(text)
    negated = False
    if not readings:
        text, negated = positive(text)
        readings = _frames(text, negated)
    if condition:
        readings = [_under(condition, r) for r in readings]
    if additive:
        readings = [r.but(multi=True) if r.frame is not Frame.PROPERTY else r for r in readings]
    if denied and readings and readings[0].frame is not Frame.PROPERTY:
        readings += [readings[0].but(value=_value(old), denied=not readings[0].denied, role=None) for old in denied]
    found = tuple(readings)
    text = _TENSE.sub("", text)
    weak = is_weak(found) or (found[0].frame is Frame.PROPERTY and not _MODAL.search(text) and len(text) <= 30)
    return Clause(found, text, negated, (), "zh", weak, condition=condition, additive=additive)


def _under(condition: str, reading: Reading) -> Reading:
    key = f"{reading.key}{condition}"
    return reading.but(key=canonical(key), fold=f"{reading.fold} {condition}") if reading.fold else reading


def positive(text: str) -> tuple[str, bool]:
    """`text` without its negation, and whether it was negative: 不能跳过 gives 可以跳过."""
    count, out, at = 0, [], 0
    for match in _NEGATION.finditer(text):
        word = match["neg"]
        if word is None:
            continue
        count += 1
        kept = _KEPT[word]
        if word == "没有" and re.match(rf"\s*(?:{_DONE})", text[match.end() :]):
            kept = ""
        out += [text[at : match.start()], kept]
        at = match.end()
    return ("".join(out) + text[at:], count % 2 == 1) if count else (text, False)


def _written(text: str) -> list[Reading]:
    if ":" not in text and "=" not in text and "→" not in text and "->" not in text:
        return []
    out = []
    for pair in explicit.pairs(text):
        key, value = explicit.with_unit(pair)
        if len(value) > 60:
            continue
        out.append(name_reading(_subject(key) or key, _value(value), Frame.EXPLICIT, multi=len(value) > 30))
    return out


def _frames(text: str, negated: bool) -> list[Reading]:
    return (
        _change(text, negated)
        or _role(text, negated)
        or _counted(text, negated)
        or _copula(text, negated)
        or _typed(text, negated)
        or _modal(text, negated)
        or _rest(text, negated)
    )


def _change(text: str, negated: bool) -> list[Reading]:
    for pattern in (_FROM_TO, _INSTEAD, _SET, _BECAME, _MOVED, _LEFT, _REPLACES):
        match = pattern.match(text)
        if match is None:
            continue
        groups = match.groupdict()
        key = _subject(groups.get("key") or "")
        new, old = _value(groups.get("new") or ""), _value(groups.get("old") or "")
        if pattern is _BECAME and key is None:
            continue
        if key is None:
            return [Reading("", "", new, Frame.CHANGE, denied=negated, old=old or None)]
        out = [name_reading(key, new, Frame.EXPLICIT, denied=negated)] if new else []
        if old and not negated:
            out.append(name_reading(key, old, Frame.EXPLICIT, denied=True))
        return out
    return []


def _role(text: str, negated: bool) -> list[Reading]:
    if match := _ROLE.match(text):
        key = _subject(match["key"])
        return [name_reading(key, _value(match["new"]), Frame.EXPLICIT, denied=negated)] if key else []
    if match := _USES.match(text):
        key = _subject(match["key"])
        if key is None:
            if negated:
                return [Reading("", "", "", Frame.CHANGE, old=_value(match["new"]))]
            return [_clausal("我们用", _value(match["new"]), multi=True, negated=negated)]
        return [name_reading(key, _value(match["new"]), Frame.EXPLICIT, denied=negated)]
    if (match := _BY.match(text)) and (key := _subject(match["key"])):
        return [name_reading(f"{key}{match['verb']}", _value(match["new"]), Frame.COPULA, denied=negated)]
    if match := _SERVES.match(text):
        key = _subject(match["key"])
        return [name_reading(key, _value(match["new"]), Frame.COPULA, denied=negated)] if key else []
    return []


def _counted(text: str, negated: bool) -> list[Reading]:
    match = _THERE_ARE.match(text)
    if match is None:
        return []
    key = _subject(match["subject"]) or ""
    return [
        name_reading(
            f"{key}{match['noun']}", match["number"] + match["measure"].replace("个", ""), Frame.VERB, denied=negated
        )
    ]


def _copula(text: str, negated: bool) -> list[Reading]:
    if (match := _IS.search(text)) and match.start() > 0:
        key, value = _subject(text[: match.start()]), _value(text[match.end() :])
        if key and value and len(value) <= 40:
            if value.startswith("在") and len(value) > 1:
                return [name_reading(key, value[1:], Frame.COPULA, denied=negated)]
            role = re.match(r"^(?:我们的|公司的|项目的|团队的|本项目的)(.+)$", value)
            told = name_reading(key, value, Frame.COPULA, multi=len(value) > 24, denied=negated)
            return [told.but(role=name_reading(role[1], key, Frame.COPULA, denied=negated))] if role else [told]
    match = _AT.match(text)
    if match is None:
        return []
    key, value = _subject(match["subject"]), _value(match["value"])
    if key is None or not value:
        return []
    verb = match["verb"] or ""
    if read(value).kind not in UNTYPED and match["at"] in ("在", "于", "安排在", "定在"):
        return [name_reading(f"{key}{verb}", value, Frame.COPULA, denied=negated)]
    return [_clausal(f"{key}{match['at']}{verb}", value, negated=negated)]


def _modal(text: str, negated: bool) -> list[Reading]:
    if len(text) > 40 or not _MODAL.search(text):
        return []
    return [yes_no(text, negated=negated)]


def yes_no(text: str, *, negated: bool) -> Reading:
    """The clause as a question that it answers; aspect and the wording of permission do not tell two apart."""
    folded = _OBLIGATION.sub("必须", _PERMISSION.sub("可以", text))
    return Reading(
        canonical(text), "n " + canonical(_ASPECT.sub("", folded)), "no" if negated else "yes", Frame.PROPERTY
    )


def _typed(text: str, negated: bool) -> list[Reading]:
    """A clause around one value with a type: 密码每90天更换一次 is about how often, 每90天 is the value."""
    typed = next((m for m in _TYPED.finditer(text) if m.start() > 0 and read(m.group()).kind not in UNTYPED), None)
    if typed is None or len(text) > 40:
        return []
    key, after = _subject(text[: typed.start()]), text[typed.end() :]
    return [_clausal(f"{key}…{after}" if after else key, typed.group(), negated=negated)] if key else []


def _rest(text: str, negated: bool) -> list[Reading]:
    if negated or len(text) <= 8:
        return [yes_no(text, negated=negated)] if len(text) <= 40 else [_statement(text, negated)]
    return [_statement(text, negated)]


def _statement(text: str, negated: bool) -> Reading:
    match = re.match(r"^(.{2,8}?)(?=[是在有用要会能把将对跟与给让为需喜负住来去做])", text)
    cut = match.end() if match else min(4, max(1, len(text) // 2))
    return _clausal(text[:cut], text[cut:] or text, multi=True, negated=negated, frame=Frame.STATEMENT)


def _clausal(key: str, value: str, *, negated: bool, multi: bool = False, frame: Frame = Frame.VERB) -> Reading:
    shown = canonical(key).replace("...", "…")
    return Reading(shown, "c " + _ASPECT.sub("", shown), value, frame, negated, multi)


def _subject(text: str) -> str | None:
    """The part that names a slot; None when it is empty, a pronoun or too long."""
    text = _SUBJECT_NOISE.sub("", _SUBJECT_NOISE.sub("", text.strip(" ,，:：")))
    text = text.removesuffix("的")
    if (
        not text
        or len(text) > 24
        or _PRONOUN.match(text)
        or text in ("我们", "我", "你", "您", "团队", "大家", "问题", "原因", "结果", "重点", "关键")
    ):
        return None
    return text


def _value(text: str) -> str:
    return _PARTICLE.sub("", text.strip(" ,，。:：")).strip() or text
