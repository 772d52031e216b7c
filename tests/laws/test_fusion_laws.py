"""Laws of fusion: nothing is reordered, invented or lost without being counted, and what is written reads back."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st

from beliefmerge.errors import UsageError
from beliefmerge.fusion import FusionConfig, FusionOptions, fuse
from beliefmerge.fusion import limits as fusion_limits
from beliefmerge.fusion import order as fusion_order
from beliefmerge.fusion import snapshot as fusion_snapshot
from beliefmerge.fusion.dedup import deduplicate
from beliefmerge.fusion.manifest import read_manifest
from beliefmerge.fusion.message import Role, milliseconds, project
from beliefmerge.fusion.readback import OPENING
from beliefmerge.session.model import Channel
from beliefmerge.session.readers import read_session
from beliefmerge.session.strands import LEFT_OUT
from tests.fusing import CALLER, forks, fused, slowly_merged, texts

EXAMPLES = settings(max_examples=60)
FEW = settings(max_examples=25)


def sequences_of(sessions, active=True):
    unique = deduplicate(project(sessions), active=active)
    return unique.messages, unique.sequences


def keeps_order(order, own):
    places = {i: n for n, i in enumerate(order)}
    return [places[i] for i in own] == sorted(places[i] for i in own)


@EXAMPLES
@given(forks(most=4))
def test_merging_by_time_is_the_obvious_merge(sessions):
    messages, sequences = sequences_of(sessions)
    assert fusion_order.chronological(messages, sequences) == slowly_merged(messages, sequences)


@EXAMPLES
@given(forks(most=4), st.booleans())
def test_no_order_reorders_a_source(sessions, active):
    messages, sequences = sequences_of(sessions, active)
    by_time = fusion_order.chronological(messages, sequences)
    assert sorted(by_time) == list(range(len(messages)))
    grouped = fusion_order.by_source(sequences)
    assert sorted(grouped) == sorted(by_time)
    for own in sequences:
        first_here = [i for i in own if messages[i].refs[0].source == messages[own[0]].refs[0].source]
        assert keeps_order(grouped, first_here)
    if consistent(sequences):
        assert all(keeps_order(by_time, own) for own in sequences)


def consistent(sequences):
    """Whether one order agrees with all: no two messages stand both ways round."""
    before = {(a, b) for own in sequences for n, a in enumerate(own) for b in own[n + 1 :]}
    closure = set(before)
    while True:
        more = {(a, d) for a, b in closure for c, d in closure if b == c} - closure
        if not more:
            break
        closure |= more
    return not any((b, a) in closure for a, b in closure)


@EXAMPLES
@given(st.lists(texts, min_size=1, max_size=3), st.integers(64, 400))
def test_a_text_never_exceeds_its_limit_and_is_cut_between_code_points(parts, limit):
    from dataclasses import replace

    (source,) = project([session_of(parts)])
    assume(source.messages)
    message = source.messages[0]
    cut = fusion_limits.shorten(message, limit)
    assert fusion_snapshot.size(cut.text) <= limit
    assert fusion_limits.shorten(cut, limit) == cut
    if cut.cut:
        kept, _, rest = cut.text.rpartition("… [")
        assert rest == f"{cut.cut} bytes left out]"
        assert message.text.startswith(kept)
        assert fusion_snapshot.size(message.text) - fusion_snapshot.size(kept) == cut.cut
    else:
        assert replace(cut) == message


def session_of(parts):
    from tests.fusing import said, session

    return session("s", said("user", tuple(parts), "m"))


@EXAMPLES
@given(forks(), st.integers(256, 2000), st.integers(1, 6))
def test_the_whole_never_exceeds_its_limits_and_the_latest_stay(sessions, total, most):
    config = FusionConfig(max_fused_bytes=total, max_message_bytes=64, max_messages=most, max_title_bytes=8)
    result = unless_empty(lambda: fuse(sessions, CALLER, FusionOptions(config=config, out_format="openai")))
    assert result.kept_bytes <= total
    assert result.kept_messages <= most
    parts = result.kept_messages + result.deduplicated_messages + result.omitted_messages + result.pruned_messages
    assert parts == result.original_messages
    unlimited = fuse(sessions, CALLER, FusionOptions(config=FusionConfig(max_title_bytes=8), out_format="openai"))
    assert unlimited.kept_messages == result.kept_messages + result.omitted_messages
    assert ids(unlimited)[-result.kept_messages :] == ids(result)


def unless_empty(fusion):
    """What `fusion` gives, unless there is nothing to keep: that is another law's."""
    try:
        return fusion()
    except UsageError as error:
        nothing = "fits into maxFusedBytes" in str(error) or "no text of user" in str(error)
        if not nothing:
            raise
        return reject()


def ids(result):
    import json

    return [row["id"] for row in json.loads(result.text)["messages"][1:]]


@EXAMPLES
@given(forks(most=4))
def test_copies_by_id_count_once_and_equal_texts_stay(sessions):
    sources = project(sessions)
    unique = deduplicate(sources)
    everything = [message for source in sources for message in source.messages]
    assert len(unique.messages) == len({message.same for message in everything})
    assert unique.removed == len(everything) - len(unique.messages)
    assert {ref for message in unique.messages for ref in message.refs} == {m.refs[0] for m in everything}
    assert len(deduplicate(sources, active=False).messages) == len(everything)
    again = deduplicate([*sources, *sources])
    assert again.messages == unique.messages


@FEW
@given(forks(), st.booleans(), st.sampled_from(fusion_order.STRATEGIES), st.booleans())
def test_what_is_written_reads_back(sessions, dedup, strategy, compressed):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / ("log.jsonl.zstd" if compressed else "log.jsonl")
        result = unless_empty(lambda: fused(Path(folder), sessions, deduplicate=dedup, strategy=strategy, out=out))
        read, manifest = read_session(out), read_manifest(out)
        again = fused(Path(folder), sessions, deduplicate=dedup, strategy=strategy, out=out.with_name(f"2{out.name}"))
        assert Path(again.path).read_bytes() == out.read_bytes()
    assert (read.id, read.title, read.cwd) == ("fused", result.title, CALLER.cwd)
    assert len(read.messages) == OPENING + result.kept_messages
    by_ref = {message.refs[0]: message for source in project(sessions) for message in source.messages}
    names = [source["id"] for source in manifest["sources"]]
    for message, row in zip(read.messages[OPENING:], manifest["messages"], strict=True):
        original = by_ref[(names[row["refs"][0][0]], row["refs"][0][1])]
        assert row["seq"] == message.seq
        blocks = [block for block in message.blocks if block != LEFT_OUT]
        assert tuple(block.text for block in blocks) == original.texts
        assert {block.channel for block in blocks} == {original.role.channel}
        assert message.checkpoint == (original.role is Role.CHECKPOINT)
        assert row.get("timeMissing", False) == (original.time is None)
        assert original.time is None or milliseconds(message.time) == original.time
        assert message.id == original.id or message.id.startswith(f"{original.id}~")


@FEW
@given(forks())
def test_only_testimony_and_checkpoints_are_taken(sessions):
    taken = [message for source in project(sessions) for message in source.messages]
    spoken = {
        block.text
        for each in sessions
        for message in each.messages
        for block in message.blocks
        if block.channel in (Channel.USER, Channel.MODEL) or message.checkpoint
    }
    assert all(any(text in whole for whole in map(well, spoken)) for message in taken for text in message.texts)
    assert all(text.strip() for message in taken for text in message.texts)


def well(text):
    from beliefmerge.fusion.message import well_formed

    return well_formed(text)


@FEW
@given(forks(), st.integers(0, 2))
def test_a_fusion_repeated_in_a_source_changes_nothing(sessions, repeated):
    plain = fuse(sessions, CALLER, FusionOptions(out_format="markdown")) if has_text(sessions) else None
    assume(plain is not None)
    twice = [*sessions, sessions[repeated % len(sessions)]]
    assert fuse(twice, CALLER, FusionOptions(out_format="markdown")).text == plain.text


def has_text(sessions):
    return any(source.messages for source in project(sessions))
