"""How much of what is to go there may be: never more than stands in ceilings.txt, and never less unsaid."""

from __future__ import annotations

from pathlib import Path

FILE = Path(__file__).with_name("ceilings.txt")


def read(file: Path = FILE) -> dict[str, int]:
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return {words[0]: int(words[1]) for words in lines if words and words[0] != "#"}


def lower(counts: dict[str, int], file: Path = FILE) -> None:
    """Set the ceilings that are above their counts; none is ever raised."""
    written = []
    for line in file.read_text(encoding="utf-8").splitlines():
        name, _, ceiling = line.partition(" ")
        written.append(f"{name} {min(int(ceiling), counts[name])}" if name in counts else line)
    file.write_text("\n".join(written) + "\n", encoding="utf-8")
