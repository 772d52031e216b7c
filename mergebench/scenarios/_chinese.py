"""The Chinese half of the family `languages`: subjects, wordings and chatter.

Values are written as in English, with spaces around them: what is compared is the topic, not its transliteration.
"""

from __future__ import annotations

import random

from beliefmerge.session.model import Channel

NAMES = {
    "the chapel hall": "小礼堂", "the east greenhouse": "东边温室", "the rooftop terrace": "屋顶露台",
    "the village library": "村图书室", "the pottery studio": "陶艺坊", "the climbing gym": "攀岩馆",
    "the orchard barn": "果园谷仓", "the map room": "地图室", "the night shelter": "夜间收容所",
    "the ferry lounge": "渡轮候船厅", "the alto section": "女低音声部", "the pruning crew": "修枝小队",
    "the first-aid team": "急救小组", "the costume workshop": "戏服坊", "the survey party": "测绘队",
    "the translation desk": "翻译组", "the tasting panel": "品鉴小组", "the choir board": "合唱团理事会",
    "the rowing squad": "赛艇队", "the seed exchange": "种子交换社", "the spring fair": "春日集市",
    "the lantern walk": "提灯夜行", "the alumni dinner": "校友晚宴", "the harvest supper": "丰收晚餐",
    "the regatta": "帆船赛", "the book swap": "换书会", "the blood drive": "献血日", "the chess open": "象棋公开赛",
    "the pilot screening": "试映会", "the repair café": "修理咖啡馆", "the cold room": "冷藏室", "the kiln": "窑炉",
    "the irrigation pump": "灌溉泵", "the label printer": "标签打印机", "the bread oven": "面包炉",
    "the centrifuge": "离心机", "the weather buoy": "气象浮标", "the backup server": "备份机",
    "the telescope mount": "望远镜支架", "the cargo bike": "货运自行车", "the field guide": "野外图鉴",
    "the grant report": "资助报告", "the exhibition catalogue": "展览图册", "the radio play": "广播剧",
    "the parish newsletter": "教区通讯", "the vaccination study": "疫苗研究", "the tenancy handbook": "租户手册",
    "the mosaic": "马赛克", "the mobile app": "手机小程序", "the survey questionnaire": "调查问卷",
}  # fmt: skip
"""The subjects of `mergebench.scenarios._things`."""

WORDINGS = {
    "contact person": ("{s}的事找 {v} 就行", "{s}归 {v} 管", "谁想问{s}就去问 {v}"),
    "capacity": ("{s}坐得下 {v} 人", "{s}挤满了也就 {v} 人", "消防那边只让{s}进 {v} 人"),
    "opening time": ("{s} {v} 才开门", "{v} 一到{s}就让人进", "{s}的门 {v} 打开"),
    "number of members": ("{s}名册上记着 {v} 人", "{s}里头数得出 {v} 人", "{s}的人数已经到 {v} 了"),
    "ticket price": ("进{s}要掏 {v} 克朗", "{s}的票卖 {v} 克朗", "一张{s}的票 {v} 克朗"),
    "main sponsor": ("{s}的钱大头是 {v} 出的", "给{s}掏钱最多的是 {v}", "{s}靠 {v} 撑着"),
    "set point": ("{s}烧到 {v} 开", "{s}的旋钮拧在 {v} 开", "{s}一直守着 {v} 开"),
    "maker": ("{s}是 {v} 造的", "{s}出自 {v} 之手", "造{s}的那家叫 {v}"),
    "serial number": ("{s}的铭牌刻着 {v}", "{s}的编号写着 {v}", "{v} 就是{s}的编号"),
    "page count": ("{s}印出来有 {v} 页", "{s}厚 {v} 页", "翻完{s}得 {v} 页"),
    "layout program": ("{s}拿 {v} 排的版", "给{s}排版的是 {v}", "打开{s}的底稿得靠 {v}"),
}
"""By label of the attribute."""

_LEADS = {
    Channel.USER: ("", "", "记一笔,", "顺嘴提一句,", "别漏了,"),
    Channel.MODEL: ("", "", "照我读到的,", "我看下来,"),
    Channel.TOOL: ("", "查到条目 ", "页面写着 "),
    Channel.REASONING: ("", "八成", "我猜"),
}
_OBJECTS = (
    "草稿",
    "我的笔记",
    "第二段",
    "那张表格",
    "收件箱",
    "相册",
    "草图",
    "邮件列表",
    "行李单",
    "海报",
    "幻灯片",
    "录音",
)
_ACTIONS = ("瞧一遍", "理一理", "再对一下", "改短点", "重读", "收拾", "校一校")
_WHENS = ("有空的时候", "午饭前", "今晚", "打完电话", "这礼拜")
_USER = (
    "{when}帮我把{object}{action}好吗?",
    "{object}多亏你了,谢谢。",
    "咱们{subject}聊到哪儿了?",
    "{object}我还是不大满意。",
    "{object}我自己{when}{action}。",
    "先不谈{subject}。",
)
_MODEL = (
    "我这就把{object}{action}。",
    "{object}我翻了翻,没瞧出毛病。",
    "{object}比先前顺多了。",
    "要不要连{object}也{action}?",
    "{subject}那边我写了个开头,等我一下。",
)
_TOOL = ("打开{object}:好", "{object}存好了,没报错", "搜{subject}:几条,都没点开")
_REASONING = ("像是想让我把{object}{action},先问问。", "先弄{object}。", "{subject}这边还用不着答。")
_PATTERNS = {Channel.USER: _USER, Channel.MODEL: _MODEL, Channel.TOOL: _TOOL, Channel.REASONING: _REASONING}


def say(rng: random.Random, label: str, subject: str, value: str, channel: Channel) -> str:
    """A sentence that gives the attribute `label` of the English `subject` this value."""
    clause = rng.choice(WORDINGS[label]).format(s=NAMES[subject], v=value)
    return f"{rng.choice(_LEADS[channel])}{clause}。"


def sentence(rng: random.Random, channel: Channel, subjects: tuple[str, ...]) -> str:
    """One sentence of chatter, which may name one of the English `subjects`."""
    return rng.choice(_PATTERNS[channel]).format(
        action=rng.choice(_ACTIONS),
        object=rng.choice(_OBJECTS),
        when=rng.choice(_WHENS),
        subject=NAMES[rng.choice(subjects)],
    )
