"""Scores positions by bitbully, for scripts/measured: as crates/opponent/examples/solve.rs does, with `book` or without."""

import sys
import time

from bitbully import BitBully, Board

agent = BitBully(opening_book="default" if sys.argv[1:] == ["book"] else None)
for line in sys.stdin:
    # Its bins count from 0.
    board = Board([int(bin) - 1 for bin in line.strip()])
    begun = time.perf_counter_ns()
    score = agent.mtdf(board)
    took = time.perf_counter_ns() - begun
    print(score, took, flush=True)
