"""Self-contained HTML pages with pictures and, as tables, the numbers behind them.

A page loads nothing from the network and runs no script. It follows the light or dark setting of
the reader's system.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from rulekit.experiments.plots import DARK, LIGHT, Picture


def document(lang: str, title: str, body: str) -> str:
    """Return the whole page."""
    return (
        f'<!doctype html>\n<html lang="{escape(lang)}">\n<head>\n<meta'
        f' charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta'
        ' name="color-scheme" content="light dark">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:;'
        " style-src 'unsafe-inline'\">\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def header(title: str, facts: Iterable[tuple[str, str]], note: str) -> str:
    """Return the header: the title, the facts as a list, and a note on how to read the page."""
    rows = "".join(
        f"<div><dt>{escape(head)}</dt><dd>{escape(value)}</dd></div>" for head, value in facts
    )
    return (
        f"<header>\n<h1>{escape(title)}</h1>\n<dl>{rows}</dl>\n<p>{escape(note)}</p>\n</header>\n"
    )


def folded(summary: str, numbers: str) -> str:
    """Return numbers in a section that is collapsed at first."""
    return f"<details>\n<summary>{escape(summary)}</summary>\n{numbers}</details>\n"


def figure(picture: Picture, caption: str) -> str:
    """Return a picture in its light and dark versions, with a caption."""
    light, dark = (
        f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
        for svg in (picture.light, picture.dark)
    )
    return (
        f'<figure>\n<picture>\n<source media="(prefers-color-scheme: dark)" srcset="{dark}">\n'
        f'<img src="{light}" alt="{escape(picture.alt_text)}">\n'
        f"</picture>\n<figcaption>{escape(caption)}</figcaption>\n</figure>\n"
    )


def table(heads: Sequence[str], lines: Iterable[Sequence[str]], words: int) -> str:
    """Return a table. The first `words` columns hold text, the others numbers."""
    sorts = ["" if i < words else ' class="n"' for i in range(len(heads))]
    head = "".join(
        f'<th scope="col"{sort}>{escape(text)}</th>'
        for sort, text in zip(sorts, heads, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f"<td{sort}>{escape(cell)}</td>" for sort, cell in zip(sorts, line, strict=True))
        + "</tr>\n"
        for line in lines
    )
    return (
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


_STYLE = f"""
:root {{
  color-scheme: light dark; --ground: {LIGHT.ground}; --ink: {LIGHT.ink}; --faint: {LIGHT.faint};
  --soft: #6a6457;
}}
@media (prefers-color-scheme: dark) {{ :root {{
  --ground: {DARK.ground}; --ink: {DARK.ink}; --faint: {DARK.faint}; --soft: #b5ae9e;
}} }}
body {{
  margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}}
main {{ max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }}
h1 {{ font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; }}
h2 {{
  font-size: 1.2rem; margin: 2.6rem 0 .6rem; border-bottom: 1px solid var(--faint);
  padding-bottom: .25rem;
}}
dl {{ display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: 0 0 1rem; }}
dt {{ color: var(--soft); font-size: .85rem; }} dd {{ margin: 0; }}
figure {{ margin: 1rem 0 1.4rem; }} img {{ width: 100%; height: auto; display: block; }}
figcaption, header p {{ color: var(--soft); font-size: .9rem; }}
summary {{ cursor: pointer; color: var(--soft); }} .wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .88rem; margin: .6rem 0; }}
th, td {{
  text-align: left; padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--faint);
  vertical-align: top;
}}
th {{ font-weight: 600; }}
th.n, td.n {{
  text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
}}
@media print {{ details::details-content {{ display: block; }} }}
"""
