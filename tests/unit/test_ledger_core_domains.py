"""Who answers for a URL."""

from __future__ import annotations

import pytest

from beliefmerge.ledger.core.domains import host, registrable, url_fault


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://news.example.com/a", "example.com"),
        ("https://blog.EXAMPLE.com", "example.com"),
        ("https://example.com./", "example.com"),
        ("https://ｅxample.com/", "example.com"),
        ("http://example。com:8080/x?y#z", "example.com"),
        ("https://a1.github.io", "github.io"),
        ("https://bbc.co.uk/", "bbc.co.uk"),
        ("https://a_b.example.co.uk/", "example.co.uk"),
        ("https://müller.de/", "xn--mller-kva.de"),
        ("https://xn--mller-kva.de/", "xn--mller-kva.de"),
        ("https://日本語カタ.jp/", "xn--lckxb533yncbk91h.jp"),
    ],
)
def test_one_owner_has_one_domain(url, domain):
    assert registrable(url) == domain
    assert url_fault(url) is None


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "https://exаmple.com/",  # Cyrillic а
        "https://xn--exmple-4nf.com/",
        "https://10.0.0.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://[::1]/",
        "https://com/",
        "https://co.uk/",
        "https://localhost/",
        "https://host.internal/",
        "https://a..com/",
        "https://user@example.com/",
        "https://evil.com\\@example.com/",
        "https://ex%61mple.com/",
        "file:///etc/passwd",
        "ftp://example.com/",
        "example.com",
        "mailto:x@example.com",
        "https://exam ple.com/",
        "https://ex<ample.com/",
        "https://*.com/",
        "https://-example.com/",
        "https://example-.com/",
        "https://ex_ample.com/",
        f"https://{'a' * 64}.com/",
        f"https://{'a.' * 130}example.com/",
    ],
)
def test_what_can_be_mistaken_has_none(url):
    assert registrable(url) is None


@pytest.mark.parametrize("url", ["https://exa\0mple.com/", "https://a.com/\n", "https://[::1/", "https://a.com:99999/"])
def test_what_no_seal_may_name(url):
    assert url_fault(url)
    assert registrable(url) is None


@pytest.mark.parametrize(
    "url", ["https://example.com", "http://EXAMPLE.com.:80/x", "https://ｅxample.com/", "https://user@example。com./"]
)
def test_a_host_is_spelled_alike_however_it_is_written(url):
    assert host(url) == "example.com"


@pytest.mark.parametrize(
    ("url", "spelled"),
    [
        ("https://Müller.de/", "xn--mller-kva.de"),
        ("https://www.example.com", "www.example.com"),
        ("https://exam ple.com/", "exam ple.com"),
        ("http://[::1]:80/", "::1"),
        ("http://10.0.0.1/", "10.0.0.1"),
        ("file:///etc/passwd", None),
    ],
)
def test_a_host_that_is_another_or_no_name_stays_apart(url, spelled):
    assert host(url) == spelled
