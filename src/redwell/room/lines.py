"""From a box for each character to a box for each line."""

from __future__ import annotations

import struct

Box = tuple[int, float, float, float, float]
"""page, left, bottom, right, top, in points of the page."""

_BOX = struct.Struct("<4f")
_SHARED = 0.5


def line_boxes(page: int, raw: bytes) -> list[Box]:
    """The boxes of the lines that characters stand in; `raw` has 16 bytes a character (left, bottom, right, top as float32).

    A character is on the line before it when half of the lower of the two heights is shared and it does not start further left.
    Characters without a box (all zeros) belong to no line.
    """
    lines: list[Box] = []
    for left, bottom, right, top in _BOX.iter_unpack(raw):
        if not (right > left and top > bottom):
            continue
        if lines:
            _, line_left, line_bottom, line_right, line_top = lines[-1]
            shared = min(top, line_top) - max(bottom, line_bottom)
            if shared >= _SHARED * min(top - bottom, line_top - line_bottom) and left >= line_left:
                lines[-1] = (page, line_left, min(bottom, line_bottom), max(right, line_right), max(top, line_top))
                continue
        lines.append((page, left, bottom, right, top))
    return lines
