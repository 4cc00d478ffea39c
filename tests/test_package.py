"""What is installed: light to import, complete in the wheel, permissive in its licences, true in its README."""

import importlib.metadata
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("package")

ROOT = Path(__file__).resolve().parents[1]


def python(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**os.environ, **environment},
    )


def test_importing_the_package_imports_nothing_else_of_weight():
    done = python(
        "-c", "import sys; before = set(sys.modules); import redwell; print(sorted(set(sys.modules) - before))"
    )
    loaded = {name.split(".")[0] for name in re.findall(r"'([\w.]+)'", done.stdout)}
    assert loaded <= {"redwell", "__future__"}, done.stdout


def test_the_core_install_has_no_heavy_framework():
    names = re.findall(r"^([a-z0-9._-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert not {"torch", "pandas", "transformers", "langchain", "tensorflow"} & set(names)
    assert len(names) < 70


def test_every_dependency_has_a_permissive_licence():
    names = re.findall(r"^([a-z0-9._-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    for name in names:
        try:
            metadata = importlib.metadata.metadata(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # pinned for another platform
        words = " ".join(
            [
                metadata.get("License-Expression") or "",
                (metadata.get("License") or "")[:200],
                *(c for c in metadata.get_all("Classifier") or [] if "License" in c),
            ]
        )
        assert not re.search(r"\bA?GPL\b|Affero|GNU General", re.sub(r"L?GPL-exception", "", words)), (name, words)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = python("-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    [path] = folder.glob("*.whl")
    return path


def test_the_wheel_holds_every_file_of_the_package(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("redwell/")}
    ours = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src" / "redwell").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }
    assert ours <= packed


def test_the_wheel_alone_reads_the_demo_room_and_writes_the_report(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    where = {"PYTHONPATH": str(tmp_path / "site")}
    assert str(tmp_path) in python("-P", "-c", "import redwell; print(redwell.__file__)", **where).stdout
    room, deal = ROOT / "examples" / "demo_room", ROOT / "examples" / "demo_deal.toml"
    done = python("-P", "-m", "redwell", "diligence", room, "--deal", deal, "--out", tmp_path / "out", **where)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("report.html", "report.docx", "report.xlsx", "report.md", "report.json"):
        assert (tmp_path / "out" / "output" / name).stat().st_size > 10_000
    checked = python("-P", "-m", "redwell", "report", "check", tmp_path / "out", **where)
    assert checked.returncode == 0, checked.stdout


def test_the_demo_room_is_what_its_maker_makes(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "make_demo_room", str(tmp_path / "room")],
        cwd=ROOT / "examples",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    made, kept = contents(tmp_path / "room"), contents(ROOT / "examples" / "demo_room")
    assert made.keys() == kept.keys()
    assert [name for name in made if made[name] != kept[name]] == []


def contents(folder: Path) -> dict[str, bytes]:
    """Every file by its path, and every member of an Office file by its own: how they are compressed differs between machines."""
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_file() and zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                found |= {f"{name}/{member}": archive.read(member) for member in archive.namelist()}
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def test_every_command_of_the_readme_exists():
    lines = re.findall(r"^(?:.*; )?redwell ([a-z]+(?: [a-z]+)?)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert lines
    for line in set(lines):
        words = line.split()
        verb = words if words[0] in ("room", "run", "report") else words[:1]
        done = python("-m", "redwell", *verb, "--help")
        assert done.returncode == 0, (verb, done.stderr)
