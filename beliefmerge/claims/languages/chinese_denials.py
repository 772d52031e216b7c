"""Chinese sentences that deny a whole clause or rule something out: "…的说法不属实", "我们放弃了…的想法", "别用…"."""

from __future__ import annotations

import re
from typing import NamedTuple

_HELD = "说法|传言|消息|想法|假设|计划|方案|提议|提案|建议|打算|设想|念头|可能|可能性|传闻|主意|安排"
_FALSE = (
    "错的|错误的|假的|不对的?|不属实|不成立|不准确的?|不正确的?|有误|谣言|不可能的?|无稽之谈|站不住脚的?|没有根据的?"
)
_GONE = (
    "取消|放弃|否决|搁置|推翻|撤回|撤销|叫停|作废|泡汤|落空|失败|行不通|不可行|没成|没有成|没通过|没有通过|不了了之|"
    "被拒|驳回"
)
_CLAUSES = (
    re.compile(
        rf"^(?:说|以为|认为)?(?P<clause>.{{4,30}}?)(?:这个?|的)?(?:{_HELD})?(?:根本|完全|其实)?是?(?:{_FALSE})$"
    ),
    re.compile(
        rf"^(?P<clause>.{{4,30}}?)(?:这个?|的)(?:{_HELD})(?:已经|已|最后|后来|最终|都)*被?(?:大家|董事会|客户)?(?:{_GONE})了?$"
    ),
    re.compile(
        rf"^(?:我们|团队|大家|公司|我)?(?:已经|已|都|决定|最终)*(?:放弃|取消|否决|搁置|撤回|推翻|排除|驳回)了?"
        rf"(?P<clause>.{{4,30}}?)(?:这个?|的)(?:{_HELD})$"
    ),
    re.compile(
        r"^(?:没有人|没人|谁都不|谁也不|不要|别|我不|我们不|我不再|大家不再)(?:会|应该|该|再)*(?:相信|认为|觉得|以为)(?:是)?"
        r"(?P<clause>.{4,30})$"
    ),
    re.compile(r"^不可能(?:是)?(?P<clause>.{4,30})$"),
)
_THINGS = (
    re.compile(
        r"^(?:请)?(?:别|不要|切勿|请勿)(?:再)?(?:用|使用|选择?|采用|买|订|找|考虑|提议?|讨论|说)(?P<thing>[^,，]{1,16}?)了?$"
    ),
    re.compile(r"^(?P<thing>[^,，是在为]{1,12}?)(?:是)?(?:不行|不合适|不适合|不考虑|用不了|不能用|没法用|不可取)$"),
)
_TRIED = re.compile(
    r"^(?:我们|我|团队)?(?:已经|都|也)*(?:试过|尝试过|尝试了|试了|考虑过|测试过|评估过)(?:用|使用)?(?P<thing>[^,，]{1,20}?)[,，]"
    r"(?:但是?|可是|不过|然而|可惜|结果)(?P<then>.+)$"
)
_WORKED = re.compile(r"成功|解决|好用|可以|没问题|挺好|不错|顺利")
_FOR = re.compile(r"^(?P<topic>[^,，]{2,12}?)(?:不再|不)(?:考虑|选择?|采用)(?:用|去|在)?(?P<thing>[^,，]{1,16}?)了?$")
_PART = re.compile(r"[,，;；:：]")


class Ruled(NamedTuple):
    """What a sentence rules out: a clause, or a thing, and for what; each "" where it is not that."""

    clause: str = ""
    thing: str = ""
    topic: str = ""


def ruled_out(text: str, conclusion: str) -> Ruled | None:
    """What `text` rules out, `conclusion` being the part before its reason where it gives one."""
    if (match := _TRIED.match(text)) and not _WORKED.search(match["then"]):
        return Ruled(thing=match["thing"])
    head = _PART.split(conclusion, maxsplit=1)[0]
    for pattern in _CLAUSES:
        if match := pattern.match(head):
            return Ruled(clause=match["clause"])
    gives_reason = len(head) < len(text)
    if gives_reason and (match := _FOR.match(head)):
        return Ruled(thing=match["thing"], topic=match["topic"])
    for pattern in _THINGS:
        if gives_reason and (match := pattern.match(head)):
            return Ruled(thing=match["thing"])
    return None
