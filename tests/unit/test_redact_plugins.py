"""Which plug-ins of detect-secrets are used."""

import pkgutil

import detect_secrets.plugins
import pytest

from beliefmerge.session.redaction.plugins import LEFT_OUT, PLUGINS


def test_every_plugin_of_the_package_is_used_or_left_out_for_a_reason():
    shipped = {module.name for module in pkgutil.iter_modules(detect_secrets.plugins.__path__)} - {"base"}
    assert shipped == set(PLUGINS) | set(LEFT_OUT)
    assert not set(PLUGINS) & set(LEFT_OUT)


def test_using_them_touches_no_settings_and_no_network(monkeypatch):
    import socket

    from detect_secrets import settings

    from beliefmerge.session.redact import redact_text

    monkeypatch.setattr(socket, "socket", lambda *a, **k: pytest.fail("opened a socket"))
    monkeypatch.setattr(settings, "get_settings", lambda: pytest.fail("read the settings"))
    assert redact_text("AKIA" + "ZZFAKE7EXAMPLE00")[1] == {"aws-access-key": 1}
