"""Which pictures show a study, and that what they show are the numbers of its table."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow.compute as pc
import pytest
from scipy.stats import t

from sandbox.extras.studies.checked import StudyError
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.panels import Bars, Cloud, Heat, Line, Picture
from sandbox.extras.studies.plots import MOST_TICKS, pictures_of
from tests.extras.studies.done import FLOCKING, RADIUS, SPEED, done, study_file

P = TypeVar("P")
COUNT = '"spawn.fish.count" = {{ from = 2, to = 60 }}\n"fish.Motion.max_speed" = {{ from = 20.0, to = 90.0 }}\n'
RANGES = (COUNT + '"fish.Look.size" = {{ from = 1.0, to = 9.0 }}\n').replace("{{", "{").replace("}}", "}")


def of(kind: type[P], picture: Picture) -> list[P]:
    assert all(isinstance(panel, kind) for panel in picture.panels)
    return [panel for panel in picture.panels if isinstance(panel, kind)]


def mean(folder: StudyFolder, column: str, **where: object) -> float:
    """Of the rows with these values, read from the table in the plainest way."""
    rows = folder.table().to_pylist()
    found = [row[column] for row in rows if all(row[key.replace("__", ".")] == value for key, value in where.items())]
    return float(np.mean(found))


def test_where_nothing_is_varied_each_measure_is_shown_over_time(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, seeds=3))
    (picture,) = pictures_of(folder)
    panels = of(Line, picture)
    assert [panel.title for panel in panels] == ["polarization", "mean_speed (u/s)", "population.fish"]
    series = folder.series()
    assert panels[1].x == [5, 10, 15, 20]
    at_ten = series.filter(pc.equal(series["tick"], 10))["mean_speed"].to_numpy()
    assert np.isclose(panels[1].mean[1], at_ten.mean())
    assert len(at_ten) == len(panels[1].lines) == 3


def test_of_many_times_some_are_shown_and_the_band_is_that_of_as_many_runs(tmp_path: Path) -> None:
    file = study_file(tmp_path, seeds=3, ticks=MOST_TICKS + 10)
    file.write_text(file.read_text().replace("every = 5", "every = 1"))
    folder = done(file)
    order, *_ = of(Line, pictures_of(folder)[0])
    assert order.x == [*range(2, MOST_TICKS + 11, 2)]
    series = folder.series()
    at_ten = series.filter(pc.equal(series["tick"], 10))["polarization"].to_numpy()
    assert np.isclose(order.mean[4], at_ten.mean())
    assert np.isclose(order.half[4], t.ppf(0.975, 2) * at_ten.std(ddof=1) / math.sqrt(3))
    assert all(np.array_equal(times, order.x) for times, _ in order.lines)


def test_one_thing_is_a_line_with_a_band_for_each_number(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS, seeds=3))
    (picture,) = pictures_of(folder)
    order, speed = of(Line, picture)
    assert (order.title, speed.title) == ("polarization, mean", "mean_speed, last (u/s)")
    assert (order.x_label, list(order.x)) == ("fish.Perception.radius (u)", [20, 40, 80])
    expected = [mean(folder, "polarization mean", fish__Perception__radius=radius) for radius in (20, 40, 80)]
    assert np.allclose(order.mean, expected)
    assert np.all(order.half > 0)
    assert len(order.dots[0]) == len(order.dots[1]) == 9


def test_two_things_are_a_map_with_the_mean_of_each_cell(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS + SPEED))
    (picture,) = pictures_of(folder)
    order, _ = of(Heat, picture)
    assert (order.x_label, order.y_label) == ("fish.Perception.radius (u)", "fish.Motion.max_speed (u/s)")
    for row, speed in enumerate(order.ys):
        for column, radius in enumerate(order.xs):
            here = {"fish__Perception__radius": radius, "fish__Motion__max_speed": speed}
            assert np.isclose(order.z[row, column], mean(folder, "polarization mean", **here))
    assert np.all(order.half > 0)


def test_cells_without_a_run_stay_empty(tmp_path: Path) -> None:
    (picture,) = pictures_of(done(study_file(tmp_path, RADIUS + SPEED), 4))
    order, _ = of(Heat, picture)
    assert np.isnan(order.z).sum() == 2


def test_two_things_whose_values_are_drawn_are_dots_in_the_plane(tmp_path: Path) -> None:
    file = study_file(tmp_path, RANGES.rsplit("\n", 2)[0], '[design]\nkind = "latin"\nsamples = 9', seeds=1)
    folder = done(file)
    (picture,) = pictures_of(folder)
    order, _ = of(Cloud, picture)
    assert order.x == folder.design["spawn.fish.count"].to_pylist()
    assert np.allclose(order.z, folder.table()["polarization mean"].to_numpy())


def test_three_things_are_maps_side_by_side_with_one_scale_and_each_by_itself(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS + SPEED + FLOCKING, seeds=1))
    maps, effects = pictures_of(folder)
    panels = of(Heat, maps)
    assert [panel.title.split("\n")[1] for panel in panels] == ["flocking = true", "flocking = false"] * 2
    shared = min(panel.z.min() for panel in panels[:2]), max(panel.z.max() for panel in panels[:2])
    assert [panel.scale for panel in panels[:2]] == [shared] * 2
    flocking = of(Line, effects)[2]
    assert list(flocking.x) == [True, False]
    assert np.allclose(flocking.mean, [mean(folder, "polarization mean", flocking=on) for on in (True, False)])


def test_many_drawn_things_have_sensitivities(tmp_path: Path) -> None:
    """How many fish there are follows from how many are spawned, and from nothing else."""
    summary = 'summary = { "population.fish" = ["last"] }'
    design = '[design]\nkind = "sobol"\nsamples = 128'
    folder = done(study_file(tmp_path, RANGES, design, seeds=1, ticks=5, summary=summary))
    first, effects = pictures_of(folder)
    (bars,) = of(Bars, first)
    assert bars.names[-1] == "spawn.fish.count"
    assert bars.length[-1] > 0.95
    assert np.all(bars.length[:-1] < 0.3)
    assert np.any(bars.length < 0)  # as estimated: its line of confidence is about that
    assert np.all(np.diff(of(Line, effects)[0].mean) > 0)


def test_where_all_runs_say_the_same_nothing_is_sensitive(tmp_path: Path) -> None:
    summary = 'summary = { "population.fish" = ["last"] }'
    vary = RANGES.replace('"spawn.fish.count"', '"fish.Perception.radius"')
    design = '[design]\nkind = "latin"\nsamples = 64'
    (effects,) = pictures_of(done(study_file(tmp_path, vary, design, seeds=1, ticks=5, summary=summary)))
    assert effects.name == "effects"


def test_what_has_one_value_is_not_varied(tmp_path: Path) -> None:
    (picture,) = pictures_of(done(study_file(tmp_path, RADIUS + '"fish.Motion.max_speed" = [30]\n', seeds=1)))
    assert picture.title == "By fish.Perception.radius"


def test_without_a_run_or_a_summary_a_sentence_says_so(tmp_path: Path) -> None:
    file = study_file(tmp_path, RADIUS, seeds=1)
    with pytest.raises(StudyError, match="no run has succeeded yet"):
        pictures_of(done(file, 0))
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(StudyError, match="has no summary"):
        pictures_of(done(study_file(other, RADIUS, seeds=1, summary="")))
