"""What every game must keep, at every table. A game is tested by being in `GAMES` and `HIDDEN`."""

from __future__ import annotations

from itertools import count, islice, pairwise
from random import Random
from typing import Any

import pytest

from engine.core import AnyRules, Event, Length, NotLegalError, NotUnderstoodError, Reason, RoundEnded
from engine.match import ranks
from tests.engine.hidden import HIDDEN
from tests.engine.play import RULES, at_every_table, in_every_game, positions, turns

LONGEST_TEXT = 700


@at_every_table
def test_random_play_ends(key: str, seats: int) -> None:
    """A single round within its bound; then nobody may move and there is an outcome, and never before."""
    *before, last = positions(key, seats)
    rules = RULES[key]
    assert len(before) <= HIDDEN[key].longest
    assert all(rules.actors(state) and rules.outcome(state) is None for state in before)
    assert rules.actors(last) == ()
    outcome = rules.outcome(last)
    assert outcome is not None
    assert outcome.totals == rules.view(last, None).totals
    assert outcome.winners


@at_every_table
def test_a_match_to_100_ends_when_a_total_reaches_it(key: str, seats: int) -> None:
    """Rounds follow each other until then; the best total wins, be it low or high, and equal ones share."""
    rules = RULES[key]
    scores: list[tuple[int, ...]] = []
    random = Random(seats)
    state = rules.start(seats, random.randbytes(32), Length.HUNDRED)
    while actors := rules.actors(state):
        assert max(rules.view(state, None).totals) < 100
        seat = random.choice(actors)
        state, events = _parts(rules.apply(state, seat, random.choice(rules.legal_moves(state, seat))))
        for event in events:
            assert isinstance(event, Event)
            if isinstance(event, RoundEnded):
                scores.append(event.scores)
                assert event.number == len(scores) == event.view.round
                assert event.view.rounds[-1] == event.scores
    totals = tuple(map(sum, zip(*scores, strict=True)))
    outcome = rules.outcome(state)
    assert outcome is not None
    assert outcome.totals == totals
    assert max(totals) >= 100
    assert outcome.ranks == rules.view(state, None).places
    assert outcome.ranks in (ranks(totals), ranks(totals, highest=True))


def _parts(step: Any) -> tuple[Any, tuple[Event, ...]]:
    return step.state, step.events


@at_every_table
@pytest.mark.parametrize("length", Length)
def test_cards_are_conserved(key: str, seats: int, length: Length) -> None:
    """After every move of a match every card is somewhere, and only once."""
    hidden = HIDDEN[key]
    assert all(hidden.cards(state) == hidden.deck for state in positions(key, seats, length))


@at_every_table
@pytest.mark.parametrize("length", Length)
def test_a_position_is_written_and_read_back(key: str, seats: int, length: Length) -> None:
    """Exactly, in at most 700 printable ASCII characters, rounds and seed included."""
    rules = RULES[key]
    for state in positions(key, seats, length):
        text = rules.encode(state)
        assert rules.decode(text) == state
        assert text.isascii()
        assert text.isprintable()
        assert len(text) <= LONGEST_TEXT


@in_every_game
def test_a_long_match_still_fits(key: str) -> None:
    """Twelve finished rounds at the largest table, three characters a score, in a round after the first."""
    rules = RULES[key]
    matches = (positions(key, rules.max_seats, Length.HUNDRED, salt=str(number)) for number in count())
    later = (state for match in matches for state in match if rules.actors(state) and rules.view(state, None).rounds)
    seed, _, *fields = rules.encode(next(later)).split(" ")
    rounds = "/".join([",".join(["-16"] * rules.max_seats)] * 12)
    text = " ".join([seed, f"100:{rounds}", *fields])
    assert len(text) <= LONGEST_TEXT
    assert rules.encode(rules.decode(text)) == text


@in_every_game
def test_moves_and_their_texts_are_inverses(key: str) -> None:
    """Every move is written in its one way, in at most eight ASCII characters; other texts are not understood."""
    rules = RULES[key]
    assert len(set(rules.moves.values())) == len(rules.moves)
    for text, move in rules.moves.items():
        assert rules.move_text(move) == text
        assert rules.parse_move(text) == move
        assert text.isascii()
        assert len(text) <= 8
        for other in (text.upper() + "!", f" {text}", f"{text} ", text[:-1], ""):
            if other not in rules.moves:
                with pytest.raises(NotUnderstoodError):
                    rules.parse_move(other)


def accepted(rules: AnyRules, state: Any, seat: int) -> set[str]:
    """The texts of all moves that `apply` accepts from a seat; every refusal must have a reason and change nothing."""
    texts, reasons = set(), set()
    before = rules.encode(state)
    for text, move in rules.moves.items():
        try:
            rules.apply(state, seat, move)
        except NotLegalError as error:
            reasons.add(error.reason)
        else:
            texts.add(text)
    assert rules.encode(state) == before
    assert reasons <= {*Reason, *rules.reasons}
    return texts


@at_every_table
def test_legal_moves_are_exactly_what_apply_accepts(key: str, seats: int) -> None:
    """For every move there is and every seat, those out of range too; only actors have moves."""
    rules = RULES[key]
    for state in islice(positions(key, seats), 0, None, 7):
        for seat in (-seats, -1, *range(seats + 2)):
            legal = [rules.move_text(move) for move in rules.legal_moves(state, seat)]
            assert len(set(legal)) == len(legal)
            assert set(legal) == accepted(rules, state, seat)
            assert bool(legal) == (seat in rules.actors(state))


@in_every_game
def test_a_games_own_reasons_are_told_apart_from_those_of_all_games(key: str) -> None:
    """By their spelling, which is all that players' sentences are found by."""
    spellings = [str(reason) for reason in (*Reason, *RULES[key].reasons)]
    assert len(set(spellings)) == len(spellings)


@at_every_table
def test_the_end_accepts_nothing(key: str, seats: int) -> None:
    """The reason is that the match is over."""
    rules = RULES[key]
    *_, last = positions(key, seats)
    for move in rules.moves.values():
        with pytest.raises(NotLegalError) as caught:
            rules.apply(last, 0, move)
        assert caught.value.reason is Reason.OVER


@at_every_table
def test_seats_out_of_range_are_named(key: str, seats: int) -> None:
    """Below and above."""
    rules = RULES[key]
    state = rules.start(seats, bytes(32), Length.SINGLE)
    for seat in (-1, seats):
        with pytest.raises(NotLegalError) as caught:
            rules.apply(state, seat, rules.legal_moves(state, 0)[0])
        assert caught.value.reason is Reason.NO_SUCH_SEAT


@in_every_game
def test_a_table_of_the_wrong_size_cannot_start(key: str) -> None:
    """Nor one with a seed of another length."""
    rules = RULES[key]
    for seats, size in ((rules.min_seats - 1, 32), (rules.max_seats + 1, 32), (rules.min_seats, 31)):
        with pytest.raises(ValueError, match="seats"):
            rules.start(seats, bytes(size), Length.SINGLE)


@at_every_table
@pytest.mark.parametrize("length", Length)
def test_the_epoch_grows_exactly_when_buttons_must_die(key: str, seats: int, length: Length) -> None:
    """With every phase, turn and round, and never while several seats act in one phase."""
    rules, moment = RULES[key], HIDDEN[key].moment
    for before, after in pairwise(positions(key, seats, length)):
        if moment(before) == moment(after):
            assert rules.epoch(after) == rules.epoch(before)
            assert set(rules.actors(after)) <= set(rules.actors(before))
        else:
            assert rules.epoch(after) > rules.epoch(before)
            assert len(rules.actors(before)) == 1


@at_every_table
def test_moves_of_one_phase_commute(key: str, seats: int) -> None:
    """Where several seats act, the order in which their moves arrive makes no difference."""
    rules, random = RULES[key], Random(seats)
    for turn in turns(rules, seats, random):
        others = [seat for seat in rules.actors(turn.before) if seat != turn.seat]
        if not others:
            continue
        seat = random.choice(others)
        move = random.choice(rules.legal_moves(turn.before, seat))
        assert rules.legal_moves(turn.after, seat) == rules.legal_moves(turn.before, seat)
        one = rules.apply(turn.after, seat, move).state
        other = rules.apply(rules.apply(turn.before, seat, move).state, turn.seat, turn.move).state
        assert one == other


@at_every_table
def test_a_choice_may_be_changed_until_the_last_seat_has_chosen(key: str, seats: int) -> None:
    """Retracting and choosing again is the same as having chosen so at first; the epoch stays."""
    rules, random = RULES[key], Random(seats)
    for turn in turns(rules, seats, random):
        state = turn.after
        assert set(rules.chosen(state)).isdisjoint(rules.actors(state))
        for seat in range(-1, seats + 1):
            if seat not in rules.chosen(state):
                with pytest.raises(NotLegalError) as caught:
                    rules.retract(state, seat)
                assert caught.value.reason is Reason.NOTHING_TO_RETRACT
        if turn.seat in rules.chosen(state):
            back = rules.retract(state, turn.seat)
            assert back == turn.before
            assert rules.epoch(back) == rules.epoch(state)
            other = random.choice(rules.legal_moves(back, turn.seat))
            assert rules.apply(back, turn.seat, other) == rules.apply(turn.before, turn.seat, other)


@at_every_table
def test_an_earlier_choice_may_be_changed_too(key: str, seats: int) -> None:
    """Also when others have chosen in between."""
    rules, random = RULES[key], Random(seats)
    for turn in turns(rules, seats, random):
        for seat in rules.chosen(turn.after):
            back = rules.retract(turn.after, seat)
            assert seat in rules.actors(back)
            assert rules.chosen(back) == tuple(s for s in rules.chosen(turn.after) if s != seat)
            (move,) = [m for m in rules.legal_moves(back, seat) if rules.apply(back, seat, m).state == turn.after]
            assert move in rules.legal_moves(back, seat)
