"""The tools over the Model Context Protocol, on standard input and output (the `mcp` package)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from beliefmerge.errors import BeliefMergeError
from beliefmerge.fusion.tools import TOOLS, Deployment, call
from beliefmerge.session.text import one_line

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult


def serve(deployment: Deployment) -> None:
    """Answer requests until standard input ends. Nothing but the protocol is written to standard output."""
    import anyio
    from mcp.server.stdio import stdio_server

    async def run() -> None:
        server = make_server(deployment)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(run)


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
