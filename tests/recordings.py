"""Recordings, taken apart and put together again by numpy and zipfile alone."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

Members = dict[str, bytes]
Arrays = dict[str, np.ndarray]
MOMENT = {
    "format": 1,
    "physics": 1,
    "branches": [{"parent": None, "at": 0, "last": 0}],
    "branch": 0,
    "tick": 0,
    "mods": [],
    "mods_at_start": 0,
    "command_bytes": 0,
}


def members_of(content: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(members: Members) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


def arrays_in(member: bytes) -> Arrays:
    record = np.load(io.BytesIO(member), allow_pickle=False)
    return {name: record[name] for name in record.dtype.names}


def member_of(arrays: Arrays) -> bytes:
    record = np.zeros((), [(name, array.dtype, array.shape) for name, array in arrays.items()])
    for name, array in arrays.items():
        record[name] = array
    content = io.BytesIO()
    np.save(content, record, allow_pickle=True)
    return content.getvalue()


def snapshot_of(start: bytes) -> bytes:
    return zipped({"recording.json": json.dumps(MOMENT).encode(), "start.npy": start})


def state_in(path: Path, member: str = "start") -> Arrays:
    with np.load(path, allow_pickle=False) as file:
        record = file[member]
        return {name: record[name] for name in record.dtype.names}


def meta_in(path: Path) -> Any:
    return json.loads(state_in(path)["meta"].tobytes())


def with_meta(arrays: Arrays, **changes: Any) -> Arrays:
    meta = {**json.loads(arrays["meta"].tobytes()), **changes}
    return {**arrays, "meta": np.array(list(json.dumps(meta).encode()), np.uint8)}


def rewritten(path: Path, to: Path, **changes: Any) -> None:
    """Write a snapshot with other values in `meta`."""
    to.write_bytes(snapshot_of(member_of(with_meta(state_in(path), **changes))))
