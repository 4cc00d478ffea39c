"""Files that a user writes in TOML: what keeps one from being read is told with the file and the reason."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_toml(path: Path, kind: str, problem: type[Exception], largest: int) -> dict[str, Any]:
    """The values of a TOML file of a `kind` ("deal file", say) that takes at most so many bytes: what reads TOML takes time with the square of some
    files' size. Raises `problem`."""
    try:
        if path.stat().st_size > largest:
            raise problem(
                f"{path}: larger than {largest // 1000} kB, which is more than a {kind} holds; name the {kind}"
            )
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise problem(f"{path}: there is no such {kind}") from None
    except OSError as error:
        raise problem(f"{path}: the {kind} cannot be read: {error.strerror or 'it cannot be opened'}") from None
    except UnicodeDecodeError:
        raise problem(f"{path}: the {kind} cannot be read: it is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise problem(f"{path}: not valid TOML: {error}") from None
    except RecursionError:
        raise problem(f"{path}: not valid TOML: its brackets are nested too deeply") from None
    except ValueError:
        raise problem(f"{path}: holds a number of thousands of digits") from None
