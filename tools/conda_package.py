"""Builds and tests the conda package of ``.conda/recipe.yaml``, without a network.

    python -m tools.conda_package OUT

Its requirements come from a channel in a folder, made of the packages of this environment and of
its Python; the names and versions are those of the recipe, which the solver checks. It needs
``py-rattler-build`` and ``py-rattler``, beside what the recipe requires: ``pip``, ``hatchling`` and
``stablemate`` itself with its dependencies.

Source: the recipe format of rattler-build; conda's specifications of packages and channels.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.spec_labels import ROOT

rattler_build: Any = import_module("rattler_build")
rattler_index: Any = import_module("rattler.index")

RECIPE: Final = ROOT / ".conda" / "recipe.yaml"
# What the index of Python packages calls them, where conda-forge has another name.
OTHER_NAMES: Final[Mapping[str, str]] = {"python-flatbuffers": "flatbuffers"}
PYTHON: Final = "python"
SUBDIRECTORY: Final = f"linux-{'64' if platform.machine() == 'x86_64' else platform.machine()}"
# Of the standard library, what no package needs.
LEFT_OUT: Final = shutil.ignore_patterns(
    "site-packages", "test", "tests", "idlelib", "tkinter", "__pycache__", "*.a", "config-*"
)


def main() -> int:
    """Builds and tests; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the folder of the package and of the channel")
    options = parser.parse_args()
    out = options.out.resolve()
    channel = out / "channel"
    for subdirectory in (SUBDIRECTORY, "noarch"):
        (channel / subdirectory).mkdir(parents=True, exist_ok=True)
    rendered = rattler_build.Stage0Recipe.from_file(RECIPE).render()
    for package in required_packages(rendered):
        print(f"channel: {package}", flush=True)
        assemble(package, channel / SUBDIRECTORY)
    asyncio.run(rattler_index.index_fs(channel))
    tested = rattler_build.ToolConfiguration(test_strategy="native")
    for variant in rendered:
        result = variant.run_build(tested, out / "packages", [channel.as_uri()])
        print(*result.packages, sep="\n")
    return 0


def required_packages(rendered: Sequence[Any]) -> list[str]:
    """The packages that the recipe requires, and what these require, by their names in conda."""
    names: dict[str, None] = {}
    waiting = [
        str(requirement).split()[0]
        for variant in rendered
        for group in (variant.recipe.requirements.host, variant.recipe.requirements.run)
        for requirement in group
    ]
    while waiting:
        name = waiting.pop(0)
        if name not in names:
            names[name] = None
            waiting += [] if name == PYTHON else map(conda_name, requirements(package_of(name)))
    return list(names)


def package_of(name: str) -> Distribution:
    """The package of this environment that a package of conda is."""
    return distribution(OTHER_NAMES.get(name, name))


def requirements(package: Distribution) -> Iterator[str]:
    """What a package requires here, without extras."""
    for text in package.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name


def assemble(name: str, folder: Path) -> None:
    """Makes a package for conda of one that is installed."""
    with tempfile.TemporaryDirectory() as place:
        files = Path(place)
        if name == PYTHON:
            version, needs = platform.python_version(), []
            copy_python(files)
        else:
            package = package_of(name)
            version = package.version
            needs = [PYTHON, *map(conda_name, requirements(package))]
            copy_package(package, files)
        rattler_build.assemble_package(
            name, version, SUBDIRECTORY, "0", folder, files_dir=files, depends=needs,
            compression_level=1,
        )  # fmt: skip


def conda_name(name: str) -> str:
    """What conda calls a package of the index."""
    return {other: conda for conda, other in OTHER_NAMES.items()}.get(name, canonicalize_name(name))


def copy_package(package: Distribution, folder: Path) -> None:
    """Copies a package; scripts, which name this Python, are left out."""
    place = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    for file in package.files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts:
            target = place / "site-packages" / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.locate(), target)


def copy_python(folder: Path) -> None:
    """Copies the Python that runs this, without packages."""
    base, version = Path(sys.base_prefix), f"{sys.version_info.major}.{sys.version_info.minor}"
    (folder / "bin").mkdir()
    shutil.copy2(base / "bin" / f"python{version}", folder / "bin")
    for name in ("python", "python3"):
        (folder / "bin" / name).symlink_to(f"python{version}")
    shutil.copytree(base / "lib" / f"python{version}", folder / "lib" / f"python{version}",
                    ignore=LEFT_OUT)  # fmt: skip
    (folder / "lib" / f"python{version}" / "site-packages").mkdir()
    for library in (base / "lib").glob(f"libpython{version}*.so*"):
        shutil.copy2(library, folder / "lib", follow_symlinks=False)


if __name__ == "__main__":
    sys.exit(main())
