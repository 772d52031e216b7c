"""No text makes a detector slow: four times the text takes about four times as long, whatever it repeats."""

import re
import time

import pytest

from beliefmerge.session.redaction.detect import find_secrets_plain
from beliefmerge.session.redaction.known import Known
from beliefmerge.session.redaction.secret import Secret

SHORT, TIMES = 12_500, 4
NOISE = 0.02
"""Seconds below which a time says nothing."""

REFERENCES = 1_000
"""Scans for words and marks that a text may cost, at most."""

OPENS_EVERY_GATE = (
    "AKIA sk- eyJ :// @ cookie authorization curl mysql /:_authToken= key=abcdefghijklmnopqrstuvwx cl_key"
)

UNITS = [
    *"a=-:\"'`\\/ \n.@0f_*[(，",
    "token=",
    "token ",
    'token="',
    "token(' ",
    "password=",
    "password for a ",
    "密码",
    "密码是",
    "key  =",
    "cl_key     ",
    "aws key '",
    "login a password ",
    "a is the password ",
    "user/password: a/",
    "host=a;password=b1c2d3;",
    "sk-",
    "%20sk-",
    "eyJ",
    "eyJa.",
    "://",
    "://a:b",
    "authorization: ",
    "authorization signature=",
    "bearer ",
    "cookie: a=",
    "curl -u a:",
    "mysql -p",
    "-----BEGIN PRIVATE " + "KEY-----",
    "xoxb-1-",
    "0123456789abcdef",
    "0123456789abcdef.",
    "12345678:",
    "[REDACTED:token]",
]


PLAIN_TEXT = ("The build host moved to stage 3, because two of our tests ran out of time. " * SHORT)[: SHORT * TIMES]


def seconds(text, work=lambda text: list(find_secrets_plain([text]))):
    times = []
    for _ in range(3):
        start = time.process_time()
        work(text)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("unit", UNITS, ids=range(len(UNITS)))
@pytest.mark.parametrize("opening", ["", "token=", OPENS_EVERY_GATE])
def test_time_grows_with_the_length_of_the_text(opening, unit):
    short = (opening + unit * SHORT)[:SHORT]
    long = (opening + unit * SHORT * TIMES)[: SHORT * TIMES]
    taken = seconds(long)
    assert taken < 2 * TIMES * max(seconds(short), NOISE)
    assert taken < REFERENCES * seconds(PLAIN_TEXT, re.compile(r"\w+|[^\w\s]").findall)


def test_many_keys_that_begin_alike_are_replaced_in_one_pass():
    values = [f"zz_test_{i:08x}" for i in range(20_000)]
    known = Known(Secret(value, "token") for value in values)
    start = time.process_time()
    redacted, counts = known.redact(" ".join(values))
    assert counts == {"token": 20_000}
    assert redacted == " ".join(["[REDACTED:token]"] * 20_000)
    assert time.process_time() - start < 5
