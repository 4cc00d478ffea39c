"""Figures: the numbers in them are those of the runs, and every file that is promised is there."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from bench.figure_runs import write_run
from cli.in_process import redwell
from matplotlib import pyplot
from PIL import Image

from redwell.bench.figures import reading, scores, training
from redwell.bench.figures.draw import draw
from redwell.bench.figures.drawing import Drawn, FiguresError, NotDrawn
from redwell.bench.figures.page import shown
from redwell.bench.figures.rows import correlation, gather, label, lost
from redwell.bench.key import Check, Criterion, Key, PlantedIssue, write_key
from redwell.journal.journal import JournalError

CHROMIUM = shutil.which("chromium")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Figures that a test has drawn are let go of."""
    yield
    pyplot.close("all")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two rooms, two harnesses, two roots: rlm passes 80 % and 60 % with `big`, 40 % and 20 % with `tiny`; the tool loop 10 % everywhere."""
    for room, (big, tiny) in {"rooms/one": (8, 4), "rooms/two": (6, 2)}.items():
        size = 100_000 if room.endswith("one") else 300_000
        more = {"task": room, "characters": size}
        write_run(
            tmp_path,
            **more,
            root="openai:big",
            passed=big,
            failed=10 - big,
            coverage=0.9,
            cost=2.0,
            sub_calls=size // 10_000,
        )
        write_run(
            tmp_path, **more, root="openai:tiny", passed=tiny, failed=10 - tiny, coverage=0.6, cost=0.5, sub_calls=9
        )
        write_run(tmp_path, **more, harness="tool-loop", root="openai:big", sub="", passed=1, failed=9, coverage=0.002, cost=4.0,
                  sub_tokens=(0, 0))  # fmt: skip
    return tmp_path


def drawn(figure: Drawn | NotDrawn) -> Drawn:
    assert isinstance(figure, Drawn), figure
    return figure


def test_bars_are_means_over_rooms_and_intervals_hold_them(runs: Path) -> None:
    table = {(line[0], line[1]): line for line in drawn(scores.harness_bars(gather(runs))).table}
    assert set(table) == {("rlm", "openai:big"), ("rlm", "openai:tiny"), ("tool-loop", "openai:big")}
    _, _, rooms, count, without, macro, low, high, pooled, all_pass = table["rlm", "openai:big"]
    assert (rooms, count, without, macro, pooled, all_pass) == (2, 2, 0, pytest.approx(0.7), pytest.approx(0.7), 0.0)
    assert isinstance(low, float)
    assert isinstance(high, float)
    assert 0.6 <= low <= 0.7 <= high <= 0.8


def test_the_mean_over_rooms_is_not_the_pooled_share(tmp_path: Path) -> None:
    write_run(tmp_path, task="a", passed=1, failed=0)
    write_run(tmp_path, task="b", passed=0, failed=9)
    line = drawn(scores.harness_bars(gather(tmp_path))).table[0]
    assert (line[5], line[8]) == (pytest.approx(0.5), pytest.approx(0.1))


def test_repeats_of_a_room_count_as_one_room(tmp_path: Path) -> None:
    write_run(tmp_path, task="a", repeat=1, passed=10, failed=0)
    write_run(tmp_path, task="a", repeat=2, passed=0, failed=10)
    write_run(tmp_path, task="b", passed=10, failed=0)
    line = drawn(scores.harness_bars(gather(tmp_path))).table[0]
    assert (line[2], line[3], line[5]) == (2, 3, pytest.approx(0.75))


def test_runs_without_a_report_are_counted_beside_each_bar_and_those_of_a_harness_that_has_none_but_them(
    tmp_path: Path,
) -> None:
    write_run(tmp_path, task="a", passed=10, failed=0)
    for task in ("b", "c"):
        write_run(tmp_path, task=task, graded=False, status="failed")
    write_run(tmp_path, task="a", harness="single-shot", graded=False, status="failed")
    write_run(tmp_path, task="d", graded=False)  # submitted, and not graded yet
    cells = [
        {"task": "e", "harness": "rlm", "root": "openai:big", "run": "runs/e", "state": "failed"},
        {"task": "f", "harness": "rlm", "root": "openai:big", "run": "runs/f", "state": "waiting"},
        {"task": "b", "harness": "rlm", "root": "openai:big", "run": "b/rlm/openai-big--openai-small/1", "state": "failed"},
        "no cell",
    ]  # fmt: skip
    (tmp_path / "cells.json").write_text(json.dumps(cells))
    rows = gather(tmp_path)
    figure = drawn(scores.harness_bars(rows, lost(tmp_path, rows)))
    table = {line[0]: line[2:6] for line in figure.table}
    assert table == {"rlm": (1, 1, 3, pytest.approx(1.0)), "single-shot": (0, 0, 1, None)}
    assert "4 runs ended without a report" in figure.caption
    (tmp_path / "cells.json").write_text("[{")
    assert len(lost(tmp_path, rows)) == 3


def test_unscored_criteria_are_left_out_and_named(tmp_path: Path) -> None:
    write_run(tmp_path, passed=1, failed=1, unscored=8)
    figure = drawn(scores.harness_bars(gather(tmp_path)))
    assert figure.table[0][5] == pytest.approx(0.5)
    assert "8 criteria could not be scored" in figure.caption


def test_the_pareto_line_holds_what_nothing_beats() -> None:
    points = [(1.0, 0.2), (2.0, 0.5), (3.0, 0.4), (2.0, 0.6), (0.5, 0.1), (9.0, 0.6)]
    assert reading.pareto(points) == [(0.5, 0.1), (1.0, 0.2), (2.0, 0.6)]


def test_cost_says_which_series_are_on_the_line(runs: Path) -> None:
    table = {line[0]: line[4] for line in drawn(reading.cost_against_rate(gather(runs))).table}
    assert table == {"rlm · big": "yes", "rlm · tiny": "yes", "tool-loop": "no"}


def test_runs_without_a_known_cost_are_not_drawn_as_free(tmp_path: Path) -> None:
    write_run(tmp_path, cost=None)
    assert isinstance(reading.cost_against_rate(gather(tmp_path)), NotDrawn)


def test_calls_that_follow_the_size_correlate(tmp_path: Path) -> None:
    for number, size in enumerate((100_000, 200_000, 400_000)):
        write_run(tmp_path, task=f"r{number}", characters=size, sub_calls=size // 10_000)
        write_run(tmp_path, task=f"r{number}", characters=size, sub_calls=(30, 10, 20)[number], root="openai:other")
    table = {(line[1]): line[6] for line in drawn(reading.calls_against_size(gather(tmp_path))).table}
    assert table["rlm · big"] == pytest.approx(1.0)
    # Hand-computed: x = 1, 2, 4 and y = 3, 1, 2: cov = -1/3, sd = sqrt(14/3) and sqrt(2).
    assert table["rlm · other"] == pytest.approx(-1 / math.sqrt(14 / 3 * 2))


def test_correlation_needs_three_pairs_that_vary() -> None:
    assert correlation([1, 2], [1, 2]) is None
    assert correlation([1, 1, 1], [1, 2, 3]) is None


def test_depth_and_training_are_paired_room_by_room(tmp_path: Path) -> None:
    for room, one, two in (("a", 5, 3), ("b", 6, 7), ("c", 4, 0)):
        write_run(tmp_path, task=room, passed=one, failed=10 - one)
        write_run(tmp_path, task=room, harness="rlm-depth-2", passed=two, failed=10 - two)
    figure = drawn(scores.depth_by_room(gather(tmp_path)))
    assert sorted(line[:3] for line in figure.table) == [("a", 0.5, 0.3), ("b", 0.6, 0.7), ("c", 0.4, 0.0)]
    assert "worse on 2 of 3" in figure.caption


def test_before_and_after_takes_the_named_roots(runs: Path) -> None:
    figure = drawn(scores.before_after([row for row in gather(runs) if row.harness == "rlm"], "tiny", "big"))
    assert [(line[0], line[1], line[2]) for line in figure.table] == [("rooms/two", 0.2, 0.6), ("rooms/one", 0.4, 0.8)]


def test_reward_curves_are_read_line_by_line(tmp_path: Path) -> None:
    curve = tmp_path / "grpo.jsonl"
    curve.write_text('{"step": 1, "reward": 0.2}\n\n{"step": 2, "reward": 0.4, "held_out": 0.3, "left_out": 0.1}\n')
    figure = drawn(training.reward_by_step([curve]))
    assert figure.table == [("grpo", 1, 0.2, None, None, None), ("grpo", 2, 0.4, 0.3, 0.1, None)]
    labels = [line.get_label() for line in figure.figure.axes[0].lines]
    assert labels[1:] == ["grpo", "grpo, held-out judge", "grpo, criteria left out"]
    curve.write_text('{"reward": 0.2}\n')
    with pytest.raises(ValueError, match=r"grpo\.jsonl: line 1"):
        training.reward_by_step([curve])


def test_the_running_mean_looks_back_only() -> None:
    assert training.running([1.0, 3.0, 5.0, 7.0], 2) == [1.0, 2.0, 4.0, 6.0]


def test_series_are_named_by_what_differs(runs: Path) -> None:
    rows = gather(runs)
    assert {label(row, rows) for row in rows} == {"rlm · big", "rlm · tiny", "tool-loop"}


def test_kinds_are_counted_from_the_answer_key(tmp_path: Path) -> None:
    def issue(name: str, kind: str, decoy: bool) -> PlantedIssue:
        return PlantedIssue(name, 23, "consent", "t", "Contracts", kind, "w", "test", decoy, "High", ())  # type: ignore[arg-type]

    def criterion(number: int, of: str, style: str) -> Criterion:
        return Criterion(f"C-{number:03}", "t", "PASS if", style, of, Check((("Kestrel",),)))  # type: ignore[arg-type]

    key = Key("r", "T", "1", "desk", "test", (issue("I-1", "absence", False), issue("I-2", "direct", True)),
              (criterion(1, "I-1", "fact"), criterion(2, "I-1", "absence"), criterion(3, "I-2", "precision")))  # fmt: skip
    write_key(key, tmp_path / "answer_key.json")
    write_run(tmp_path, passed=1, failed=2, key=str(tmp_path / "answer_key.json"))
    made = {each.name: each for each in draw(tmp_path, tmp_path / "out") if isinstance(each, Drawn)}
    assert made["by_kind"].table == [
        ("absence", "rlm", 2, 0.5),
        ("decoy", "rlm", 1, 0.0),
    ]  # a decoy is no issue of a kind
    assert made["by_style"].table == [("fact", "rlm", 1, 1.0), ("absence", "rlm", 1, 0.0), ("precision", "rlm", 1, 0.0)]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "xlink:href", "src"):
                (self.outside if "//" in (value or "") else self.links).append(value or "")


def test_every_figure_is_a_picture_with_its_numbers_on_one_page(runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "figures"
    made = [each for each in draw(runs, out, before="tiny", after="big") if isinstance(each, Drawn)]
    assert len(made) >= 8
    for each in made:
        with (out / f"{each.name}.csv").open() as file:
            assert len(list(csv.reader(file))) == 1 + len(each.table)
        if each.figure is not None:
            assert ElementTree.parse(out / f"{each.name}.svg").getroot().tag.endswith("svg")
            with Image.open(out / f"{each.name}.png") as picture:
                assert picture.width > 400
    page = _Page()
    page.feed((out / "index.html").read_text())
    names = [each.name for each in made]
    # Ids of a drawing are its own: within one, two same shapes may share theirs.
    strange = [each for each in page.ids if sum(each == name or each.startswith(f"{name}-") for name in names) != 1]
    assert strange == []
    assert page.outside == []
    for link in (each for each in page.links if not each.startswith("data:image/png;")):
        assert link[1:] in page.ids if link.startswith("#") else (out / link).is_file()


def ticks(axis: Any) -> list[str]:
    """The labels of an axis within what it shows."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1.get_text() for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


@pytest.mark.parametrize("passed", [0, 1, 20])
def test_an_axis_of_shares_begins_at_nothing_and_says_each_share_once(tmp_path: Path, passed: int) -> None:
    curve = tmp_path / "curve.jsonl"
    curve.write_text('{"step": 1, "reward": 0.0}\n{"step": 2, "reward": 0.0}\n')
    for harness, root in (("rlm", "openai:a"), ("rlm", "openai:b"), ("rlm-depth-2", "openai:a")):
        write_run(tmp_path, harness=harness, root=root, passed=passed, failed=20 - passed, sub_calls=1)
    figures = draw(tmp_path, tmp_path / "out", before="a", after="b", curves=[curve])
    looked_at = set()
    for each in (one for one in figures if isinstance(one, Drawn) and one.figure is not None):
        each.figure.canvas.draw()
        for axes in each.figure.axes:
            for axis, scale in ((axes.xaxis, axes.get_xscale()), (axes.yaxis, axes.get_yscale())):
                labels = [label for label in ticks(axis) if label]
                assert len(set(labels)) == len(labels), (each.name, labels)
                if scale == "linear" and any("%" in label for label in labels):
                    assert labels[0] == "0%"
                    assert axis.get_view_interval()[0] == 0
                    assert len(labels) >= 3
                    looked_at.add(each.name)
        if each.name == "reward":
            assert each.figure.axes[0].get_ylim()[0] == 0
    assert looked_at == {"harnesses", "coverage", "cost", "token_shares", "depth", "before_after"}


def test_labels_of_points_at_nothing_stand_above_the_axis(tmp_path: Path) -> None:
    for number, cost in enumerate((1.0, 1.01, 1.02, 50.0)):
        write_run(tmp_path, root=f"openai:model-{number}", passed=0, failed=5, cost=cost)
    figure = drawn(reading.cost_against_rate(gather(tmp_path))).figure
    figure.canvas.draw()
    [axes] = figure.axes
    places = [text.get_window_extent() for text in axes.texts]
    assert len(places) == 4
    assert min(place.y0 for place in places) >= axes.bbox.y0
    assert not any(one.overlaps(other) for at, one in enumerate(places) for other in places[:at])


def test_one_of_a_thing_is_told_in_the_singular(tmp_path: Path) -> None:
    write_run(tmp_path, passed=0, failed=1, unscored=1, documents={"a.txt": 1.0})
    write_run(tmp_path, harness="tool-loop", graded=False, status="failed", documents={"a.txt": 1.0})
    write_run(tmp_path, harness="single-shot", graded=False, status="unfinished", documents={"a.txt": 1.0})
    write_run(tmp_path, harness="map-reduce", passed=1, failed=1, cost=None, documents={"a.txt": 1.0})
    (tmp_path / "cells.json").write_text("[]")
    draw(tmp_path, tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text()
    for said in (
        "on 1 room.",
        "1 run has not finished.",
        "Mean over 1 room of",
        "1 criterion could not be scored and is left out.",
        "1 run ended without a report and is in no mean; who counts it as failed",
        "1 run without a known cost is left out.",
        ": 1 document in the order",
    ):
        assert said in page
    told = re.sub(r"<(style|svg).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL)
    assert re.findall(r"(?<![\d.,])1 (?:\w+s|criteria)\b", told) == []


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of many series with long names, all of them equal."""
    folder = tmp_path_factory.mktemp("crowded")
    for harness in ("rlm", "rlm-no-subagents"):
        for root in ("openai:a-model-with-a-name-of-some-length", "anthropic:another-of-them"):
            for task in ("rooms/one", "rooms/two"):
                size = 2_000_000 if task.endswith("two") else 1_000_000
                write_run(folder, task=task, harness=harness, root=root, sub_calls=1234, characters=size)
    return folder


@pytest.mark.parametrize("draws", [reading.coverage_against_rate, reading.calls_against_size])
def test_equal_points_of_several_series_are_hollow_and_differ_in_shape_and_size(crowded: Path, draws: Any) -> None:
    points = drawn(draws(gather(crowded))).figure.axes[0].collections
    assert len(points) == 4
    assert all(one.get_facecolors().size == 0 for one in points)
    assert len({one.get_paths()[0].vertices.tobytes() for one in points}) == 4
    assert len({float(one.get_sizes()[0]) for one in points}) == 4


def test_names_of_maps_and_legends_cover_nothing(crowded: Path) -> None:
    rows = gather(crowded)
    figure = drawn(reading.room_map(rows)).figure
    figure.canvas.draw()
    titles = [axes.title.get_window_extent() for axes in figure.axes if axes.get_visible()]
    assert len(titles) == 4
    assert not any(one.overlaps(other) for at, one in enumerate(titles) for other in titles[:at])
    assert max(title.x1 for title in titles) <= figure.bbox.x1
    figure = drawn(scores.harness_bars(rows)).figure
    figure.canvas.draw()
    [axes] = figure.axes
    assert not axes.get_legend().get_window_extent().overlaps(axes.bbox)


def test_a_root_that_the_first_harness_lacks_is_in_the_legend(tmp_path: Path) -> None:
    write_run(tmp_path, root="openai:big")
    for root in ("openai:big", "openai:tiny"):
        write_run(tmp_path, harness="tool-loop", root=root)
    legend = drawn(scores.harness_bars(gather(tmp_path))).figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["big", "tiny"]


def test_what_the_probes_say_is_told_in_words(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    said = (
        "10 stretches of ten words, drawn at random from the rooms, were looked for in all that the models were sent: "
    )
    assert f"{said}every one was found if" in drawn(reading.coverage_against_rate(gather(tmp_path))).caption
    held = json.loads((run / "measures.json").read_text())
    (run / "measures.json").write_text(json.dumps(held | {"probe_disagreements": 3}))
    assert f"{said}for 3 of them what was found" in drawn(reading.coverage_against_rate(gather(tmp_path))).caption


def test_roots_that_no_run_has_are_refused_with_those_that_there_are(runs: Path, tmp_path: Path) -> None:
    for named in (("--before", "foo", "--after", "big"), ("--after", "foo")):
        done = redwell("bench", "figures", runs, "--out", tmp_path / "figures", *named)
        assert done.returncode == 2
        option = named[named.index("foo") - 1]
        assert f"{option}: no run has the root foo; there are: openai:big, openai:tiny" in done.stderr
    assert not (tmp_path / "figures").exists()


def test_a_share_just_below_nothing_is_none() -> None:
    assert [shown(share, "difference") for share in (-1e-17, -0.2)] == ["0.0%", "-20.0%"]


_LOOKED_AT = """<script>
const all = what => [...document.querySelectorAll(what)];
const cut = all(".wide").filter(one => one.offsetParent && one.scrollWidth > one.clientWidth).length;
const split = all("nav a").filter(one => one.getClientRects().length != 1).length;
document.title = `${innerWidth} wide: ${all(".wide.many").length} tables, ${cut} cut, ${all("nav a").length > 6} ${split} split`;
</script>"""


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@pytest.mark.parametrize(("wide", "printed"), [(1280, False), (718, True), (500, False)])
def test_no_table_is_cut_and_no_entry_of_the_contents_split(
    crowded: Path, tmp_path: Path, wide: int, printed: bool
) -> None:
    draw(crowded, tmp_path)
    page = (tmp_path / "index.html").read_text()
    if printed:  # the printable width of A4, at 96 points an inch
        page = page.replace("@media print", "@media all")
    (tmp_path / "index.html").write_text(page.replace("</main>", f"</main>{_LOOKED_AT}"))
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command += [f"--window-size={wide},2000", "--dump-dom", (tmp_path / "index.html").as_uri()]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    found = re.search(r"<title>(\d+) wide: (\d) tables, (\d) cut, true (\d) split", told)
    assert found is not None, told[:200]
    assert (int(found[1]), int(found[2]), int(found[4])) == (wide, 2, 0)
    if wide > 500:  # a narrow screen scrolls them
        assert int(found[3]) == 0


def test_the_same_runs_give_the_same_drawing(runs: Path, tmp_path: Path) -> None:
    draw(runs, tmp_path / "one")
    draw(runs, tmp_path / "two")
    assert (tmp_path / "one/harnesses.svg").read_bytes() == (tmp_path / "two/harnesses.svg").read_bytes()


def test_names_from_outside_stay_text_on_the_page(tmp_path: Path) -> None:
    write_run(tmp_path, task="rooms/<script>alert(1)</script>")
    draw(tmp_path, tmp_path / "out")
    assert "<script>" not in (tmp_path / "out/index.html").read_text()


def test_a_folder_without_measured_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FiguresError, match="holds no run that has been measured"):
        draw(tmp_path, tmp_path / "out")


def test_a_dollar_sign_in_a_name_is_no_formula(tmp_path: Path) -> None:
    for harness in ("rlm", "rlm-depth-2"):
        for root in ("openai:m$_{$", "openai:b"):
            write_run(tmp_path, task="rooms/$^_$ \\frac{", harness=harness, root=root, sub_calls=3)
    figures = draw(tmp_path, tmp_path / "figures")
    assert sum(isinstance(one, Drawn) for one in figures) >= 6


def test_the_key_of_a_task_that_was_moved_with_its_matrix_is_found(tmp_path: Path) -> None:
    run = write_run(tmp_path / "out", key=str(tmp_path / "gone" / "answer_key.json"))
    task = tmp_path / "out" / "tasks" / "t"
    task.mkdir(parents=True)
    (task / "task.json").touch()
    write_key(
        Key(
            "t",
            "Target",
            "1",
            "desk",
            "test",
            (),
            (Criterion("C-001", "x", "x", "report", "", Check((("Kestrel",),))),),
        ),
        task / "answer_key.json",
    )
    frozen = {"configuration": {"task_folder": os.path.relpath(task, run)}}
    (run / "run.json").write_text(json.dumps(frozen))
    draw(tmp_path / "out", tmp_path / "figures")
    assert (tmp_path / "figures" / "by_style.csv").read_text().splitlines()[1:] == ["report,rlm,1,1"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"roles": 3}, "measures.json: roles: input should be a valid dictionary"),
        ({"behaviour": None}, "measures.json: behaviour: "),
        ({"coverage": "x"}, "measures.json: coverage: "),
        ({"cost": math.inf}, "measures.json: holds a figure that is no number"),
        ({"coverage": math.nan}, "measures.json: holds a figure that is no number"),
    ],
)
def test_measures_that_are_not_what_was_written_are_named(
    tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    run = write_run(tmp_path)
    held = json.loads((run / "measures.json").read_text())
    (run / "measures.json").write_text(json.dumps(held | changed))
    with pytest.raises(JournalError) as raised:
        gather(tmp_path)
    assert said in str(raised.value)
    assert "measure the run again" in str(raised.value)


def test_a_map_of_a_room_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    (run / "documents_read.json").write_text("[1]")
    with pytest.raises(JournalError, match=r"documents_read\.json does not say which documents the run read"):
        reading.room_map(gather(tmp_path))


@pytest.mark.parametrize("line", ['{"step": 1, "reward": %s}' % ("9" * 400), '{"step": [1]}', "[]", "\x00", '{"step": 1, "held_out": "x"}'])  # fmt: skip
def test_a_curve_that_is_none_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    curve = tmp_path / "c.jsonl"
    curve.write_text(f'{{"step": 1, "reward": 0.5}}\n{line}\n')
    with pytest.raises(ValueError, match=r"c\.jsonl: line 2 is not a JSON object with a step and figures"):
        training.reward_by_step([curve])


def test_files_that_are_no_curve_at_all_are_named(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for name in ("bytes", "nowhere", "."):
        with pytest.raises(ValueError, match=str(tmp_path)):
            training.reward_by_step([tmp_path / name])
