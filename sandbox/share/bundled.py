"""What the viewer gets: how a world is drawn, and all that was sampled of it, in one bundle."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import DEEP
from components.store.words import ROOM
from components.store.world import World
from sandbox.app.drawing.own_pictures import UNREADABLE, decoded
from sandbox.design.labels import Labels
from sandbox.design.pictures import Pictures, picture_file, wrong_files
from sandbox.design.scene import Scene
from sandbox.render.colour_scales import Legend
from sandbox.share.drawn import how_it_is_drawn, shapes_of, solid_corners
from sandbox.share.packed import BITS, bundle, differences, planes
from sandbox.share.sampled import Sampled, Words, few_looks, tracks_of

PICTURE_SIDE = 1280  # pixels


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
    (tracks, rows), first, legend = tracks_of(made), made.first, made.legend
    is_deep = len(first.size) > 2
    scenery = [words[:, -1] >> np.uint32(24) for words in made.scenery.values()]
    kinds = range(ROOM) if whole else np.unique(np.concatenate(scenery)).tolist()
    looks, which = np.unique(few_looks(rows.looks), return_inverse=True)
    shapes, corners, listed = look_table(looks, is_deep)
    table = np.array(tracks)
    begins = np.arange(len(tracks.serial)) == 0
    sections = {name: planes(differences(column, begins)) for name, column in zip(tracks._fields, table, strict=True)}
    for axis, size in enumerate(first.size):
        steps = np.rint(rows.places[:, axis].astype(np.float64) * ((1 << BITS) / size))
        steps = np.clip(steps, -(1 << 28), 1 << 28).astype(np.int64)
        sections[DEEP[axis]] = planes(differences(steps, rows.begins, bool(first.torus[0]), twice=True))
    sections["look"] = planes(differences(which.astype(np.int64), rows.begins))
    sections["code"] = planes(differences(rows.codes, rows.begins))
    forms, counts = packed_forms(made.scenery)
    sections |= {"shapes": shapes.tobytes(), "forms": forms}
    if is_deep:
        sections["solids"] = solid_corners()
    shown = {
        **about,
        **how_it_is_drawn(first, kinds),
        "ticks": made.ticks,
        "tracks": len(tracks.serial),
        "rows": len(rows.begins),
        "animals": made.most,
        "share": made.share,
        "kinds": made.prefabs,
        "looks": listed,
        "corners": corners,
        "shapes": list(shapes.shape),
        "forms": counts,
        "words": made.scenery[0].shape[1],
        "measures": {name: list(values) for name, values in measures.items()},
        "legend": words_of_legend(legend),
        "ramp": legend.ramp.tolist() if legend else [0],
        "labels": [] if is_deep else _labels(world),  # these are drawn in flat worlds only
        "pictures": [] if is_deep else _pictures(world),
    }
    return bundle(shown, sections)


def words_of_legend(legend: Legend | None) -> dict[str, Any] | None:
    """Return what a page tells of the meaning of colours."""
    return None if legend is None else {key: getattr(legend, key) for key in ("name", "unit", "low", "high")}


def look_table(looks: NDArray[np.uint64], is_deep: bool) -> tuple[NDArray[np.float32], list[list[int]], list[int]]:
    """Return the shapes of these looks, how many corners each has, and the looks with the new numbers of shapes.

    Each look becomes two numbers: half the length as the bits of a float32, and 0xSSRRGGBB.
    """
    numbers, which = np.unique(looks >> np.uint64(24) & np.uint64(255), return_inverse=True)
    shapes, corners = shapes_of(numbers.astype(int).tolist(), is_deep)
    lower = looks & np.uint64(0xFFFFFF) | which.astype(np.uint64) << np.uint64(24)
    return shapes, corners, np.stack([looks >> np.uint64(32), lower], axis=1).ravel().tolist()


def packed_forms(scenery: Mapping[int, Words]) -> tuple[bytes, list[tuple[int, int]]]:
    """Pack scenery by the number of a sample; return it, with these numbers and how many forms there are.

    As many forms as before are stored as the bits that differ.
    """
    found, before = [], np.zeros((0, 0), np.uint32)
    for words in scenery.values():
        found.append((words ^ before if words.shape == before.shape else words).T.tobytes())
        before = words
    return b"".join(found), [(number, len(words)) for number, words in scenery.items()]


def _labels(world: World) -> list[dict[str, Any]]:
    return [Labels.whole(own) | {"text": text} for text, own in world.resource(Labels).kept.items()]


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
