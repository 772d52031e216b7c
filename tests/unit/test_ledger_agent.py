"""An agent on a ledger: the planted-premise trajectory over HTTP, and the record that is kept of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from attribution.step import read_steps
from beliefmerge.errors import UsageError
from beliefmerge.ledger import transcript as transcripts
from beliefmerge.ledger.agent import Agent, Outcome
from beliefmerge.ledger.client import LedgerClient
from beliefmerge.ledger.context import parse
from beliefmerge.ledger.seal import Shim, Tool
from beliefmerge.ledger.transcript import BadTranscript, Step, StepEntry, Transcript, twin
from beliefmerge.ledger.verifier import Verifier
from beliefmerge.llm.protocol import Completion, ModelError
from tests.doubles.ledger import Service, fresh

PAGES = {
    "https://orsk-daily.com/dam": "The Elra dam was finished in 1893.",
    "https://elra-archive.org/dam": "The Elra dam was finished in 1901.",
    "https://hydro-survey.net/elra": "According to the survey, the Elra dam was finished in 1901.",
    "https://weather.org/today": "It rained all day in Orsk.",
}
PREMISE, *CORRECTIONS, _ = PAGES
DERIVED = "The Elra dam is older than the 1899 bridge."


class Scripted:
    """Says what its script says for the first key that occurs in the prompt."""

    name = "scripted"

    def __init__(self, script: dict[str, str]) -> None:
        self.script, self.prompts = script, []

    def complete(self, messages, *, schema=None, max_tokens=2048, temperature=0.0, seed=0) -> Completion:
        (message,) = messages
        self.prompts.append(message.content)
        said = next((reply for key, reply in self.script.items() if key in message.content), "I cannot tell.")
        return Completion(said, "stop", self.name)


def reader() -> Scripted:
    """Believes what stands first: a correction beats the premise where both are shown and it is presented higher."""
    return Scripted({"[verified] The Elra dam was finished in 1901": "1901", "1893": "1893", "1901": "1901"})


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    running = Service(tmp_path_factory.mktemp("ledger"))
    yield running
    running.close()


class World:
    """One tenant with a client a role, a tool that reads pages, and an agent."""

    def __init__(self, service: Service, path=None, model=None, **options) -> None:
        self.tenant = fresh()
        self.client = {role: service.client(role, self.tenant) for role in ("sealer", "agent", "verifier", "auditor")}
        self.shim = Shim(self.client["sealer"])
        self.shim.tools.add(Tool("page", lambda url: PAGES[url], url=lambda args: args["url"]))
        self.verifier = Verifier(self.client["verifier"])
        self.model = model or reader()
        self.agent = Agent(
            self.client["agent"],
            self.model,
            tools=self.shim.call,
            verifier=self.verifier,
            transcript=Transcript(path) if path else None,
            name="run",
            **options,
        )

    def entries(self):
        return {entry.id: entry for entry in self.client["agent"].context().entries}

    def check(self, target: str):
        known = self.entries()
        return self.verifier.check(known[target], list(known.values()))

    def sources(self) -> dict[str, tuple[int, int]]:
        return {each.source_id: (each.alpha, each.beta) for each in self.client["auditor"].audit().sources}


@pytest.mark.parametrize("contract", ["v1", "v2"])
def test_the_planted_premise_falls_with_what_rests_on_it_and_the_correction_dominates(service, tmp_path, contract):
    world = World(service, tmp_path / "steps.jsonl", contract=contract)
    premise = world.agent.observe("page", url=PREMISE)
    derived = world.agent.commit_claim(DERIVED, [premise.id], question="Which is older?")
    before = world.agent.answer("When was the dam finished?")
    assert before.text == "1893"
    assert PAGES[PREMISE] in before.step.prompt
    assert world.check(premise.id) is None

    first = world.agent.observe("page", url=CORRECTIONS[0])
    lone = world.check(premise.id)
    assert (lone.verdict.independent, lone.verdict.passed) == (1, False)
    assert world.entries()[premise.id].status == "active"

    second = world.agent.observe("page", url=CORRECTIONS[1])
    was = world.entries()
    found = world.check(premise.id)
    assert (found.verdict.independent, found.verdict.passed) == (2, True)
    assert set(found.origins) == {first.id, second.id}

    now = world.entries()
    assert (now[premise.id].status, now[derived].status) == ("retracted", "fallen")
    assert now[premise.id].belief_ppm <= was[premise.id].belief_ppm * 51 // 1000
    assert now[derived].belief_ppm <= was[derived].belief_ppm * 51 // 1000
    assert world.sources() == {"orsk-daily.com": (1, 2), "elra-archive.org": (2, 1), "hydro-survey.net": (2, 1)}

    after = world.agent.answer("When was the dam finished?")
    later = world.agent.answer("When was the dam finished?")
    shown = [[(e.tier.split()[0], e.entry_id) for e in answer.step.entries] for answer in (after, later)]
    if contract == "v2":
        assert (
            shown[0]
            == shown[1]
            == [("verified", id) for id in sorted([first.id, second.id], key=lambda i: (-now[i].belief_ppm, i))]
        )
        assert after.text == later.text == "1901"
        assert "1893" not in after.step.prompt
        assert DERIVED not in after.step.prompt
    else:
        assert ("RETRACTED", premise.id) in shown[0]
        assert premise.id not in [id for _, id in shown[1]]
        assert shown[0][:2] == shown[1][:2]
        assert {id for _, id in shown[0][:2]} == {first.id, second.id}
        assert "1893" not in later.step.prompt


def test_the_second_contract_shows_what_it_is_told_and_the_first_one_repeats_no_notice(service):
    world = World(service, contract="v1")
    premise = world.agent.observe("page", url=PREMISE)
    for url in CORRECTIONS:
        world.agent.observe("page", url=url)
    found = world.check(premise.id)
    notices = []
    for turn in range(4):
        if turn == 2:
            world.client["verifier"].restore(_restore(found))
        step = world.agent.answer("?").step
        prefixes = [prefix for prefix, _ in parse(_context(step))]
        notices.append(sum(prefix.startswith("RETRACTED") for prefix in prefixes))
    assert notices == [1, 0, 0, 0]
    assert world.check(premise.id).verdict.passed
    assert "[RETRACTED" in world.agent.answer("?").step.prompt


def _restore(found):
    from beliefmerge.ledger.wire import Restore

    return Restore(cascade=found.verdict.cascade, text="the archive withdrew its page")


def _context(step: Step) -> str:
    return "# Ledger context\n" + "".join(f"{entry.text}\n" for entry in step.entries)


def test_every_step_is_recorded_as_attribution_reads_it_and_its_prompt_is_what_the_model_saw(service, tmp_path):
    path = tmp_path / "steps.jsonl"
    world = World(service, path)
    assert world.agent.answer("Anything yet?").text == "I cannot tell."
    assert not path.exists()
    premise = world.agent.observe("page", url=PREMISE)
    claim = world.agent.conclude("When was the dam finished?", [premise.id])
    world.agent.answer("When was the dam finished?")
    steps = list(Transcript(path))
    assert [step.step_id for step in steps] == ["run-0002", "run-0003"]
    assert [step.prompt for step in steps] == world.model.prompts[1:]
    conclusion, answer = steps
    assert (conclusion.claim_id, conclusion.declared, conclusion.tenant) == (claim, (premise.id,), world.tenant)
    assert (answer.claim_id, answer.declared, answer.response) == ("run-0003", (), "1893")
    for step, read in zip(steps, read_steps(path), strict=True):
        assert read.prompt([True] * len(read.entries)) == step.prompt
        assert json.loads(path.read_text().splitlines()[0]).keys() == {
            *("step_id", "tenant", "claim_id", "entries", "template", "query", "response", "declared")
        }


def test_a_twin_is_the_same_trajectory_without_a_premise(service, tmp_path):
    world = World(service, tmp_path / "steps.jsonl")
    rain = world.agent.observe("page", url="https://weather.org/today")
    world.agent.answer("Did it rain?")
    premise = world.agent.observe("page", url=PREMISE)
    claim = world.agent.conclude("When was the dam finished?", [premise.id, rain.id])
    world.agent.answer("When was the dam finished?")
    steps = list(Transcript(tmp_path / "steps.jsonl"))
    other = twin(steps, world.model, without=premise.id)
    assert [step.response for step in steps] == ["I cannot tell.", "1893", "1893"]
    assert [step.response for step in other] == ["I cannot tell.", "I cannot tell.", "1893"]
    assert [[e.entry_id for e in step.entries] for step in other] == [
        [e.entry_id for e in step.entries if e.entry_id != premise.id] for step in steps
    ]
    assert other[1].declared == (rain.id,)
    bare = twin(steps, world.model, without=premise.id, with_descendants=True)
    assert [step.response for step in bare] == ["I cannot tell."] * 3
    assert claim not in [e.entry_id for step in bare for e in step.entries]
    both = Transcript(tmp_path / "both.jsonl")
    both.append(*steps, *other)
    assert len(read_steps(tmp_path / "both.jsonl")) == 6
    assert not twin(steps[:1], world.model, without=rain.id)


def test_a_question_that_names_the_places_of_a_template_is_asked_as_it_is(service, tmp_path):
    path = tmp_path / "steps.jsonl"
    world = World(service, path)
    world.agent.observe("page", url=PREMISE)
    asked = "What goes into {context}, and what into {query}?"
    world.agent.answer(asked)
    (prompt,) = world.model.prompts
    assert prompt.endswith(asked)
    assert [step.prompt([True]) for step in read_steps(path)] == [prompt]


def test_a_conjecture_is_supported_contradicted_or_left_open_by_what_is_observed(service):
    world = World(service)
    right = world.agent.conjecture("The Elra dam was finished in 1901.")
    assert world.entries()[right].tier == "conjecture"
    tested = world.agent.verify_conjecture(right, "page", url=CORRECTIONS[0])
    assert tested.outcome is Outcome.SUPPORTED
    assert world.entries()[tested.claim].parents == (tested.evidence.id,)
    wrong = world.agent.conjecture("The Elra dam was finished in 1777.")
    tested = world.agent.verify_conjecture(wrong, "page", url=CORRECTIONS[1])
    assert (tested.outcome, tested.contradiction.verdict.passed) == (Outcome.CONTRADICTED, True)
    assert world.entries()[wrong].status == "retracted"
    tested = world.agent.verify_conjecture(right, "page", url="https://weather.org/today")
    assert tested.outcome is Outcome.OPEN
    with pytest.raises(UsageError, match="no entry"):
        world.agent.verify_conjecture("0" * 64, "page", url=PREMISE)


@pytest.mark.parametrize(
    ("reply", "kept"), [(" It is 1893.\n", "It is 1893."), ("half \ud83d", "half \ufffd"), ("\ud83d\ude00", "😀")]
)
def test_what_a_model_says_is_kept_as_it_can_be_written(service, tmp_path, reply, kept):
    world = World(service, tmp_path / "steps.jsonl", model=Scripted({"dam": reply}))
    premise = world.agent.observe("page", url=PREMISE)
    claim = world.agent.conclude("When was the dam finished?", [premise.id])
    assert world.entries()[claim].text == kept
    world.agent.observe("page", url=CORRECTIONS[0])
    world.agent.answer("When was the dam finished?")
    steps = list(Transcript(tmp_path / "steps.jsonl"))
    assert [step.response for step in steps] == [kept, kept]
    assert [step.response for step in twin(steps, world.model, without=premise.id)] == [kept]


def test_a_model_that_says_nothing_commits_nothing(service):
    world = World(service, model=Scripted({"dam": " \n"}))
    premise = world.agent.observe("page", url=PREMISE)
    with pytest.raises(ModelError, match="empty reply"):
        world.agent.conclude("When was the dam finished?", [premise.id])
    assert list(world.entries()) == [premise.id]


def test_the_agent_holds_no_token_but_its_own(service):
    world = World(service)
    tokens = {role: client._http.headers["Authorization"] for role, client in world.client.items()}
    assert len(set(tokens.values())) == 4
    seen: set[int] = set()
    queue: list[object] = [world.agent]
    clients = []
    while queue:
        thing = queue.pop()
        if id(thing) in seen or isinstance(thing, str | bytes | int):
            continue
        seen.add(id(thing))
        if isinstance(thing, LedgerClient):
            clients.append(thing)
            continue
        queue += [*getattr(thing, "__dict__", {}).values(), getattr(thing, "__self__", None)]
    assert clients == [world.client["agent"]]


def test_an_agent_without_tools_or_a_verifier_says_so(service):
    agent = Agent(service.client("agent", fresh()), reader())
    with pytest.raises(UsageError, match="no tools"):
        agent.observe("page")
    with pytest.raises(UsageError, match="no verifier"):
        agent.verify_conjecture("0" * 64, "page")


def step(number: int, text: str = "x") -> Step:
    entry = StepEntry("0" * 64, "- [verified] x", "verified")
    return Step(f"s-{number:04d}", "t", "c", (entry,), "{context} {query}", "q", text)


def test_a_torn_last_line_is_not_read_and_the_next_append_takes_it_away(tmp_path):
    log = Transcript(tmp_path / "t.jsonl")
    log.append(step(1), step(2))
    whole = log.path.read_bytes()
    log.path.write_bytes(whole + b'{"step_id": "s-00')
    assert [s.step_id for s in log] == ["s-0001", "s-0002"]
    log.append(step(3))
    assert log.path.read_bytes().startswith(whole)
    assert [s.step_id for s in log] == ["s-0001", "s-0002", "s-0003"]
    log.path.write_bytes(b"x" * 200_000)
    log.append(step(4))
    assert [s.step_id for s in log] == ["s-0004"]


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    log = Transcript(tmp_path / "t.jsonl")
    log.append(step(1))
    before = log.path.read_bytes()
    real = os.pwrite

    def full(file, data, at):
        if at > len(before):
            raise OSError(28, "No space left on device")
        return real(file, data[:10], at)

    monkeypatch.setattr(transcripts.os, "pwrite", full)
    with pytest.raises(BadTranscript, match="No space left"):
        log.append(step(2))
    assert log.path.read_bytes() == before


APPEND = """
import sys
from beliefmerge.ledger.transcript import Step, StepEntry, Transcript

entry = StepEntry("0" * 64, "- [verified] x", "verified")
for number in range(int(sys.argv[2]), int(sys.argv[2]) + 40):
    step = Step(f"s-{number:04d}", "t", "c", (entry,), "{context} {query}", "q", "y" * 3000)
    Transcript(sys.argv[1]).append(step)
"""


def test_writers_in_two_processes_do_not_tear_each_others_lines(tmp_path):
    command = [sys.executable, "-c", APPEND, str(tmp_path / "t.jsonl")]
    writers = [subprocess.Popen([*command, start]) for start in ("100", "200")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    names = sorted(s.step_id for s in Transcript(tmp_path / "t.jsonl"))
    assert names == [f"s-{n:04d}" for n in (*range(100, 140), *range(200, 240))]


def test_a_line_that_is_no_step_is_named(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("{}\n")
    with pytest.raises(BadTranscript, match=r"t\.jsonl:1: not a step"):
        list(Transcript(path))
    with pytest.raises(BadTranscript, match="No such file"):
        list(Transcript(tmp_path / "none.jsonl"))
    with pytest.raises(BadTranscript, match="cannot write"):
        Transcript(tmp_path / "none" / "t.jsonl").append(step(1))
