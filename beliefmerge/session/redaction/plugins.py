"""Keys of providers, by the expressions of detect-secrets' plug-ins (Yelp, Apache-2.0).

Only the compiled expressions are used: no scan settings, no files, no verification over the network, no entropy. A
plug-in is left out where its expression needs more than linear time or names something that is no secret; `LEFT_OUT`
says which and why, and a test fails when a new version of the package brings one that is in neither table.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from beliefmerge.session.redaction.secret import Secret, may_begin, may_end
from beliefmerge.session.redaction.strength import Strength, rate


class Plugin(NamedTuple):
    """How a plug-in is used: the kind it finds and a cheap expression that holds wherever one of its own does.

    The gate is in the syntax RE2 and `re` share and matches lower-cased text when `folded`. A match of a `bounded`
    plug-in counts only where it is no part of a longer run: its form is so general that base64 would match.
    """

    kind: str
    gate: str
    folded: bool = False
    bounded: bool = False


_ASSIGNED = r"""(?:key|pw|pwd|pass|password|token)["'\]]{0,2}[ =:>]+["']?[a-z0-9_-]{24}|[.]softlayer[.]com/soap"""

PLUGINS = {
    "artifactory": Plugin("artifactory", "A(?:KC|P[0-9A-F])[A-Za-z0-9]{8}", bounded=True),
    "aws": Plugin(
        "aws-access-key",
        r"""(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}|["'][0-9A-Za-z/+]{40}["']""",
        bounded=True,
    ),
    "azure_storage_key": Plugin("azure-storage-key", "AccountKey="),
    "cloudant": Plugin("cloudant", _ASSIGNED, folded=True),
    "discord": Plugin("discord-bot-token", r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}", bounded=True),
    "github_token": Plugin("github-token", "gh[pousr]_[A-Za-z0-9_]{36}"),
    "gitlab_token": Plugin("gitlab-token", "gl[a-z]{2,6}-[A-Za-z0-9_-]{20}|GR1348941"),
    "ibm_cloud_iam": Plugin("ibm-cloud-key", _ASSIGNED, folded=True),
    "ibm_cos_hmac": Plugin("ibm-cos-hmac", _ASSIGNED, folded=True),
    "mailchimp": Plugin("mailchimp-key", "-us[0-9]", bounded=True),
    "pypi_token": Plugin("pypi-token", "pypi-Ag"),
    "sendgrid": Plugin("sendgrid-key", "SG[.][A-Za-z0-9_-]{22}"),
    "slack": Plugin("slack-token", "xox[a-z]-|hooks[.]slack[.]com", folded=True),
    "softlayer": Plugin("softlayer-key", _ASSIGNED, folded=True),
    "square_oauth": Plugin("square-oauth-secret", "sq0csp-"),
    "stripe": Plugin("stripe-key", "k_live_"),
    "telegram_token": Plugin("telegram-bot-token", ":[0-9A-Za-z_-]{35}", bounded=True),
    "twilio": Plugin("twilio-key", "(?:AC|SK)[a-z0-9]{32}", bounded=True),
}
"""Modules of ``detect_secrets.plugins`` that are used."""

LEFT_OUT = {
    "basic_auth": "addresses with passwords have a rule of their own, which knows placeholders",
    "high_entropy_strings": "entropy cannot tell a key from a commit hash",
    "ip_public": "an address is no secret",
    "jwt": "quadratic on a run of eyJ; bounded in keyforms",
    "keyword": "made for source files; labels have a rule of their own, also in Chinese",
    "npm": "quadratic on a run of slashes; found by prefix in keyforms",
    "openai": "quadratic on a run of sk-, and knows the old form only; found by prefix in keyforms",
    "private_key": "finds the heading only; carriers takes the whole block",
}
"""Modules that are not used, and why."""

GATES = tuple(dict.fromkeys(f"(?i:{plugin.gate})" if plugin.folded else plugin.gate for plugin in PLUGINS.values()))
"""What the prefilter looks for."""

_SPACES = re.compile(" {3,}")


_compiled = functools.cache(re.compile)


@functools.cache
def _expressions(name: str) -> tuple[re.Pattern[str], ...]:
    """The expressions of a plug-in. The package takes a tenth of a second to import, so that waits for an open gate."""
    from detect_secrets.plugins.base import RegexBasedDetector

    module = importlib.import_module(f"detect_secrets.plugins.{name}")
    detectors: list[Any] = [
        item
        for item in vars(module).values()
        if isinstance(item, type) and issubclass(item, RegexBasedDetector) and item.__module__ == module.__name__
    ]
    return tuple(expression for detector in detectors for expression in detector.denylist)


def find_provider_keys(text: str, lower: str) -> Iterator[Secret]:
    """Keys in `text` that a plug-in knows."""
    open_gates: dict[str, bool] = {}
    collapsed: str | None = None
    for name, plugin in PLUGINS.items():
        if plugin.gate not in open_gates:
            open_gates[plugin.gate] = _compiled(plugin.gate).search(lower if plugin.folded else text) is not None
        if open_gates[plugin.gate]:
            # Some plug-ins try every split of a run of spaces; no key contains one.
            collapsed = collapsed if collapsed is not None else _SPACES.sub("  ", text)
            for expression in _expressions(name):
                yield from (Secret(value, plugin.kind) for value in _matches(expression, collapsed, plugin.bounded))


def _matches(expression: re.Pattern[str], text: str, bounded: bool) -> Iterator[str]:
    """What `expression` captures, where that is long enough for a key, or else all it matches."""
    for match in expression.finditer(text):
        group = next((i for i in range(1, expression.groups + 1) if len(match[i] or "") >= 20), 0)
        raw = match[group]
        value = raw.strip(' \t\r\n=:"')
        start = match.start(group) + raw.index(value)
        if bounded and not (may_begin(text, start) and may_end(text, start + len(value))):
            continue
        if value.startswith("https://") or rate(value) >= (Strength.FAIR if bounded else Strength.WORD):
            yield value
