"""Quiescence detection: rank 0 finds the end of a run in every order of messages."""

from __future__ import annotations

from stablemate.execution.collectives.messages import Idle, State
from stablemate.execution.faults.quiescence import QuiescenceDetector


def state(detector: QuiescenceDetector, rank: int, *, quiet: bool = True, sent: int = 6) -> State:
    """The answer of a rank to the query that is on its way."""
    return State(detector.query, rank, quiet, sent, 6, (), ())


def ask(detector: QuiescenceDetector) -> None:
    """Starts the next query, which is due."""
    detector.earliest = 0.0
    assert detector.due() is not None


def both_are_quiet(detector: QuiescenceDetector) -> bool:
    """Whether a query that finds both ranks idle ends the run."""
    ask(detector)
    for rank in range(2):
        detector.take(state(detector, rank))
    return detector.settled_states() is not None


def test_two_equal_answers_end_a_run() -> None:
    detector = QuiescenceDetector(2)
    detector.take(Idle(0))
    assert detector.due() is None
    detector.take(Idle(1))
    assert not both_are_quiet(detector)
    assert both_are_quiet(detector)


def test_a_rank_may_report_idleness_before_others_have_answered() -> None:
    """Rank 0 still sends its query when it answers it, and is idle before rank 1 answers."""
    detector = QuiescenceDetector(2)
    detector.take(Idle(0))
    detector.take(Idle(1))
    ask(detector)
    detector.take(state(detector, 0, quiet=False))
    detector.take(Idle(0))
    detector.take(state(detector, 1))
    assert detector.settled_states() is None
    assert not both_are_quiet(detector)
    assert both_are_quiet(detector)


def test_a_busy_rank_is_not_queried_before_it_is_idle() -> None:
    detector = QuiescenceDetector(2)
    detector.take(Idle(0))
    detector.take(Idle(1))
    for _ in range(2):
        ask(detector)
        detector.take(state(detector, 0, quiet=False))
        detector.take(state(detector, 1))
        assert detector.settled_states() is None
        detector.earliest = 0.0
        assert detector.due() is None
        detector.take(Idle(0))


def test_messages_on_their_way_keep_a_run_open() -> None:
    detector = QuiescenceDetector(2)
    detector.take(Idle(0))
    detector.take(Idle(1))
    for _ in range(3):
        ask(detector)
        detector.take(state(detector, 0, sent=7))
        detector.take(state(detector, 1))
        assert detector.settled_states() is None
