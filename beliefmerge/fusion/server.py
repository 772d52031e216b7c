"""The tools over the Model Context Protocol, on standard input and output (the `mcp` package)."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, cast

from beliefmerge.errors import BeliefMergeError, UsageError
from beliefmerge.fusion.tools import TOOLS, Deployment, call
from beliefmerge.session.text import one_line

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult


def serve(deployment: Deployment) -> None:
    """Answer requests until standard input ends, or SIGINT or SIGTERM comes: what was read by then is answered.

    A second signal has its usual effect. Nothing but the protocol is written to standard output.

    Raises:
        UsageError: standard input or output is closed.
        OSError: nothing can be written any more.
    """
    import anyio
    from mcp.server.stdio import stdio_server

    from beliefmerge.fusion.answering import Unanswered
    from beliefmerge.fusion.stdin import lines

    if sys.stdin is None or sys.stdout is None:
        raise UsageError("standard input or output is closed: the protocol needs both")

    async def run() -> None:
        server = make_server(deployment)
        with lines() as stdin:
            async with stdio_server(stdin=cast("Any", stdin)) as (incoming, outgoing):
                unanswered = Unanswered()
                await server.run(
                    unanswered.reading(incoming), unanswered.writing(outgoing), server.create_initialization_options()
                )

    try:
        anyio.run(run)
    except BaseExceptionGroup as group:
        raise _first(group) from None


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of the operating system in `group`, however deep; `group` itself where there are others."""
    if group.split(OSError)[1] is not None:
        return group
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def make_server(deployment: Deployment) -> Server[Any]:
    """The server, not yet connected to anything."""
    from mcp.server.lowlevel import Server

    from beliefmerge import __version__

    async def list_tools(context: Any, parameters: Any) -> ListToolsResult:
        return _tools()

    async def call_tool(context: Any, parameters: CallToolRequestParams) -> CallToolResult:
        from anyio.to_thread import run_sync

        return await run_sync(_answer, deployment, parameters.name, dict(parameters.arguments or {}))

    return Server("beliefmerge", version=__version__, on_list_tools=list_tools, on_call_tool=call_tool)


def _tools() -> ListToolsResult:
    from mcp.types import ListToolsResult, Tool, ToolAnnotations

    return ListToolsResult(
        tools=[
            Tool(
                name=tool.name,
                description=tool.description,
                input_schema=tool.parameters,
                annotations=ToolAnnotations(read_only_hint=tool.read_only, destructive_hint=False),
            )
            for tool in TOOLS
        ]
    )


def _answer(deployment: Deployment, name: str, arguments: dict[str, Any]) -> CallToolResult:
    """A tool's result, or its error as the one line that a person would see."""
    from mcp.types import CallToolResult, TextContent

    try:
        answer = call(deployment, name, arguments)
    except BeliefMergeError as error:
        return CallToolResult(content=[TextContent(type="text", text=one_line(str(error), 2000))], is_error=True)
    except OSError as error:
        return CallToolResult(content=[TextContent(type="text", text=one_line(str(error), 2000))], is_error=True)
    data = json.loads(json.dumps(answer.data))
    return CallToolResult(content=[TextContent(type="text", text=answer.text)], structured_content=data)
