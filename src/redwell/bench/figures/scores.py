"""Figures of scores: bars by harness, root by sub-agent, what kinds of criteria pass, before and after training, depth 1 against 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redwell.bench.figures.drawing import INK, LINE, SERIES, Cell, Drawn, NotDrawn, canvas, share_axis
from redwell.bench.figures.rows import Lost, Row, by_room, graded, grouped, label, mean, place, short
from redwell.bench.key import Key
from redwell.bench.score import By, bootstrap, parts
from redwell.journal.counted import counted


def _rate(row: Row) -> float | None:
    return row.rate


def harness_bars(rows: Sequence[Row], lost: Sequence[Lost] = ()) -> Drawn | NotDrawn:
    """Mean criteria pass rate over rooms of each harness, a bar for each root, with 95 % intervals over rooms. `lost` are the runs that
    ended without a report: each bar says how many they are, since the mean is only over the others."""
    title = "Criteria passed, by harness"
    rows = graded(rows)
    if not rows:
        return NotDrawn(title, "no run has been graded: `redwell bench grade`")
    roots = sorted({row.root for row in rows} | {one.root for one in lost})
    harnesses = sorted({row.harness for row in rows} | {one.harness for one in lost}, key=place)
    table: list[tuple[Cell, ...]] = []
    figure, axes = canvas((8.6, 1.2 + 0.34 * len(harnesses) * max(1, len(roots))))
    thick = 0.8 / len(roots)
    named: set[str] = set()
    for place_, harness in enumerate(harnesses):
        for number, root in enumerate(roots):
            some = [row for row in rows if row.harness == harness and row.root == root]
            without = sum(one.harness == harness and one.root == root for one in lost)
            rates = by_room(some, _rate)
            y = place_ + (number - (len(roots) - 1) / 2) * thick
            if not rates:
                if without:
                    _beside(axes, 0.0, y, f"no report ({counted(without, 'run')})")
                    table.append((harness, root, 0, 0, without, None, None, None, None, None))
                continue
            found = bootstrap(rates, mean)
            middle, low, high = found.value, found.low, found.high
            said = "" if root in named else short(root)
            named.add(root)
            axes.barh(y, middle, thick * 0.86, color=SERIES[number % len(SERIES)], label=said)
            axes.plot([low, high], [y, y], color=INK, linewidth=1.1, solid_capstyle="butt")
            told = f"{middle:.1%}" + (f" ({without} more without a report)" if without else "")
            _beside(axes, max(middle, high), y, told)
            table.append(
                (harness, root, len(rates), len(some), without, middle, low, high, _pooled(some), _all_pass(some))
            )
    axes.set_yticks(range(len(harnesses)), harnesses)
    axes.set_ylim(len(harnesses) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    wide = 1.4 if lost else 1.15  # room for the words behind a bar
    share_axis(axes, "x", max(float(line[7] or 0) for line in table) * wide + 0.02)
    axes.set_xlabel("criteria passed, mean over rooms")
    if len(roots) > 1:
        axes.legend(title="root", loc="center left", bbox_to_anchor=(1.0, 0.5))
    rooms = len({row.task for row in rows})
    return Drawn(
        "harnesses",
        title,
        f"Mean over {counted(rooms, 'room')} of the share of criteria passed; lines are 95 % bootstrap intervals over rooms. {_judged(rows)}{_left_out(lost)}",
        (
            *("harness", "root", "rooms", "runs", "without a report"),
            *("pass rate (macro)", "low", "high", "pass rate (pooled)", "all-pass"),
        ),
        table,
        figure,
    )


def _left_out(lost: Sequence[Lost]) -> str:
    if not lost:
        return ""
    one = len(lost) == 1
    said = f" {counted(len(lost), 'run')} ended without a report and {'is' if one else 'are'} in no mean"
    return f"{said}; who counts {'it' if one else 'them'} as failed has lower ones."


def _beside(axes: Any, x: float, y: float, told: str) -> None:
    """Words to the right of a bar's end."""
    axes.annotate(told, (x, y), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8)


def root_by_sub(rows: Sequence[Row]) -> Drawn | NotDrawn:
    """The grid of roots and sub-agents."""
    title = "Root by sub-agent"
    rows = [row for row in graded(rows) if row.role("sub")["calls"]]
    roots, subs = sorted({row.root for row in rows}), sorted({row.sub for row in rows})
    if len(roots) < 2 and len(subs) < 2:
        return NotDrawn(title, "wants runs with more than one root or sub-agent")
    table: list[tuple[Cell, ...]] = []
    cells = []
    for root in roots:
        line = []
        for sub in subs:
            rates = by_room([row for row in rows if (row.root, row.sub) == (root, sub)], _rate)
            line.append(mean(rates))
            table.append((root, sub, len(rates), mean(rates) if rates else None))
        cells.append(line)
    figure, axes = canvas((2.6 + 1.5 * len(subs), 1.2 + 0.55 * len(roots)))
    top = max(float(line[3]) for line in table if line[3] is not None)
    axes.imshow(cells, cmap="YlOrBr", vmin=0, vmax=top or 1.0, aspect="auto")
    for y, line in enumerate(cells):
        for x, value in enumerate(line):
            shown = "–" if value != value else f"{value:.1%}"
            axes.text(x, y, shown, ha="center", va="center", color="white" if value > 0.6 * top else INK)
    axes.set_xticks(range(len(subs)), [short(name) for name in subs])
    axes.set_yticks(range(len(roots)), [short(name) for name in roots])
    axes.grid(visible=False)
    axes.set_xlabel("sub-agent")
    axes.set_ylabel("root")
    caption = f"Mean share of criteria passed over rooms. {_judged(rows)}"
    return Drawn("root_by_sub", title, caption, ("root", "sub-agent", "rooms", "pass rate"), table, figure)


def before_after(rows: Sequence[Row], before: str, after: str) -> Drawn | NotDrawn:
    """Each room under the root before and after training, in the harness `rlm` where there are such runs."""
    title = "Before and after training"
    rows = graded(rows)
    rows = [row for row in rows if row.harness == "rlm"] or rows
    pairs = []
    for task, some in sorted(grouped(rows, lambda row: row.task).items()):
        old = by_room([row for row in some if before in (row.root, short(row.root))], _rate)
        new = by_room([row for row in some if after in (row.root, short(row.root))], _rate)
        if old and new:
            pairs.append((task, old[0], new[0]))
    if not pairs:
        return NotDrawn(title, f"no room has graded runs of both {before or 'one root'} and {after or 'another'}")
    pairs.sort(key=lambda pair: pair[2])
    apart = bootstrap([new - old for _, old, new in pairs], mean)
    return _dumbbells(
        "before_after",
        title,
        pairs,
        (short(before), short(after)),
        f"Each line is a room. Mean {mean([p[1] for p in pairs]):.1%} before, {mean([p[2] for p in pairs]):.1%} after; the difference is "
        f"{apart.value:+z.1%} (95 % bootstrap interval {apart.low:+z.1%} to {apart.high:+z.1%}). {_judged(rows)}",
    )


def depth_by_room(rows: Sequence[Row]) -> Drawn | NotDrawn:
    """Each room under depth 1 and depth 2."""
    title = "Depth 1 against depth 2"
    rows = graded(rows)
    pairs = []
    for task, some in sorted(grouped(rows, lambda row: row.task).items()):
        one = by_room([row for row in some if row.harness == "rlm"], _rate)
        two = by_room([row for row in some if row.harness == "rlm-depth-2"], _rate)
        if one and two:
            pairs.append((task, one[0], two[0]))
    if not pairs:
        return NotDrawn(title, "wants graded runs of both rlm and rlm-depth-2 on the same rooms")
    worse = sum(two < one for _, one, two in pairs)
    caption = f"Each line is a room. Depth 2 is worse on {worse} of {len(pairs)}; mean difference {mean([b - a for _, a, b in pairs]):+z.1%}. {_judged(rows)}"
    return _dumbbells("depth", title, pairs, ("depth 1", "depth 2"), caption)


def _dumbbells(
    name: str, title: str, pairs: Sequence[tuple[str, float, float]], names: tuple[str, str], caption: str
) -> Drawn:
    figure, axes = canvas((8.6, 1.3 + 0.24 * len(pairs)))
    for y, (_, one, two) in enumerate(pairs):
        axes.plot([one, two], [y, y], color=LINE, linewidth=2.2, zorder=1)
    for at, colour, order in ((1, SERIES[1], 3), (2, SERIES[0], 4)):  # before the axis, since a share may be 0
        shares = [p[at] for p in pairs]
        axes.scatter(shares, range(len(pairs)), s=34, color=colour, label=names[at - 1], zorder=order, clip_on=False)
    axes.set_yticks(range(len(pairs)), [p[0].rsplit("/", 1)[-1] for p in pairs], fontsize=8)
    axes.grid(visible=False, axis="y")
    share_axis(axes, "x", 1.05 * max(max(one, two) for _, one, two in pairs))
    axes.set_xlabel("criteria passed")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return Drawn(name, title, caption, ("room", *names, "difference"), [(*p, p[2] - p[1]) for p in pairs], figure)


Parts = dict[str, dict[str, list[float]]]
"""Part of the rubric -> series -> 1 for a criterion that passed, 0 for one that failed."""


def parts_of(rows: Sequence[Row], keys: Mapping[str, Key], of: By) -> Parts:
    """The scored criteria of generated tasks by kind of evidence, workstream, style or archetype. `keys` are answer keys by task."""
    found: Parts = {}
    graded_rows = graded(rows)
    names = {task: parts(key, of) for task, key in keys.items()}
    for row in graded_rows:
        if row.verdicts is None or row.task not in names:
            continue
        series = label(row, graded_rows)
        for verdict in row.verdicts.verdicts:
            part = names[row.task].get(verdict.criterion)
            if part is not None and verdict.outcome != "unscored":
                found.setdefault(part, {}).setdefault(series, []).append(float(verdict.outcome == "pass"))
    return found


def by_part(rows: Sequence[Row], given: Parts, of: By, title: str) -> Drawn | NotDrawn:
    """What passes of each part of the rubric, best first."""
    if not given:
        return NotDrawn(title, "wants graded runs of tasks with an answer key")
    series = sorted(
        {name for each in given.values() for name in each}, key=lambda name: place(name.partition(" · ")[0])
    )
    order = sorted(given, key=lambda part: (-mean([v for values in given[part].values() for v in values]), part))
    figure, axes = canvas((8.6, 1.3 + (0.12 * len(series) + 0.14) * len(order)))
    table: list[tuple[Cell, ...]] = []
    thick = 0.82 / len(series)
    for number, name in enumerate(series):
        shown = [(y, part, given[part][name]) for y, part in enumerate(order) if given[part].get(name)]
        at = [y + (number - (len(series) - 1) / 2) * thick for y, _, _ in shown]
        rates = [mean(values) for _, _, values in shown]
        axes.barh(at, rates, thick * 0.86, color=SERIES[number % len(SERIES)], label=name)
        table += [(part, name, len(values), mean(values)) for _, part, values in shown]
    table.sort(key=lambda line: order.index(str(line[0])))
    axes.set_yticks(range(len(order)), order, fontsize=8)
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.grid(visible=False, axis="y")
    share_axis(axes, "x", 1.05 * max(float(line[3] or 0) for line in table))
    axes.set_xlabel("criteria passed")
    if len(series) > 1:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    caption = f"Share of criteria passed, pooled over runs. {_judged(rows)}"
    return Drawn(f"by_{of}", title, caption, (of, "series", "criteria", "pass rate"), table, figure)


def _pooled(rows: Sequence[Row]) -> float | None:
    passed = sum(row.verdicts.count("pass") for row in rows if row.verdicts)
    failed = sum(row.verdicts.count("fail") for row in rows if row.verdicts)
    return passed / (passed + failed) if passed + failed else None


def _all_pass(rows: Sequence[Row]) -> float:
    """LAB's: an unscored criterion is none that passed."""
    return mean(
        [float(bool(row.verdicts and row.verdicts.count("pass") == len(row.verdicts.verdicts))) for row in rows]
    )


def _judged(rows: Sequence[Row]) -> str:
    judges = sorted({row.verdicts.judge for row in rows if row.verdicts})
    unscored = sum(row.unscored for row in rows)
    said = f"Judge: {', '.join(judges)}."
    left = counted(unscored, "criterion", "criteria")
    return said + (f" {left} could not be scored and {'is' if unscored == 1 else 'are'} left out." if unscored else "")
