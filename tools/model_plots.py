"""Draws the plots in docs/models.md: measures of the example mods' models over one parameter.

.venv/bin/python tools/model_plots.py
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
WIDTH, HEIGHT = 720, 400  # pixels
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 24, 56  # around the plot
BLUE, ORANGE = "#1f77b4", "#c8641b"


@dataclass(frozen=True)
class Curve:
    """A line through means of values, (places, seeds), which are drawn as dots; `label` is the position of its name."""

    name: str
    colour: str
    values: NDArray[np.float64]
    label: tuple[float, float]


def plot(places: Sequence[float], curves: Sequence[Curve], along: str, ticks: Sequence[float]) -> str:
    """Return an SVG picture of values from 0 to 1 over a parameter."""

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - places[0]) / (places[-1] - places[0])

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#fdfdfb"/>']
    for value in (0, 0.25, 0.5, 0.75, 1):
        parts.append(
            f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="#e2e2dc"/>'
            f'<text x="{LEFT - 10}" y="{y(value) + 4.5:.1f}" text-anchor="end">{value:g}</text>'
        )
    for value in ticks:
        parts.append(f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 22}" text-anchor="middle">{value:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{along}</text>')
    for curve in curves:
        dots = "".join(
            f'<circle cx="{x(place):.1f}" cy="{y(value):.1f}" r="2.6"/>'
            for place, values in zip(places, curve.values, strict=True)
            for value in values
        )
        means = [(x(place), y(values.mean())) for place, values in zip(places, curve.values, strict=True)]
        line = "L".join(f"{px:.1f} {py:.1f}" for px, py in means)
        parts += [
            f'<g fill="{curve.colour}" fill-opacity="0.3">{dots}</g>',
            f'<path d="M{line}" fill="none" stroke="{curve.colour}" stroke-width="2.2" stroke-linejoin="round"/>',
            f'<text x="{x(curve.label[0]):.1f}" y="{y(curve.label[1]):.1f}" fill="{curve.colour}" '
            f'font-weight="600">{curve.name}</text>',
        ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
    style = 'font-family="system-ui, sans-serif" font-size="14" fill="#4a4a46">'
    return "\n".join([head + style, *parts, "</svg>", ""])


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from tools.model_sweeps import NOISES, WIDTHS, couzin_sweep, vicsek_sweep

    noisy = [Curve("polarization", BLUE, vicsek_sweep(), (128, 0.8))]
    (PICTURES / "vicsek.svg").write_text(plot(NOISES, noisy, "noise (degrees)", NOISES), "utf-8")
    found = couzin_sweep()
    groups = [
        Curve("polarization", BLUE, found[..., 0], (80.5, 0.93)),
        Curve("milling", ORANGE, found[..., 1], (36, 0.78)),
    ]
    words = "width of the zone of orientation (u)"
    (PICTURES / "couzin.svg").write_text(plot(WIDTHS, groups, words, WIDTHS), "utf-8")
    for noise, values in zip(NOISES, noisy[0].values, strict=True):
        print(f"noise {noise:3}: polarization {values.mean():.3f} ± {values.std(ddof=1):.3f}")
    for width, values in zip(WIDTHS, found, strict=True):
        polarization, milling = values.mean(axis=0)
        print(f"width {width:3}: polarization {polarization:.3f}, milling {milling:.3f}")


if __name__ == "__main__":
    main()
