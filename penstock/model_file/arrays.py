"""Headers of stored arrays against the bytes that follow them, before numpy makes room for what they promise."""

from __future__ import annotations

import io
import math
import zipfile
from typing import Any

from numpy.lib import format as npy

from penstock.model_file.container import Members

MAX_EMPTY = 1 << 24
"""The length of an axis of an array without elements."""
MAX_MEMBERS = 8


def require_plain_array(stored: io.BytesIO) -> None:
    """An array in numpy's format that is as long as its header says."""
    size = stored.getbuffer().nbytes
    try:
        _require_whole(stored, size)
    finally:
        stored.seek(0)


def require_plain_arrays(stored: io.BytesIO, members: Members) -> None:
    """The same of every array of a sparse matrix, which scipy keeps in an archive of its own."""
    try:
        with zipfile.ZipFile(stored) as archive:
            infos = archive.infolist()
            if len(infos) > MAX_MEMBERS or len({info.filename for info in infos}) < len(infos):
                raise ValueError("a sparse matrix has few members, each once")
            for info in infos:
                if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
                    raise ValueError("a member of a sparse matrix is packed in an unknown way")
                members.count(info.file_size)
                with archive.open(info) as file:  # which reads no more than the member's size
                    _require_whole(file, info.file_size)
    finally:
        stored.seek(0)


def _require_whole(file: Any, size: int) -> None:
    version = npy.read_magic(file)
    if version == (1, 0):
        shape, _, dtype = npy.read_array_header_1_0(file)
    elif version == (2, 0):
        shape, _, dtype = npy.read_array_header_2_0(file)
    else:
        raise ValueError(f"an array has the unknown version {version}")
    if dtype.hasobject or dtype.subdtype is not None:
        raise ValueError(f"an array has elements of type {dtype}")
    if any(type(length) is not int or length < 0 for length in shape):
        raise ValueError(f"an array has the shape {shape}")
    if 0 in shape and max(shape) > MAX_EMPTY:
        raise ValueError(f"an empty array has the shape {shape}")
    count = math.prod(shape)
    if count and not dtype.itemsize:
        raise ValueError("an array has elements of no size")
    if count * dtype.itemsize != size - file.tell():
        raise ValueError(f"an array of shape {shape} and type {dtype} has {size - file.tell()} bytes")
