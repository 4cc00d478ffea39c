"""From a model's name to a client: `openai:NAME`, `anthropic:NAME`, each with an optional `@url`, and `local:NAME`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from redwell.models.keys import find_key, variables
from redwell.models.types import Model
from redwell.models.wire import is_loopback, is_private

KINDS = ("openai", "anthropic", "local")


class ModelNameError(Exception):
    """A model that cannot be named, reached or paid as it was given, with the way out."""


@dataclass(frozen=True, slots=True)
class ModelName:
    """`kind:name@url` in its parts; `url` is empty for the provider's own address."""

    kind: str
    name: str
    url: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" + (f"@{self.url}" if self.url else "")


def parse_name(text: str) -> ModelName:
    """Raises ModelNameError when it is not `kind:name` with an optional `@http://...` or `@https://...`."""
    kind, colon, rest = text.strip().partition(":")
    at = max(rest.rfind("@http://"), rest.rfind("@https://"))
    name, url = (rest[:at], rest[at + 1 :]) if at >= 0 else (rest, "")
    if not colon or not kind or not name:
        raise ModelNameError(f"{text!r} is not the name of a model: write KIND:NAME, for example openai:gpt-5-mini")
    if "@" in name and (not url or "://" in name):
        # Without its scheme an address would pass for a part of the name, and the request would go to the provider's own server.
        raise ModelNameError(f"{text!r}: an address after @ begins with http:// or https://")
    if url:
        _check_url(text, url)
    return ModelName(kind, name, url.rstrip("/"))


def connect(text: str, *, environment: Mapping[str, str] | None = None) -> Model:
    """A client for `openai:`, `anthropic:` or `local:`. Nothing is sent, started or downloaded. Raises ModelNameError for another kind or a missing key.

    A server on this machine needs no key. The provider's own variable (OPENAI_API_KEY, ANTHROPIC_API_KEY) is not used for an
    address without TLS on another machine, nor for a server on this one; REDWELL_OPENAI_KEY and REDWELL_ANTHROPIC_KEY are.
    """
    if text.strip().startswith("local:"):
        from redwell.models.local import Local

        return Local(text.strip())
    name = parse_name(text)
    if name.kind not in KINDS:
        raise ModelNameError(
            f"{text!r}: there is no kind of model called {name.kind!r} here: use {', '.join(KINDS[:-1])} or {KINDS[-1]}"
        )
    near = bool(name.url) and (is_loopback(name.url) or not is_private(name.url))
    key = find_key(name.kind, own_only=near, environment=environment)
    if key is None and not near:
        needed = " or ".join(variables(name.kind))
        raise ModelNameError(
            f"{text!r} needs a key: set {needed}, or store it in the key ring (service redwell, name {name.kind})"
        )
    if name.kind == "openai":
        from redwell.models.openai_chat import HOME as OPENAI
        from redwell.models.openai_chat import OpenAIChat

        return OpenAIChat(str(name), name.name, name.url or OPENAI, key)
    from redwell.models.anthropic_messages import HOME as ANTHROPIC
    from redwell.models.anthropic_messages import AnthropicMessages

    return AnthropicMessages(str(name), name.name, name.url or ANTHROPIC, key)


def _check_url(text: str, url: str) -> None:
    wrong = ModelNameError(f"{text!r}: {url!r} is not the address of a server, such as http://127.0.0.1:8000/v1")
    try:
        parts = urlsplit(url)
        port_is_right = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        raise wrong from None
    if not parts.hostname or not port_is_right or parts.query or parts.fragment:
        raise wrong
    if parts.username or parts.password:
        raise ModelNameError(f"{text!r}: a key does not belong into the address: set REDWELL_OPENAI_KEY instead")
