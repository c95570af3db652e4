"""The MCP server itself, from the package's own parts: lists the tools that are served and runs one of them."""

from __future__ import annotations

import inspect
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from mcp_types import (
    Tool as ListedTool,
)

from swiggy_instamart.sandbox import (
    forms,
    tools_addresses,
    tools_cart,
    tools_checkout,
    tools_orders,
    tools_payment,
    tools_search,
)
from swiggy_instamart.sandbox.tool import BROKEN_OUTPUT, Answer, Tool
from swiggy_instamart.sandbox.world import RefusalError, World

ROOMS = (tools_addresses, tools_search, tools_cart, tools_checkout, tools_payment, tools_orders)
TOOLS: dict[str, Tool] = {tool.name: tool for room in ROOMS for tool in room.TOOLS}


def _listed(world: World, tool: Tool) -> ListedTool:
    broken = dict(BROKEN_OUTPUT) if world.switches.output_schema == "broken" else None
    return ListedTool(name=tool.name, description=tool.description, input_schema=tool.schema(), output_schema=broken)


def _unknown(world: World, name: str) -> CallToolResult:
    message = f"MCP error {INVALID_PARAMS}: Tool {name} not found"
    if world.switches.unknown_tool == "rpc":
        raise MCPError(code=INVALID_PARAMS, message=message)
    return CallToolResult.model_validate(forms.error(message))


def build(world: World) -> StreamableHTTPSessionManager:
    """A stateless streamable HTTP server: nothing is kept between two requests but the world."""

    async def list_tools(ctx: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(world, tool) for tool in TOOLS.values()])

    async def call_tool(ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> CallToolResult:
        assert ctx.request is not None
        exchange = ctx.request.scope["sandbox"]  # put there by wire: the ledger's entry and the form of the result
        call, form = exchange.call, exchange.form
        tool = TOOLS.get(params.name)
        if tool is None:
            call.outcome = "unknown tool"
            return _unknown(world, params.name)
        args = params.arguments or {}
        try:
            tool.check(args)
            given = tool.run(world, args, call)
            answer: Answer = await given if inspect.isawaitable(given) else given
            envelope, prose, call.outcome = forms.success(answer.data, answer.message), answer.prose, "done"
        except RefusalError as refused:
            envelope, prose = forms.failure(str(refused)), f"Error: {refused}"
            call.outcome, call.message = "refused", str(refused)
        world.commit(call)
        return CallToolResult.model_validate(forms.render(envelope, prose=prose, form=form, tool=params.name))

    server: Server[Any] = Server("swiggy-instamart", version="1.0.0", on_list_tools=list_tools, on_call_tool=call_tool)
    return StreamableHTTPSessionManager(server, json_response=True, stateless=True)
