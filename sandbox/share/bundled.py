"""What the viewer gets: how a world is drawn, and all that was sampled of it, in one bundle."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.words import ROOM
from components.store.world import World
from sandbox.app.drawing.own_pictures import UNREADABLE, decoded
from sandbox.design.labels import Labels
from sandbox.design.pictures import Pictures, picture_file, wrong_files
from sandbox.design.scene import Scene
from sandbox.render.scenery import FORM
from sandbox.render.solids import LEAVES, SLAB
from sandbox.render.things import EDGE, PLANT
from sandbox.share.drawn import how_it_is_drawn, shapes_of, solid_corners
from sandbox.share.packed import BITS, bundle, differences, planes
from sandbox.share.sampled import Sample, Sampled, few_looks, tracks_of

MOST_FORMS = 24 << 20  # bytes of scenery in all samples together
FINE = 64  # steps of the size of food: else all of it would be sent again while it grows
PICTURE_SIDE = 1280  # pixels

Words = NDArray[np.uint32]


def bundle_of(
    made: Sampled,
    world: World,
    measures: Mapping[str, Sequence[float | None]],
    about: dict[str, Any],
    *,
    whole: bool = False,
) -> bytes:
    """Return the bundle of what was sampled of a world.

    Args:
        whole: with what draws scenery that is not there yet.
        measures: a value for each sample, or None, by the name of the measure.
        about: more that the page tells.
    """
    (tracks, rows), first = tracks_of(made), made.samples[0].rendered
    scenery = [sample.rendered.forms["kind_colour"] >> np.uint32(24) for sample in made.samples]
    kinds = range(ROOM) if whole else np.unique(np.concatenate(scenery)).tolist()
    looks, which = np.unique(few_looks(rows.looks), return_inverse=True)
    shapes, corners, listed = look_table(looks, len(first.size) > 2)
    table = np.array(tracks)
    begins = np.arange(len(tracks.serial)) == 0
    sections = {name: planes(differences(column, begins)) for name, column in zip(tracks._fields, table, strict=True)}
    for axis, size in enumerate(first.size):
        steps = np.rint(rows.places[:, axis].astype(np.float64) * ((1 << BITS) / size))
        steps = np.clip(steps, -(1 << 28), 1 << 28).astype(np.int64)
        sections["xyz"[axis]] = planes(differences(steps, rows.begins, bool(first.torus[0]), twice=True))
    sections["look"] = planes(differences(which.astype(np.int64), rows.begins))
    sections["code"] = planes(differences(rows.codes, rows.begins))
    forms, counts = packed_forms(made)
    sections |= {"shapes": shapes.tobytes(), "forms": forms}
    if len(first.size) > 2:
        sections["solids"] = solid_corners()
    legend = next((sample.rendered.drawing.legend for sample in made.samples if sample.rendered.drawing.legend), None)
    shown = {
        **about,
        **how_it_is_drawn(first, kinds),
        "ticks": made.ticks,
        "tracks": len(tracks.serial),
        "rows": len(rows.begins),
        "animals": made.most,
        "share": made.share,
        "kinds": list(world.prefabs),
        "looks": listed,
        "corners": corners,
        "shapes": list(shapes.shape),
        "forms": counts,
        "words": made.samples[0].rendered.forms.dtype.itemsize // 4,
        "measures": {name: list(values) for name, values in measures.items()},
        "legend": legend and {"name": legend.name, "unit": legend.unit, "low": legend.low, "high": legend.high},
        "ramp": legend.ramp.tolist() if legend else [0],
        "labels": [Labels.whole(own) | {"text": text} for text, own in world.resource(Labels).kept.items()],
        "pictures": _pictures(world),
    }
    return bundle(shown, sections)


def look_table(looks: NDArray[np.uint64], is_deep: bool) -> tuple[NDArray[np.float32], list[list[int]], list[int]]:
    """Return the shapes of these looks, how many corners each has, and the looks with the new numbers of shapes.

    Each look becomes two numbers: half the length as the bits of a float32, and 0xSSRRGGBB.
    """
    numbers, which = np.unique(looks >> np.uint64(24) & np.uint64(255), return_inverse=True)
    shapes, corners = shapes_of(numbers.astype(int).tolist(), is_deep)
    lower = looks & np.uint64(0xFFFFFF) | which.astype(np.uint64) << np.uint64(24)
    return shapes, corners, np.stack([looks >> np.uint64(32), lower], axis=1).ravel().tolist()


def words_of(sample: Sample) -> Words:
    """Return the scenery of a sample as words, uint32 (n, words): round things begin where they end."""
    forms = sample.rendered.forms.copy()
    kinds = forms["kind_colour"] >> np.uint32(24)
    if forms.dtype == FORM:
        is_round, food = kinds < EDGE, kinds == PLANT
        forms["own"][food, 0] = np.ceil(forms["own"][food, 0] * FINE) / FINE
    else:
        is_round, food = kinds != SLAB, kinds == LEAVES
        forms["radius"][food] = np.ceil(forms["radius"][food] * FINE) / FINE
    forms["begin"][is_round] = forms["end"][is_round]
    return forms.view(np.uint32).reshape(len(forms), forms.dtype.itemsize // 4)


def packed_forms(made: Sampled) -> tuple[bytes, list[tuple[int, int]]]:
    """Pack the scenery of those samples where it changes; return it, with the number of each sample and of its forms.

    As many forms as before are stored as the bits that differ.
    """
    found, counts, before = [], [], None
    every = -(-sum(sample.rendered.forms.nbytes for sample in made.samples) // MOST_FORMS) or 1
    for number in range(0, len(made.samples), every):
        words = words_of(made.samples[number])
        if before is not None and np.array_equal(words, before):
            continue
        alike = before is not None and len(before) == len(words)
        found.append((words ^ before if alike and before is not None else words).T.tobytes())
        counts.append((number, len(words)))
        before = words
    return b"".join(found), counts


def _pictures(world: World) -> list[dict[str, Any]]:
    """Return the pictures behind the world as addresses that contain them."""
    folder, found = world.resource(Scene).folder, []
    kept = [Pictures.whole(own) for own in world.resource(Pictures).kept.values()]
    files = [(path, own) for own in kept if (path := picture_file(own, folder))]
    wrong = wrong_files(path for path, _ in files)
    for path, own in files:
        if path in wrong:
            continue
        try:
            picture = decoded(path, PICTURE_SIDE)
        except UNREADABLE:
            continue
        found.append({"address": address_of(picture, "WEBP"), "light": own["light"]})
    return found


def address_of(picture: Any, format: str) -> str:
    """Return a picture of Pillow as a data: address."""
    file = io.BytesIO()
    picture.save(file, format, quality=80)
    return f"data:image/{format.lower()};base64,{base64.b64encode(file.getvalue()).decode()}"
