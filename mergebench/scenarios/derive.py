"""Conclusions whose premise falls: along a chain and from a conjunction they fall too, with a second route they stay.

A premise falls when another branch says otherwise at stronger evidence. In turn, a premise carries

- a *chain*: P, so Q; Q, so R. Both conclusions fall;
- *routes*: P, so Q, but also H, so Q, and H holds: Q stays. P and H, so S: S falls.
"""

from __future__ import annotations

from beliefmerge.session.model import Channel
from mergebench.scenario import Family, Role, Topic
from mergebench.scenarios._draft import Draft, Line, Statement, Subject, ask, draw_subjects, generate, need, state
from mergebench.scenarios._wording import Wording, draw, shared
from mergebench.scenarios.bridge import deal

CHAIN, ROUTES = 3, 3
"""Topics of each structure; routes also take one of the singles, H."""

_REASONS = (
    "because {premise}, {conclusion}",
    "{premise}, so {conclusion}",
    "given that {premise}, {conclusion}",
    "{conclusion}, since {premise}",
    "{premise}; therefore {conclusion}",
)


def conclude(
    draft: Draft, subject: Subject, wording: Wording, premises: list[tuple[Subject, str, Wording]], *names: str
) -> Statement:
    """A sentence that concludes the first value of `subject` from premises, each with its value and wording."""
    rng = draft.stream("reason", subject.key, *names)
    because = " and ".join(premise.clause.format(v=value) for _, value, premise in premises)
    text = rng.choice(_REASONS).format(premise=because, conclusion=wording.clause.format(v=subject.values[0]))
    values = tuple(value for _, value, _ in premises)
    route = tuple((premise.key, value) for premise, value, _ in premises)
    return Statement(subject.key, subject.values[0], f"{text[0].upper()}{text[1:]}.", values, (route,))


def fall(draft: Draft, subject: Subject) -> tuple[str, Wording, Line]:
    """A premise: the model holds a value in the branch returned, another branch's user or tool holds the right one."""
    rng = draft.stream("premise", subject.key)
    here, there = rng.sample(draft.branches, 2)
    wording = shared(rng, subject.attribute, subject.name)
    other = wording
    strong = rng.choice((Channel.USER, Channel.TOOL))
    if rng.random() < draft.size.paraphrase:
        other = draw(rng, subject.attribute, subject.name, strong, unlike=wording)
    right, wrong = subject.values[:2]
    draft.say(there, draft.line(strong, state(subject, right, other), there))
    draft.topics.append(Topic(subject.key, Role.CONFLICT, (right,), (wrong,), subject.decoys))
    return here, wording, draft.line(Channel.MODEL, state(subject, wrong, wording), here)


def clause(draft: Draft, subject: Subject) -> Wording:
    """One wording for a conclusion."""
    return Wording("", shared(draft.stream("clause", subject.key), subject.attribute, subject.name).clause)


def add(draft: Draft, subject: Subject, role: Role) -> None:
    """Note down a concluded topic."""
    holds, fails = ((), subject.values[:1]) if role is Role.FALLEN else (subject.values[:1], ())
    draft.topics.append(Topic(subject.key, role, holds, fails, subject.decoys))


def chain(draft: Draft, p: Subject, q: Subject, r: Subject) -> None:
    """P, so Q; Q, so R; P falls."""
    here, wording, premise = fall(draft, p)
    q_clause = clause(draft, q)
    first = conclude(draft, q, q_clause, [(p, p.values[1], wording)])
    second = conclude(draft, r, clause(draft, r), [(q, q.values[0], q_clause)])
    draft.say(here, premise, draft.line(Channel.MODEL, first, here), draft.line(Channel.MODEL, second, here))
    add(draft, q, Role.FALLEN)
    add(draft, r, Role.FALLEN)


def routes(draft: Draft, p: Subject, q: Subject, s: Subject, h: Subject) -> None:
    """P, so Q; H, so Q; P and H, so S; P falls and H holds."""
    here, wording, premise = fall(draft, p)
    q_clause, h_clause = clause(draft, q), clause(draft, h)
    held = (h, h.values[0], h_clause)
    by_p = conclude(draft, q, q_clause, [(p, p.values[1], wording)], "p")
    by_h = conclude(draft, q, q_clause, [held], "h")
    by_both = conclude(draft, s, clause(draft, s), [(p, p.values[1], wording), held])
    lines = [draft.line(Channel.MODEL, statement, here, str(i)) for i, statement in enumerate((by_p, by_h, by_both))]
    draft.say(here, premise, *lines)
    add(draft, q, Role.KEPT)
    add(draft, s, Role.FALLEN)


def fill(draft: Draft) -> None:
    """Chains and routes in turn, one a conflict, among singles, the first of which are premises that hold."""
    size = draft.size
    used = sum(ROUTES if number % 2 else CHAIN for number in range(size.conflicts))
    need(
        draft,
        used + size.branches + size.conflicts // 2,
        f"conflicts={size.conflicts} with branches={size.branches}",
    )
    subjects = draw_subjects(draft, size.topics)
    held = subjects[used:]
    told = deal(draft, held)
    start = 0
    for number in range(size.conflicts):
        if number % 2:
            p, q, s = subjects[start : start + ROUTES]
            routes(draft, p, q, s, held[number // 2])
            start += ROUTES
        else:
            p, q, r = subjects[start : start + CHAIN]
            chain(draft, p, q, r)
            start += CHAIN
    retold = [subject.key for subject in held[: size.conflicts // 2]]
    ask(draft, {k: v for k, v in told.items() if k not in retold}, subjects, bridges=size.topics, shared=retold)


FAMILY = Family("conclusions along chains and routes; a premise falls", generate("derive", fill))
