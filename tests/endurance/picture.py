"""A line drawn as SVG, by hand."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 30, 36


def line(points: Sequence[tuple[float, float]], across: str, title: str) -> str:
    """The points joined, from zero on both axes, with round marks; `across` names the horizontal axis."""
    most_x = max((x for x, _ in points), default=0) or 1.0
    most_y = max((y for _, y in points), default=0) * 1.1 or 1.0
    step_x, step_y = _step(most_x), _step(most_y)

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + x / most_x * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - y / most_y * (HEIGHT - TOP - BOTTOM),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="18" font-size="13">{title}</text>',
    ]
    for number in range(int(most_y / step_y) + 1):
        x, y = at(0, number * step_y)
        parts.append(f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{number * step_y:g}</text>')
    for number in range(int(most_x / step_x) + 1):
        x, y = at(number * step_x, 0)
        parts.append(f'<text x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle">{number * step_x:g}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{across}</text>')
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in points))
    parts += [f'<polyline points="{drawn}" fill="none" stroke="#a3231f" stroke-width="1.5"/>', "</svg>"]
    return "\n".join(parts) + "\n"


def _step(most: float) -> float:
    """The distance of about five marks: 1, 2 or 5 times a power of ten."""
    step = 1.0
    while step * 10 <= most:
        step *= 10
    while step > most:
        step /= 10
    return next(step * factor for factor in (0.2, 0.5, 1, 2) if most / (step * factor) <= 6)
