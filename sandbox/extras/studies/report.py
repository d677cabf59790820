"""Writes the pictures of a study, and its report.

The report is one HTML file, light or dark, that needs no network; a click on a heading sorts its table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from sandbox.extras.studies.draw import THEMES, draw, png_of, svg_of
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.panels import Picture
from sandbox.extras.studies.plots import pictures_of
from sandbox.extras.studies.showing import means_as_html, table_as_html
from sandbox.extras.studies.tables import program
from sandbox.files import make_folder, write_atomically
from sandbox.physics import PHYSICS

MOST_ROWS = 500
MOST_COLUMNS = 4
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
:root {{ {light} }}
@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
body {{ background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 1400px;
  margin: 0 auto; padding: 2rem }}
h1 {{ font-size: 1.6rem; margin: 0 }}
h2 {{ font-size: 1.15rem; margin: 2.5rem 0 0.2rem }}
p {{ margin: 0.2rem 0 1rem }}
.panels {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 1rem }}
@media (min-width: 1100px) {{ .panels {{ grid-template-columns: repeat(var(--columns), minmax(0, 1fr)) }} }}
.panels svg {{ width: 100%; height: auto; max-width: 640px }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
th, td {{ text-align: left; padding: 0.25rem 1.2rem 0.25rem 0; border-bottom: 1px solid var(--faint) }}
th {{ cursor: pointer }}
th[aria-sort=ascending]::after {{ content: " \\25b4" }}
th[aria-sort=descending]::after {{ content: " \\25be" }}
pre {{ background: color-mix(in srgb, var(--faint) 35%, transparent); padding: 1rem; overflow-x: auto;
  border-radius: 6px }}
details {{ margin: 0.6rem 0 }}
summary {{ cursor: pointer }}
</style>
<h1>{title}</h1>
<p>{about}</p>
{body}
<script>
for (const head of document.querySelectorAll("th")) {{
  head.tabIndex = 0;
  head.onkeydown = event => event.key === "Enter" && head.click();
  head.onclick = () => {{
    const down = head.ariaSort === "ascending", rows = [...head.closest("table").tBodies[0].rows];
    const text = row => row.cells[head.cellIndex].textContent;
    const number = row => parseFloat(text(row).replaceAll(",", ""));
    const some = rows.filter(row => text(row) !== "–"), none = rows.filter(row => text(row) === "–");
    some.sort((a, b) => number(a) - number(b) || text(a).localeCompare(text(b)));
    for (const other of head.parentNode.cells) other.ariaSort = null;
    head.ariaSort = down ? "descending" : "ascending";
    head.closest("table").tBodies[0].append(...(down ? some.reverse() : some), ...none);
  }};
}}
</script>
"""


def plot(folder: StudyFolder, out: Path) -> Iterator[Path]:
    """Write NAME.png and NAME-dark.png of each picture, and report.html; yield each path once it is written.

    Raises:
        StudyError: there is nothing to draw.
        WriteError: a file can't be written.
    """
    pictures = pictures_of(folder)
    make_folder(out)
    for picture in pictures:
        for theme in THEMES:
            path = out / (f"{picture.name}.png" if theme == "light" else f"{picture.name}-{theme}.png")
            write_atomically(path, png_of(draw(picture, theme)))
            yield path
    path = out / "report.html"
    write_atomically(path, _report(folder, pictures).encode())
    yield path


def _report(folder: StudyFolder, pictures: Sequence[Picture]) -> str:
    """Return the report as HTML."""
    study = folder.study
    done = folder.runs - folder.left()
    runs = f"{done:,} of {folder.runs:,} runs of {study.ticks:,} ticks"
    about = f"{runs}; points: {len(folder.design):,}, seeds of each: {study.repeats:,}"
    body = [line for picture in pictures for line in _picture(picture)]
    body += [*_failures(folder), "<h2>Means of each point</h2>", means_as_html(folder, MOST_ROWS), *_origin(folder)]
    light, dark = ("; ".join(f"--{name}: {value}" for name, value in look.items()) for look in THEMES.values())
    title = escape(f"Study of {study.scene_name}")
    return PAGE.format(title=title, about=about, body="\n".join(body), light=light, dark=dark)


def _picture(picture: Picture) -> Iterator[str]:
    yield f"<h2>{escape(picture.title)}</h2><p>{escape(picture.note)}</p>"
    yield f'<div class="panels" style="--columns: {min(picture.columns, MOST_COLUMNS)}">'
    yield from (svg_of(panel, f"{picture.name}-{number}") for number, panel in enumerate(picture.panels))
    yield "</div>"


def _failures(folder: StudyFolder) -> Iterator[str]:
    failed = folder.reasons().most_common()
    yield "<h2>Runs that failed</h2>"
    yield table_as_html(["runs", "why"], [[f"{count:,}", why] for why, count in failed]) if failed else "<p>None.</p>"


def _origin(folder: StudyFolder) -> Iterator[str]:
    """Yield a section with everything that determines the results, and how to reproduce them."""
    study = folder.study
    rows = [["program", f"{program()}, physics {PHYSICS}"], ["study", study.identity]]
    rows += [[f"mod {name}", digest] for name, digest in study.mods]
    yield "<h2>How to reproduce it</h2>"
    yield "<p>With this version of the program, every run comes out the same, to the last bit:</p>"
    yield "<pre>boids study run study.toml --out again/</pre>"
    yield table_as_html(["what", "which"], rows)
    yield f"<details><summary>study.toml</summary><pre>{escape(study.text)}</pre></details>"
    yield f"<details><summary>The scene</summary><pre>{escape(study.scene)}</pre></details>"
