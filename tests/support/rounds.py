"""``make test-races``: what runs at the same time, again and again, on both databases at once; the first failure ends it.

Nothing is tried a second time within a round: a test that fails once in twenty is a fault.
"""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.support import legs, postgres
from tests.support.legs import Leg

WHAT = ("tests", "-m", "race or stack")
LEGS = (Leg("PostgreSQL", WHAT, postgres="postgres"), Leg("SQLite", WHAT))


def main(rounds: int) -> int:
    with postgres.server() as address, tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(LEGS)) as pool:
        once = partial(legs.run, address=address, tally=Path(folder) / "kept", arguments=[])
        for number in range(1, rounds + 1):
            os.environ["LONG_TESTS"] = "1" if number == 1 else ""  # what waits for half a minute is asked once
            for result in pool.map(once, LEGS):
                last = result.output.rstrip().splitlines()[-1] if result.output.strip() else "no output"
                print(f"round {number} of {rounds}, {result.leg.name}: {last}", flush=True)
                if result.code:
                    print(result.output, flush=True)
                    return result.code
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
