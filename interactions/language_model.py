"""Has a language model choose exactly one tool: bounded in time and size, the fallback after the first, its prose dropped.

The models are the operator's (``defaults.fast_llm``, then ``defaults.fallback_llm``), behind OpenAI-compatible addresses.
Asking waits, so only an effect may do it. What was said, what was answered and the keys reach no log.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import ssl
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx2
from pydantic import BaseModel, ValidationError

from interactions import configuration
from interactions.configuration import ModelEntry
from interactions.contracts import AbandonedError, EffectError, NoAnswerError, NotSentError, StrangeAnswerError, TurnedDownError

LOOK_S = 0.1  # how often whoever waits asks whether anybody still waits for them
GRACE_S = 0.2  # how much later than its own bound an attempt is given up from outside
LEAST_S = 0.05  # what is left of a budget below this is not worth an attempt
LARGEST_BODY = 256_000
NO_KEY = "none"  # the library insists on one; it is not sent
# What the protocol needs. The library would add what it finds in the environment, and what kind of machine this is.
HEADERS = frozenset({"host", "accept", "content-type", "content-length", "user-agent", "connection"})

log = logging.getLogger(__name__)

Tools = Mapping[str, type[BaseModel]]  # by name; the docstring of its arguments says when a tool is meant


@dataclass(frozen=True, slots=True)
class Chosen:
    """The one tool of an answer, its arguments as its schema takes them."""

    tool: str
    arguments: BaseModel


def models() -> tuple[str, ...]:
    """The names of those that are asked, first to last; empty where the operator has configured none."""
    defaults = configuration.current().host.defaults
    return tuple(dict.fromkeys(name for name in (defaults.fast_llm, defaults.fallback_llm) if name is not None))


def budget_s() -> float:
    """The wall clock of all attempts together, as an effect states it."""
    return 2 * configuration.current().host.limits.llm_attempt_s


def preload() -> None:
    """Import the client library now (a second), in a process that will ask; it opens nothing. Others never pay for it."""
    import anyio._backends._asyncio  # noqa: F401
    import openai.lib._tools
    import openai.resources.chat.completions.completions  # noqa: F401

    _tls()
    logging.getLogger("openai").setLevel(logging.CRITICAL)  # at debug level it writes whole requests


def ask(instructions: str, shown: str, tools: Tools, *, within_s: float, abandoned: Callable[[], bool]) -> Chosen:
    """Put ``shown`` to the models in turn until one answers. No answer raises NoAnswerError; one that is not exactly one known
    tool with fitting arguments is an answer all the same, and raises TurnedDownError.
    """
    ends = time.monotonic() + within_s
    failure: EffectError = NotSentError("no_model", "Name a model in defaults.fast_llm of config.yml.")
    for name, entry, key in _entries():
        left_s = min(configuration.current().host.limits.llm_attempt_s, ends - time.monotonic())
        if left_s < LEAST_S:
            break
        try:
            asking = _exchange(entry, key, instructions, shown, tools, within_s=left_s)
            return _chosen(_waited(asking, left_s, abandoned), tools)
        except NoAnswerError as error:
            failure = error
            log.warning("language model %s did not answer: %s", name, error.code)
        except TurnedDownError as error:
            log.warning("language model %s: its answer is refused: %s", name, error.code)
            raise
    raise failure


def _entries() -> Iterator[tuple[str, ModelEntry, str]]:
    found = configuration.current()
    for name in models():
        yield name, found.host.models[name], found.keys.get(name, "")


def _waited(asking: Coroutine[Any, Any, bytes], bound_s: float, abandoned: Callable[[], bool]) -> bytes:
    """What comes of ``asking`` on a thread of its own, so that a hung line neither outlasts its bound nor hides a stop."""
    answered: concurrent.futures.Future[bytes] = concurrent.futures.Future()
    threading.Thread(target=_run, args=(asking, answered), name="language-model", daemon=True).start()
    ends = time.monotonic() + bound_s + GRACE_S
    while True:
        try:
            return answered.result(timeout=min(LOOK_S, max(0.01, ends - time.monotonic())))
        except TimeoutError:
            if abandoned():  # what is in flight ends by its own bound, and nobody reads it
                raise AbandonedError from None
            if time.monotonic() >= ends:
                raise NoAnswerError("timeout") from None


def _run(asking: Coroutine[Any, Any, bytes], answered: concurrent.futures.Future[bytes]) -> None:
    try:
        answered.set_result(asyncio.run(asking))
    except EffectError as error:
        answered.set_exception(error)
    except Exception as error:  # noqa: BLE001  the edge of the thread; its type alone, since a message may quote what was said
        log.error("asking a language model raised %s", type(error).__name__)
        answered.set_exception(NoAnswerError("client_fault"))


async def _exchange(entry: ModelEntry, key: str, instructions: str, shown: str, tools: Tools, *, within_s: float) -> bytes:
    """One request, one answer, as it came."""
    import openai

    try:
        async with (
            asyncio.timeout(within_s),
            httpx2.AsyncClient(transport=_Line(key), timeout=within_s, follow_redirects=False, trust_env=False) as http,
        ):
            client = openai.AsyncOpenAI(
                api_key=key or NO_KEY, base_url=entry.url, http_client=http, timeout=within_s, max_retries=0
            )
            answer = await client.chat.completions.with_raw_response.create(
                model=entry.model,
                messages=[{"role": "system", "content": instructions}, {"role": "user", "content": shown}],
                tools=[openai.pydantic_function_tool(arguments, name=name) for name, arguments in tools.items()],
                tool_choice="auto",  # prose is how a model says that none of them fits
                parallel_tool_calls=False,
            )
            return answer.content
    except (TimeoutError, openai.APITimeoutError):
        raise NoAnswerError("timeout") from None
    except openai.APIStatusError as error:
        raise NoAnswerError(f"http_{error.status_code}") from None
    except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise (error.__cause__ if isinstance(error.__cause__, NoAnswerError) else NoAnswerError("unreachable")) from None


class _Line(httpx2.AsyncBaseTransport):
    """The line beneath the library: its own headers only, the key where there is one, and no more of an answer than is sane."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._inner = httpx2.AsyncHTTPTransport(verify=_tls(), trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = {name: value for name, value in request.headers.items() if name in HEADERS}
        headers |= {"authorization": f"Bearer {self._key}"} if self._key else {}
        sent = httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )
        response = await self._inner.handle_async_request(sent)
        body = bytearray()
        try:
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > LARGEST_BODY:
                    raise StrangeAnswerError("too_large")
        finally:
            await response.aclose()
        kept = {name: response.headers[name] for name in ("content-type",) if name in response.headers}
        return httpx2.Response(response.status_code, headers=kept, content=bytes(body))

    async def aclose(self) -> None:
        await self._inner.aclose()


@cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=True)  # built once in a process


# ---- what came, as far as it is looked at -------------------------------------------------------------------------------


class _Function(BaseModel):
    name: str
    arguments: str


class _ToolCall(BaseModel):
    function: _Function


class _Message(BaseModel):
    tool_calls: list[_ToolCall] | None = None


class _Choice(BaseModel):
    message: _Message


class _Answer(BaseModel):
    choices: list[_Choice]


def _chosen(content: bytes, tools: Tools) -> Chosen:
    try:
        choices = _Answer.model_validate_json(content).choices
    except ValidationError:
        raise StrangeAnswerError from None
    calls = [call.function for choice in choices for call in choice.message.tool_calls or ()]
    if len(calls) != 1:
        raise TurnedDownError("several_tools" if calls else "no_tool")
    if calls[0].name not in tools:
        raise TurnedDownError("unknown_tool")
    try:
        return Chosen(calls[0].name, tools[calls[0].name].model_validate_json(calls[0].arguments, strict=True))
    except ValidationError:
        raise TurnedDownError("wrong_arguments") from None
