"""Print each ratchet's count and ceiling, and for those that are named where the count comes from."""

from __future__ import annotations

import argparse
import sys

from tests.ratchets import ceilings
from tests.ratchets.places import RATCHETS, House


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.ratchets", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *RATCHETS], metavar="NAME")
    parser.add_argument("--lower", action="store_true", help="lower the ceilings to what is there now")
    asked = parser.parse_args()
    house, allowed = House(), ceilings.read()
    found = {name: list(ratchet(house)) for name, ratchet in RATCHETS.items()}
    for name, places in found.items():
        sys.stdout.write(f"{name} {len(places)}, ceiling {allowed[name]}\n")
        if name in asked.names:
            sys.stdout.write("".join(f"  {place}\n" for place in places))
    if asked.lower:
        ceilings.lower({name: len(places) for name, places in found.items()})


if __name__ == "__main__":
    main()
