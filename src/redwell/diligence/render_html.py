"""The report as one HTML file: no network, no fonts to fetch, prints well, and each citation opens its passage."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from jinja2 import Environment
from markupsafe import Markup, escape

from redwell.diligence.blocks import Badge, Cite, Inline, Layout, Line, Link, Strong
from redwell.journal.shown import shown

MOST_ROWS, OPEN_ROWS = 100, 60
"""A table of more rows shows so many of them and the rest when it is unfolded, or printed."""


def render_html(layout: Layout) -> str:
    """Everything from documents and models is escaped by the template engine; the page's policy forbids any request."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=_finalized)
    environment.globals |= {"inline": inline, "most_rows": MOST_ROWS, "open_rows": OPEN_ROWS}
    environment.tests["block"] = lambda block, name: type(block).__name__ == name
    source = files("redwell.diligence").joinpath("report.html").read_text(encoding="utf-8")
    script = source.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.from_string(source).render(layout=layout, script=f"'sha256-{digest}'")


def _finalized(value: object) -> object:
    """Every text that the template prints, but for what `inline` has made already."""
    return value if isinstance(value, Markup) else shown(str(value))


def inline(line: Line) -> Markup:
    return Markup("").join(_inline(part) for part in line)


def _inline(part: Inline) -> Markup:
    match part:
        case str():
            return escape(shown(part))
        case Cite(numbers):
            links = Markup("").join(
                Markup('<a class="cite" href="#c{n}" data-cite="{n}" aria-label="source {n}">{n}</a>').format(n=number)
                for number in numbers
            )
            return Markup('<span class="cites">{}</span>').format(links)
        case Link(target, text):
            return Markup('<a class="ref" href="#{}">{}</a>').format(target, shown(text))
        case Strong(text):
            return Markup("<strong>{}</strong>").format(shown(text))
        case Badge(text):
            return Markup('<span class="badge {}">{}</span>').format(text.lower(), text)
    raise TypeError(part)
