"""Each law of fusion can fail: a mutant of what it guards makes it fail."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from beliefmerge.fusion import choice, descent, dsh_log, durable, fusing, limits, manifest, message, order, plan
from beliefmerge.fusion.dedup import Deduplicated
from beliefmerge.session import strands
from tests.laws import test_fusion_laws as laws
from tests.laws import test_fusion_origins as origins


def sorted_by_time(messages, sequences) -> list[int]:
    """Every clock trusted, also one that runs backwards."""
    return sorted({i for own in sequences for i in own}, key=lambda i: (messages[i].time or 0, i))


def one_for_a_text(sources, *, active=True) -> Deduplicated:
    """Equal texts taken for copies."""
    return honest_dedup([replace(s, messages=tuple(replace(m, id="") for m in s.messages)) for s in sources])


honest_dedup = laws.deduplicate


def cut_and_marked(text, limit):
    """Cut in characters where bytes are meant."""
    return text[: max(limit, 0)]


def the_earliest(messages, order, config, frame) -> list[int]:
    kept: list[int] = []
    for i in order[: config.max_messages]:
        frame += limits.size(limits.entry(messages[i])) + 1
        if frame > config.max_fused_bytes:
            break
        kept.append(i)
    return kept


def regardless_of_bytes(messages, order, config, frame) -> list[int]:
    return order[-config.max_messages :]


MUTANTS: dict[str, tuple[object, str, object, Callable[[], None]]] = {
    "times trusted": (order, "chronological", sorted_by_time, laws.test_no_order_reorders_a_source),
    "the first of equal times last": (
        order,
        "_BEFORE_ALL",
        10**15,
        laws.test_merging_by_time_is_the_obvious_merge,
    ),
    "equal texts are copies": (
        laws,
        "deduplicate",
        one_for_a_text,
        laws.test_copies_by_id_count_once_and_equal_texts_stay,
    ),
    "characters for bytes": (
        limits,
        "truncate",
        cut_and_marked,
        laws.test_a_text_never_exceeds_its_limit_and_is_cut_between_code_points,
    ),
    "the latest go first": (
        choice,
        "latest",
        the_earliest,
        laws.test_the_whole_never_exceeds_its_limits_and_the_latest_stay,
    ),
    "bytes not counted": (
        choice,
        "latest",
        regardless_of_bytes,
        laws.test_the_whole_never_exceeds_its_limits_and_the_latest_stay,
    ),
    "injected text taken": (
        message,
        "_ROLES",
        dict.fromkeys(message.Channel, message.Role.USER),
        laws.test_only_testimony_and_checkpoints_are_taken,
    ),
    "origins dropped": (
        manifest,
        "lines",
        lambda sources, messages: [],
        origins.test_in_place_of_sources_it_says_what_they_say,
    ),
    "origins dropped, beside the sources": (
        manifest,
        "lines",
        lambda sources, messages: [],
        origins.test_beside_its_sources_it_changes_no_byte,
    ),
    "one source for all": (
        manifest,
        "lines",
        lambda sources, messages: [[seq for seq, _ in messages]],
        origins.test_in_place_of_sources_it_says_what_they_say,
    ),
    "a part taken for a message of its own": (
        manifest,
        "copy_of",
        lambda message: None,
        origins.test_beside_its_sources_it_changes_no_byte,
    ),
    "fused twice, origins lost": (
        descent,
        "strands",
        lambda session: [session],
        origins.test_fused_again_it_still_says_what_they_say,
    ),
    "what comes later known to no source": (
        strands,
        "_picked",
        lambda session, places: honest_picked(session, [i for i in places if session.messages[i].id != "later"]),
        origins.test_what_is_said_in_it_later_is_said_in_view_of_all,
    ),
}
honest_picked = strands._picked


TRIES = 600


def tried(law: Callable[[], None]) -> None:
    """`law` on random examples; the first that fails is enough, however large."""
    chance = random.Random(7)
    for _ in range(TRIES):
        law.hypothesis.fuzz_one_input(chance.randbytes(4096))


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_caught(name, monkeypatch):
    target, attribute, mutant, law = MUTANTS[name]
    monkeypatch.setattr(target, attribute, mutant)
    with pytest.raises(AssertionError):
        tried(law)


def test_a_log_that_reads_otherwise_is_never_created(tmp_path, monkeypatch):
    from beliefmerge.fusion.readback import NotReadBack
    from tests.fusing import fused, said, session

    sessions = [session("a", said("user", "One.", "m1")), session("b", said("model", "Two.", "m2"))]
    monkeypatch.setattr(dsh_log, "_content", lambda texts: [{"type": "text", "text": "".join(texts).upper()}])
    with pytest.raises(NotReadBack, match="event 10"):
        fused(tmp_path / "root", sessions)
    assert not (tmp_path / "root").exists()


def test_a_writer_that_overwrites_is_caught(tmp_path, monkeypatch):
    from tests.unit import test_fusion_durable as tests

    monkeypatch.setattr(durable, "_name", lambda temporary, path: temporary.replace(path))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        tests.test_a_file_that_is_there_is_never_replaced(tmp_path)


def test_secrets_that_are_left_in_are_caught(tmp_path, monkeypatch):
    from collections import Counter

    from beliefmerge.session import redact
    from beliefmerge.session.redaction.known import Known
    from tests.unit import test_fusion as tests

    monkeypatch.setattr(redact, "redact_and_learn", lambda sessions: (list(sessions), Counter(), Known({})))
    with pytest.raises(AssertionError):
        tests.test_secrets_are_replaced_in_all_that_is_written_and_counted(tmp_path)


def test_a_prompt_that_text_can_break_out_of_is_caught(tmp_path, monkeypatch):
    import json

    from beliefmerge.fusion import snapshot
    from tests.unit import test_fusion_plan as tests

    monkeypatch.setattr(snapshot, "_tag_safe", lambda value: json.dumps(value, ensure_ascii=False))
    with pytest.raises(AssertionError):
        tests.test_a_model_is_asked_once_without_tools_about_limited_tag_safe_data(tmp_path)


def test_a_workspace_that_is_not_looked_at_is_caught(tmp_path, monkeypatch):
    from tests.unit import test_fusion as tests

    monkeypatch.setattr(fusing, "check_workspace", lambda sessions, cwd: None)
    with pytest.raises(pytest.fail.Exception):
        tests.test_another_workspace_is_refused_unless_it_is_allowed(tmp_path)


def test_places_that_are_not_checked_are_caught(tmp_path, monkeypatch):
    from tests.unit import test_fusion_plan as tests

    monkeypatch.setattr(plan, "_topics", lambda topics, candidates, model: [plan.Topic("T", (0,))])
    with pytest.raises(pytest.fail.Exception):
        tests.test_a_bad_plan_is_one_line_and_creates_nothing(tmp_path, "an unknown number")
