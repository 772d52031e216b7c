"""Small session files of every format, written as the tools write them.

A conversation is a list of turns ``(channel, text)``; `build` gives the bytes of a file in one format, `values` the
JSON values in it (one for each line, or the one document), for tests that change them. The record builders below make
single records for tests about one format.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import zstandard

Turn = tuple[str, str]
Json = dict[str, Any]

TALK: list[Turn] = [
    ("injected", "Sandbox: read only."),
    ("user", "Which port does the proxy use?"),
    ("reasoning", "Look at the config."),
    ("model", "I look."),
    ("tool", "port=8080"),
    ("model", "The port is 8080."),
    ("user", "Good."),
]
NOW = 1_790_000_000


def lines(records: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def stamp(i: int) -> str:
    return f"2026-10-01T10:{i // 60 % 60:02d}:{i % 60:02d}.000Z"


def plain(turns: Sequence[Turn], session: str = "s-1") -> Json:
    messages = [{"channel": c, "text": t, "id": f"m{i}", "time": NOW + i} for i, (c, t) in enumerate(turns)]
    return {"id": session, "title": "Ports", "trust": 1, "messages": messages}


def openai(turns: Sequence[Turn], session: str | None = None) -> Json:
    roles = {"user": "user", "model": "assistant", "tool": "tool", "injected": "system"}
    messages: list[Json] = []
    for channel, text in turns:
        if channel == "reasoning":
            messages.append({"role": "assistant", "content": None, "reasoning_content": text})
        else:
            messages.append({"role": roles[channel], "content": text})
    return {"messages": messages} | ({"id": session} if session else {})


def claude_user(uuid: str, parent: str | None, content: Any, i: int = 0, **more: Any) -> Json:
    return claude_record("user", uuid, parent, i, message={"role": "user", "content": content}, **more)


def claude_reply(uuid: str, parent: str | None, part: Any, reply: str | None = None, i: int = 0, **more: Any) -> Json:
    part = {"type": "text", "text": part} if isinstance(part, str) else part
    message = {"id": reply or f"msg_{uuid}", "type": "message", "model": "m", "role": "assistant", "content": [part]}
    return claude_record("assistant", uuid, parent, i, message=message, **more)


def claude_result(uuid: str, parent: str | None, call: str, content: Any, i: int = 0, **more: Any) -> Json:
    return claude_user(uuid, parent, [{"type": "tool_result", "tool_use_id": call, "content": content}], i, **more)


def claude_call(call: str, name: str = "Bash", **arguments: Any) -> Json:
    return {"type": "tool_use", "id": call, "name": name, "input": arguments}


def claude_record(kind: str, uuid: str, parent: str | None, i: int = 0, **more: Any) -> Json:
    record = {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "c-1", "isSidechain": False}
    return record | {"timestamp": stamp(i), "cwd": "/home/u/p", "version": "2.0.0"} | more


def claude_code(turns: Sequence[Turn], session: str = "c-1") -> list[Json]:
    records: list[Json] = []
    parent: str | None = None
    for i, (channel, text) in enumerate(turns):
        uuid = f"u{i:07d}-0000"
        if channel == "model":
            record = claude_reply(uuid, parent, text, i=i)
        elif channel == "reasoning":
            record = claude_reply(uuid, parent, {"type": "thinking", "thinking": text, "signature": "s"}, i=i)
        elif channel == "tool":
            record = claude_result(uuid, parent, "t0", text, i)
        else:
            record = claude_user(uuid, parent, text, i, **({"isMeta": True} if channel == "injected" else {}))
        records.append(record | {"sessionId": session})
        parent = uuid
    return records


def dsh_header(session: str = "s-1", version: int = 4, **more: Any) -> Json:
    header = {"type": "session", "version": version, "id": session, "createdAt": NOW * 1000, "delegationDepth": 0}
    return header | {"cwd": "/home/u/p"} | ({"isSeeded": False} if version >= 2 else {}) | more


def dsh_event(kind: str, seq: int, data: Any = None, **more: Any) -> Json:
    return {"type": kind, "seq": seq, "time": NOW * 1000 + seq, "data": {} if data is None else data} | more


def dsh_text(text: str) -> list[Json]:
    return [{"type": "text", "text": text}]


def dsh_user(seq: int, text: str, id: str | None = "", kind: str = "user", op: Any = "append", **more: Any) -> Json:
    data: Json = {"id": f"u{seq}" if id == "" else id, "role": "user", "content": dsh_text(text)}
    data["source"] = {"kind": kind}
    if id is None:
        del data["id"]
    return dsh_event("user/message", seq, data, surfaceOp=op, **more)


def dsh_reply(seq: int, content: Any, **more: Any) -> Json:
    content = dsh_text(content) if isinstance(content, str) else content
    source = {"kind": "model", "provider": "p", "model": "m"}
    message = {"id": f"a{seq}", "role": "assistant", "content": content, "source": source}
    data = {"turn": 1, "step": 1, "stream": [], "message": message}
    return dsh_event("assistant/message", seq, data, surfaceOp="append") | more


def dsh_result(seq: int, text: str, version: int = 4) -> Json:
    message: Json = {"id": f"t{seq}", "source": {"kind": "tool", "callId": "c"}}
    if version >= 4:
        message |= {"role": "tool", "toolCallId": "c", "content": dsh_text(text)}
    else:
        wrapper = {"type": "tool-result", "toolCallId": "c", "content": dsh_text(text)}
        message |= {"role": "user", "content": [wrapper]}
    return dsh_event("tool/result", seq, {"turn": 1, "step": 1, "message": message}, surfaceOp="append")


def dsh_replace(seq: int, text: str, start: int, end: int, version: int = 4, sources: Any = None) -> Json:
    keys = ("startSeq", "endSeq") if version >= 3 else ("start", "end")
    operation = {"op": "replace", keys[0]: start, keys[1]: end}
    more = {"sourceEventSeqs": sources} if sources is not None else {}
    return dsh_user(seq, text, kind="compact-checkpoint", op=operation, **more)


def dsh(turns: Sequence[Turn], session: str = "s-1", version: int = 4) -> list[Json]:
    records = [dsh_header(session, version), dsh_event("turn/start", 0, {"turn": 1})]
    for seq, (channel, text) in enumerate(turns, 1):
        if channel == "model":
            records.append(dsh_reply(seq, text))
        elif channel == "reasoning":
            records.append(dsh_reply(seq, [{"type": "reasoning", "text": text}]))
        elif channel == "tool":
            records.append(dsh_result(seq, text, version))
        else:
            plugin = "plugin:sandbox" if version >= 4 else "plugin"
            records.append(dsh_user(seq, text, kind=plugin if channel == "injected" else "user"))
    return [*records, dsh_event("turn/end", len(turns) + 1, {"turn": 1, "reason": {"kind": "completed"}})]


def frames(*batches: Iterable[Any] | bytes) -> bytes:
    """A zstd file with a frame for each batch of records (or bytes)."""
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    return b"".join(compressor.compress(each if isinstance(each, bytes) else lines(each)) for each in batches)


def codex_record(kind: str, payload: Any, i: int = 0) -> Json:
    return {"timestamp": stamp(i), "type": kind, "payload": payload}


def codex_meta(session: str = "k-1", i: int = 0, **more: Any) -> Json:
    return codex_record("session_meta", {"id": session, "cwd": "/home/u/p", "cli_version": "0.50.0"} | more, i)


def codex_said(role: str, text: str, i: int = 0) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text}]
    return codex_record("response_item", {"type": "message", "role": role, "content": content}, i)


def codex_turn(turn: str, i: int = 0) -> Json:
    return codex_record("turn_context", {"turn_id": turn, "cwd": "/home/u/p", "model": "m"}, i)


def codex(turns: Sequence[Turn], session: str = "k-1") -> list[Json]:
    records = [codex_meta(session)]
    roles = {"user": "user", "model": "assistant", "injected": "developer"}
    for i, (channel, text) in enumerate(turns, 1):
        if channel == "reasoning":
            summary = [{"type": "summary_text", "text": text}]
            records.append(codex_record("response_item", {"type": "reasoning", "summary": summary}, i))
        elif channel == "tool":
            output = {"type": "function_call_output", "call_id": "c", "output": text}
            records.append(codex_record("response_item", output, i))
        else:
            records.append(codex_said(roles[channel], text, i))
            if channel == "user":
                records.append(codex_record("event_msg", {"type": "user_message", "message": text}, i))
    return records


def chatgpt_node(id: str, parent: str | None, role: str = "user", text: Any = "…", **more: Any) -> Json:
    message = {"id": id, "author": {"role": role}, "create_time": NOW + 0.5, "recipient": "all"}
    message |= {"content": {"content_type": "text", "parts": [text]}} | more
    return {"id": id, "parent": parent, "children": [], "message": message}


def chatgpt_conversation(nodes: Iterable[Json], current: str | None, session: str = "g-1") -> Json:
    mapping = {node["id"]: node for node in nodes}
    return {"conversation_id": session, "title": "Ports", "current_node": current, "mapping": mapping}


def chatgpt(turns: Sequence[Turn], session: str = "g-1") -> list[Json]:
    nodes: list[Json] = [{"id": "n-root", "parent": None, "children": [], "message": None}]
    roles = {"user": "user", "model": "assistant", "tool": "tool", "injected": "system", "reasoning": "assistant"}
    for i, (channel, text) in enumerate(turns):
        node = chatgpt_node(f"n{i}", nodes[-1]["id"], roles[channel], text)
        if channel == "reasoning":
            node["message"]["content"] = {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": text}]}
        nodes.append(node)
    return [chatgpt_conversation(nodes, nodes[-1]["id"], session)]


def claude_ai_row(uuid: str, parent: str | None, sender: str, content: list[Json], i: int = 0) -> Json:
    root = "00000000-0000-4000-8000-000000000000"
    row = {"uuid": uuid, "sender": sender, "text": "", "content": content, "created_at": stamp(i)}
    return row | {"parent_message_uuid": parent or root, "attachments": [], "files": []}


def claude_ai(turns: Sequence[Turn], session: str = "w-1") -> list[Json]:
    rows: list[Json] = []
    parent = None
    for i, (channel, text) in enumerate(turns):
        part: Json = {"type": "text", "text": text}
        if channel == "reasoning":
            part = {"type": "thinking", "thinking": text}
        elif channel == "tool":
            part = {"type": "tool_result", "content": [{"type": "text", "text": text}]}
        senders = {"user": "human", "injected": "system"}
        rows.append(claude_ai_row(f"r{i}", parent, senders.get(channel, "assistant"), [part], i))
        parent = f"r{i}"
    return [{"uuid": session, "name": "Ports", "chat_messages": rows}]


BUILDERS: dict[str, Callable[[Sequence[Turn], str], Any]] = {
    "chatgpt": chatgpt,
    "claude_ai": claude_ai,
    "claude_code": claude_code,
    "codex": codex,
    "dsh": dsh,
    "openai": openai,
    "plain": plain,
}
DOCUMENTS = {"chatgpt", "claude_ai", "openai", "plain"}
"""Formats whose file is one JSON document; the others have a value a line."""


def values(form: str, turns: Sequence[Turn] = TALK, session: str = "s-1") -> Any:
    """The JSON values of a file: the document, or a list of records."""
    return BUILDERS[form](turns, session)


def write(form: str, content: Any) -> bytes:
    """The bytes of a file with these JSON values."""
    return json.dumps(content).encode() if form in DOCUMENTS else lines(content)


def build(form: str, turns: Sequence[Turn] = TALK, session: str = "s-1") -> bytes:
    """The bytes of a file of a format in which these turns were spoken."""
    return write(form, values(form, turns, session))
