"""Makes a study's report: one HTML file with interactive pictures, light or dark, that needs no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.metadata import version
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

from sandbox.extras.studies.draw import COLOURS, THEMES
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.panels import Bars, Cloud, Heat, Line, Panel, Picture, Plane, is_scale, shown
from sandbox.extras.studies.showing import means_as_html, table_as_html
from sandbox.physics import PHYSICS

BLUE = "#2b87d1"  # has enough contrast to both backgrounds
SOFT = "rgba(43, 135, 209, 0.25)"
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
.panel {{ min-width: 0; max-width: 640px }}
.panel h3 {{ font-size: 0.95rem; margin: 0.5rem 0 0; white-space: pre-line }}
.panel p {{ font-size: 0.85rem; text-align: center; white-space: pre-line }}
.js-plotly-plot :is(.xtick, .ytick, .cbaxis) text, .js-plotly-plot text.ytitle {{ fill: var(--ink) !important }}
.js-plotly-plot :is(path.xgrid, path.ygrid, path.zl, .zerolinelayer path) {{ stroke: var(--faint) !important }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums }}
th, td {{ text-align: left; padding: 0.25rem 1.2rem 0.25rem 0; border-bottom: 1px solid var(--faint) }}
pre {{ background: color-mix(in srgb, var(--faint) 35%, transparent); padding: 1rem; overflow-x: auto;
  border-radius: 6px }}
details {{ margin: 0.6rem 0 }}
summary {{ cursor: pointer }}
</style>
<h1>{title}</h1>
<p>{about}</p>
{body}
<script>{plotly}</script>
<script id="figures" type="application/json">{figures}</script>
<script>
for (const [id, figure] of Object.entries(JSON.parse(document.getElementById("figures").textContent)))
  Plotly.newPlot(id, figure.data, figure.layout, {{ displayModeBar: false, responsive: true }});
</script>
"""


def report(folder: StudyFolder, pictures: Sequence[Picture]) -> str:
    """Return the report as HTML."""
    study = folder.study
    done = folder.runs - folder.left()
    runs = f"{done:,} of {folder.runs:,} runs of {study.ticks:,} ticks"
    about = f"{runs}; points: {len(folder.design):,}, seeds of each: {study.repeats:,}"
    body, figures = [], {}
    for picture in pictures:
        columns = min(picture.columns, MOST_COLUMNS)
        body += [f"<h2>{escape(picture.title)}</h2><p>{escape(picture.note)}</p>"]
        body += [f'<div class="panels" style="--columns: {columns}">']
        for number, panel in enumerate(picture.panels):
            name = f"{picture.name}-{number}"
            title, below = escape(panel.title), escape(panel.x_label)
            body += [f'<div class="panel"><h3>{title}</h3><div id="{name}"></div><p>{below}</p></div>']
            figures[name] = _figure(panel).to_plotly_json()
        body += ["</div>"]
    body += [*_failures(folder), "<h2>Means of each point</h2>", means_as_html(folder, MOST_ROWS), *_origin(folder)]
    light, dark = ("; ".join(f"--{name}: {value}" for name, value in look.items()) for look in THEMES.values())
    title = escape(f"Study of {study.scene_name}")
    said = to_json_plotly(figures).replace("<", "\\u003c")
    return PAGE.format(
        title=title, about=about, body="\n".join(body), light=light, dark=dark, plotly=get_plotlyjs(), figures=said
    )


def _failures(folder: StudyFolder) -> Iterator[str]:
    failed = folder.reasons().most_common()
    yield "<h2>Runs that failed</h2>"
    yield table_as_html(["runs", "why"], [[f"{count:,}", why] for why, count in failed]) if failed else "<p>None.</p>"


def _origin(folder: StudyFolder) -> Iterator[str]:
    """Yield a section with everything that determines the results, and how to reproduce them."""
    study = folder.study
    rows = [["program", f"boids-sandbox {version('boids-sandbox')}, physics {PHYSICS}"], ["study", study.identity]]
    rows += [[f"mod {name}", digest] for name, digest in study.mods]
    yield "<h2>How to reproduce it</h2>"
    yield "<p>With this version of the program, every run comes out the same, to the last bit:</p>"
    yield "<pre>boids study run study.toml --out again/</pre>"
    yield table_as_html(["what", "which"], rows)
    yield f"<details><summary>study.toml</summary><pre>{escape(study.text)}</pre></details>"
    yield f"<details><summary>The scene</summary><pre>{escape(study.scene)}</pre></details>"


# ---- pictures


def _figure(panel: Panel) -> Any:
    kinds: dict[type, Any] = {Line: _line, Heat: _heat, Cloud: _cloud, Bars: _bars}
    figure = go.Figure(layout={
        "height": 300, "margin": {"l": 10, "r": 10, "t": 10, "b": 0}, "font": {"size": 12}, "showlegend": False,
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)", "template": "none",
        "hoverlabel": {"bgcolor": "#1d2433", "bordercolor": "#1d2433", "font": {"color": "#ffffff"}},
        "xaxis": _axis(""), "yaxis": _axis(panel.y_label if isinstance(panel, Plane) else ""),
    })  # fmt: skip
    kinds[type(panel)](figure, panel)
    return figure


def _axis(label: str) -> dict[str, Any]:
    return {"title": {"text": escape(label).replace("\n", "<br>")}, "automargin": True, "zeroline": False}


def _line(figure: Any, panel: Line) -> None:
    x = _places(figure, "x", panel.x)
    known, joined = ~np.isnan(panel.half), is_scale(panel.x)
    if joined:
        band = [value for value, there in zip(x, known, strict=True) if there]
        plain = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
        figure.add_scatter(x=band, y=(panel.mean + panel.half)[known], **plain)
        figure.add_scatter(x=band, y=(panel.mean - panel.half)[known], fill="tonexty", fillcolor=SOFT, **plain)
    for line_x, line_y in panel.lines:
        figure.add_scatter(x=line_x, y=line_y, mode="lines", line={"width": 0.7, "color": SOFT}, hoverinfo="skip")
    dots = {"size": 4, "color": SOFT.replace("0.25", "0.6")}
    figure.add_scatter(x=_words(panel.dots[0]), y=panel.dots[1], mode="markers", marker=dots, hoverinfo="skip")
    figure.add_scatter(
        x=x, y=panel.mean, mode=("lines+markers" if len(x) <= 50 else "lines") if joined else "markers",
        line={"color": BLUE, "width": 2}, marker={"size": 6 if joined else 9}, customdata=_told(panel.mean, panel.half),
        error_y={"array": panel.half, "color": BLUE, "visible": not joined},
        hovertemplate="%{x}: <b>%{customdata}</b><extra></extra>",
    )  # fmt: skip


@np.vectorize(otypes=[object])
def _told(mean: float, half: float) -> str:
    """Return a mean as text, with its confidence interval if there is one."""
    return f"{mean:.5g}" + ("" if np.isnan(half) else f" ± {half:.2g}")


def _bars(figure: Any, panel: Bars) -> None:
    error = {"array": panel.half, "color": BLUE, "thickness": 1.2}
    figure.add_bar(
        x=panel.length, y=[escape(name).replace(".", ".<br>") for name in panel.names], orientation="h",
        marker={"color": SOFT.replace("0.25", "0.7")},
        error_x=error, customdata=panel.half,
        hovertemplate="%{y}: <b>%{x:.2f}</b> ± %{customdata:.2f}<extra></extra>",
    )  # fmt: skip
    figure.update_xaxes(range=[0, max(1.0, float(np.max(panel.length + panel.half)))])


def _heat(figure: Any, panel: Heat) -> None:
    low, high = panel.scale
    x, y = (
        _places(figure, axis, [shown(value) for value in values]) for axis, values in zip("xy", (panel.xs, panel.ys))
    )
    figure.add_heatmap(
        x=x, y=y, z=panel.z, zmin=low, zmax=high, colorscale=COLOURS, colorbar={"outlinewidth": 0, "thickness": 14},
        customdata=_told(panel.z, panel.half), text=panel.runs, xgap=1, ygap=1, hoverongaps=False,
        hovertemplate="%{x}, %{y}: <b>%{customdata}</b><br>%{text} runs<extra></extra>",
    )  # fmt: skip


def _cloud(figure: Any, panel: Cloud) -> None:
    low, high = panel.scale
    x, y = _places(figure, "x", panel.x), _places(figure, "y", panel.y)
    colours = {"color": panel.z, "cmin": low, "cmax": high, "colorscale": COLOURS, "size": 9, "showscale": True}
    edge = {"width": 0.7, "color": "#8a94a3"}
    figure.add_scatter(
        x=x, y=y, mode="markers", marker={**colours, "line": edge, "colorbar": {"outlinewidth": 0, "thickness": 14}},
        customdata=panel.z, hovertemplate="%{x:.4g}, %{y:.4g}: <b>%{customdata:.5g}</b><extra></extra>",
    )  # fmt: skip


def _places(figure: Any, axis: str, values: Sequence[Any]) -> Sequence[Any]:
    """Return values for an axis; make it categorical if they are words."""
    if is_scale(values):
        return list(values)
    words = _words(values)
    getattr(figure, f"update_{axis}axes")(type="category", categoryarray=list(dict.fromkeys(words)))
    return words


def _words(values: Sequence[Any]) -> list[Any]:
    return list(values) if is_scale(values) else [escape(shown(value)) for value in values]
