"""Laws of redaction: a found value is nowhere, redacting again changes nothing, order and prefilter do not matter."""

import base64
import json
import urllib.parse
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from beliefmerge.algebra.evidence import Evidence
from beliefmerge.session.model import Block, Channel, DataClaim, Message, Session
from beliefmerge.session.redact import redact, redact_and_learn, redact_text
from beliefmerge.session.redaction import detect
from beliefmerge.session.redaction.detect import find_secrets, find_secrets_plain
from beliefmerge.session.redaction.known import Known
from beliefmerge.session.redaction.secret import Secret

HEX = "0123456789abcdef"
ALNUM = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789"


def words(text):
    return text.split()


TRIGGERS = words(
    "password passwd pwd _pass _key token tokens API_TOKEN secret api_key access_key 密码 密钥 令牌 Bearer "
    "Authorization: Cookie: Set-Cookie: Basic curl -u mysql -p --password --token sk- ghp_ AKIA eyJ xoxb- AIza hf_ "
    "AC SK -us1 SG. postgres://u: https:// @host @tcp( ?sig= &sig= host= user= login credentials: "
    "identified by is 是 为 the as "
    '[REDACTED:token] [REDACTED: ] [ \\n \\" %20 ${ <YOUR_KEY> **** changeme data:image/png;base64, sha256:'
)
PEM = ("-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----", "A1b2" * 16, "\n")
JOINTS = [
    "=",
    ": ",
    "：",
    " is ",
    "是",
    " ",
    "\n",
    '": "',
    "='",
    '"',
    "'",
    "`",
    "(",
    ")",
    ", ",
    ";",
    ".",
    "/",
    ":",
    "|",
    "-",
    "",
]


def strings(alphabet, low, high):
    return st.text(alphabet, min_size=low, max_size=high)


values = st.one_of(
    strings(HEX, 6, 40),
    strings(ALNUM, 6, 45),
    strings(ALNUM + "!#$%&*+-./:=?@_~", 6, 24),
    st.sampled_from(["hunter2", "swordfish", "stage-3", "12345678", "a.b", HEX * 2 + "." + ALNUM[:16], *PEM]),
)
fragments = st.one_of(st.sampled_from(TRIGGERS), st.sampled_from(JOINTS), values, st.text(max_size=3))
texts = st.lists(fragments, max_size=14).map("".join)


@st.composite
def machine_made(draw):
    """A value no word has: letters and digits in turn, then anything a key or password may hold."""
    head = draw(st.text("abcdefghjk", min_size=1, max_size=1))
    body = "".join(f"{draw(st.sampled_from('23456789'))}{draw(st.sampled_from(ALNUM[:40]))}" for _ in range(5))
    return head + body + draw(strings(ALNUM + "_-+/", 0, 20)) + draw(st.sampled_from("mnpq"))


def session(name, *said, **more):
    messages = tuple(Message((Block(Channel.USER, text),), seq=i, session=name) for i, text in enumerate(said))
    return Session(name, "plain", messages, **more)


sessions = st.lists(st.lists(texts, max_size=3), max_size=3).map(
    lambda branches: [session(f"s{i}", *said) for i, said in enumerate(branches)]
)


@given(sessions)
@settings(max_examples=400)
@example([session("s", "password=AAAA1111BBBBcc", "pwd: xxAAAA1111BBBBccyy", "token: AAAA11[REDACTED:token]11BBBBcc")])
@example([session("s", "api_key=zz4f9a8b7c6d5e", "zz4f9a8b7c6d5e" + "sk-ant-" + "zz9Q8w7E6r5T4y3U2i1")])
def test_redacting_again_changes_nothing(branches):
    once, _ = redact(branches)
    assert redact(once) == (once, {})
    assert all(new is old for new, old in zip(redact(once)[0], once, strict=True))


@given(sessions, st.randoms())
@settings(max_examples=200)
def test_the_order_of_sessions_does_not_matter(branches, random):
    shuffled = random.sample(branches, len(branches))
    once, counts = redact(branches)
    again, same = redact(shuffled)
    by_name = {each.id: each for each in again}
    assert counts == same
    assert [by_name[each.id] for each in once] == once


PLACES = {
    "text": lambda s, x: replace(
        s, messages=(*s.messages, Message((Block(Channel.MODEL, f"used {x} here"),), 9, s.id))
    ),
    "alone": lambda s, x: replace(s, messages=(*s.messages, Message((Block(Channel.USER, x),), 9, s.id))),
    "inside a word": lambda s, x: replace(s, messages=(Message((Block(Channel.USER, f"zz{x}zz"),), 9, s.id),)),
    "twice in a row": lambda s, x: replace(s, messages=(Message((Block(Channel.USER, x + x),), 9, s.id),)),
    "second block": lambda s, x: replace(
        s, messages=(Message((Block(Channel.REASONING, "x"), Block(Channel.TOOL, f"{x}\n")), 9, s.id),)
    ),
    "tool call": lambda s, x: replace(
        s, messages=(Message((Block(Channel.MODEL, json.dumps({"cmd": f'echo "{x}"'}), "tool-call"),), 9, s.id),)
    ),
    "percent-encoded": lambda s, x: replace(s, title="?q=" + urllib.parse.quote(x, safe="")),
    "base64": lambda s, x: replace(s, title=base64.b64encode(x.encode()).decode()),
    "within base64, a byte before": lambda s, x: replace(s, title=base64.b64encode(f":{x}~?".encode()).decode()),
    "within base64, two bytes before": lambda s, x: replace(
        s, title=base64.urlsafe_b64encode(f"u:{x}~".encode()).decode()
    ),
    "title": lambda s, x: replace(s, title=f"About {x}"),
    "cwd": lambda s, x: replace(s, cwd=f"/home/{x}/work"),
    "path": lambda s, x: replace(s, path=f"/logs/{x}.jsonl"),
    "flag": lambda s, x: replace(s, flags=(f"skipped {x}",)),
    "session id": lambda s, x: replace(s, id=f"run-{x}"),
    "parent": lambda s, x: replace(s, parent=f"run-{x}"),
    "branch": lambda s, x: replace(s, branch=f"leaf-{x}"),
    "message id": lambda s, x: replace(s, messages=(Message((Block(Channel.USER, "x"),), 9, s.id, id=f"m-{x}"),)),
    "origin": lambda s, x: replace(s, messages=(Message((Block(Channel.USER, "x"),), 9, s.id, origin=f"{x}#1"),)),
    "meta": lambda s, x: replace(s, meta={"a": [{"b": (x, 1)}], f"k {x}": {x}}),
    "claim value": lambda s, x: replace(s, claims=(claim("host", x),)),
    "claim key": lambda s, x: replace(s, claims=(claim(f"host {x}", "y"),)),
    "premise": lambda s, x: replace(s, claims=(replace(claim("a", "b"), derived_from=((("c", x), (x, None)),)),)),
}


def claim(key, value):
    return DataClaim(key, value, Channel.USER, Evidence.USER_STATED)


@pytest.mark.parametrize("place", PLACES)
@given(
    machine_made(),
    st.sampled_from(["export API_TOKEN={}", "the api key is {}", "密码：{}", "Authorization: Bearer {}"]),
)
@settings(max_examples=25)
def test_a_secret_found_in_one_session_is_nowhere_in_any(place, value, said):
    plain = session("b", "The staging host is stage-3.", title="Notes")
    there = PLACES[place](plain, value)
    assume(there != plain)
    redacted, counts = redact([session("a", said.format(value)), there])
    shown = repr(redacted)
    encoded = base64.b64encode(value.encode()).decode().rstrip("=")
    for form in (value, urllib.parse.quote(value, safe=""), encoded):
        assert form not in shown
    assert sum(counts.values()) >= 2
    assert "stage-3" in shown or place not in ("text", "alone", "title")


@pytest.mark.parametrize("place", ["meta", "claim value", "title", "cwd", "path", "flag"])
def test_a_secret_is_found_wherever_it_is_labelled(place):
    value = "zz" + "4f9a8b7c6d5e"
    labelled = {
        "meta": session("a", meta={"env": {"API_TOKEN": value}}),
        "claim value": session("a", claims=(claim("staging.api_token", value),)),
        "title": session("a", title=f"token={value}"),
        "cwd": session("a", cwd=f"/x/token={value}"),
        "path": session("a", path=f"/x/token={value}.jsonl"),
        "flag": session("a", flags=(f"skipped token={value}",)),
    }[place]
    redacted, counts = redact([labelled, session("b", f"used {value}")])
    assert value not in repr(redacted)
    assert counts == {"token": 2}


@given(st.lists(texts, max_size=6))
@settings(max_examples=400)
def test_the_prefilter_hides_nothing(said):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detect, "PREFILTER_FROM", 0)
        assert facts(find_secrets(said)) == facts(find_secrets_plain(said))


def facts(secrets):
    return {(secret.value, secret.kind, secret.whole) for secret in secrets}


@given(sessions)
@settings(max_examples=150)
def test_redaction_with_the_prefilter_is_redaction_without(branches):
    plain = redact(branches)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detect, "PREFILTER_FROM", 0)
        assert redact(branches) == plain


@given(st.lists(values, min_size=1, max_size=5), texts, st.booleans())
@settings(max_examples=300)
@example(["abcabcabc"], "xabcabcabcabcx", False)
@example(["abc123[RED"], "abc123[REDACTED:token]", False)
@example(["abc123[RED", "zz4f9a8b"], "abc123", True)
@example(["abc123[RED", "zz4f9a8b"], "abc123zz4f9a8b", False)
def test_no_known_value_is_left_and_what_holds_none_is_untouched(planted, text, at_end):
    known = Known(Secret(value, "token") for value in planted)
    text = planted[0] + text if at_end else text + planted[-1] + planted[0]
    redacted, counts = known.redact(text)
    assert not known.occurs_in(redacted)
    assert not any(len(value) >= 6 and value in redacted and value not in "[REDACTED:token]" for value in planted)
    assert (redacted == text) == (not counts)
    assert known.redact(redacted) == (redacted, {})


def test_values_that_overlap_are_replaced_together_so_that_no_part_is_left():
    known = Known([Secret("abcdef12345", "token"), Secret("2345zzzzz9", "token"), Secret("9_8_7_6", "token")])
    assert known.redact("x abcdef12345zzzzz9_8_7_6 y") == ("x [REDACTED:token] y", {"token": 1})
    assert known.redact("abcdef12345abcdef12345") == ("[REDACTED:token]" * 2, {"token": 2})


@given(st.permutations([("token", True), ("token", False), ("password", True)]))
def test_what_is_known_of_a_value_does_not_depend_on_the_order_it_was_learnt_in(learnt):
    known = Known()
    for kind, whole in learnt:
        known.add([Secret("73019426", kind, whole)])
    assert known.redact("x730194261") == ("x[REDACTED:password]1", {"password": 1})


WORDS = words("the build host moved to stage three because two of our tests ran out of time on friday so we wait")


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), min_size=1, max_size=5))
def test_text_without_secrets_comes_back_as_the_same_objects(said):
    given_ = [session("a", *said, meta={"n": 1}), session("b")]
    redacted, counts = redact(given_)
    assert counts == Counter()
    assert all(new is old for new, old in zip(redacted, given_, strict=True))


def test_only_sessions_and_messages_with_a_secret_are_new_objects():
    branch, other = session("a", "token=zz4f9a8b7c6d5e", "nothing here"), session("b", "nor here", meta={"n": [1]})
    (redacted, same), _ = redact([branch, other])
    assert same is other
    assert redacted.messages[0].text == "token=[REDACTED:token]"
    assert redacted.messages[1] is branch.messages[1]


@given(machine_made())
def test_copies_of_a_message_keep_equal_keys_and_the_key_tells_nothing_of_the_secret(value):
    def fork(name, secret):
        return Session(name, "plain", (Message((Block(Channel.USER, f"token={secret}"),), 0, name, id="m1"),))

    other = value[::-1] + "7x"
    keys = {redact([fork(name, secret)])[0][0].messages[0].key for name in "ab" for secret in (value, other)}
    assert len(keys) == 1


@given(machine_made())
def test_nothing_that_is_returned_or_kept_shows_a_value(value):
    branch = session("a", f"password={value}")
    redacted, counts, known = redact_and_learn([branch])
    assert known.occurs_in(f"x{value}x")
    for shown in (repr(known), str(known), repr(Secret(value, "token")), repr(counts), repr(redacted)):
        assert value not in shown


@given(texts, values)
@settings(max_examples=200)
def test_one_text_is_redacted_as_in_a_session_of_its_own(text, value):
    text = f"{text} password={value} "
    (redacted,), counts = redact([session("a", text)])
    assert redact_text(text) == (redacted.messages[0].text, counts)
