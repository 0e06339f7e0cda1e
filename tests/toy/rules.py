"""Shed, a toy: five cards each, played one by one; a card higher than the one before it counts, and most points win."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from engine.chance import shuffle
from engine.codec import Layout, by_seat, check_end, parts, read, write
from engine.core import CorruptError, Event, NotLegalError, Outcome, Reason, RoundEnded, Rules, Step
from engine.match import Sheet, ranks
from engine.notation import cards_text, check_deck, parse_cards

DECK, SEATS, HAND = tuple(card // 2 for card in range(2, 26)), range(2, 5), 5
ShedReason = StrEnum("ShedReason", {"NOT_IN_HAND": "not-in-hand"})
Cards = tuple[int, ...]


class State(NamedTuple):
    seed: bytes
    sheet: Sheet
    hands: tuple[Cards, ...]
    played: Cards
    rest: Cards


class View(NamedTuple):
    round: int
    to_move: Cards
    hand: Cards
    played: Cards
    rounds: tuple[Cards, ...]
    totals: Cards
    places: Cards
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Played(Event):
    seat: int
    card: int


def _deal(seed: bytes, sheet: Sheet) -> State:
    cards, dealt = shuffle(DECK, seed, f"shed {len(sheet.rounds)}"), HAND * sheet.seats
    return State(seed, sheet, tuple(cards[at : at + HAND] for at in range(0, dealt, HAND)), (), cards[dealt:])


def _actors(state: State) -> Cards:
    return (len(state.played) % state.sheet.seats,) if any(state.hands) else ()


def _apply(state: State, seat: int, card: int) -> Step[State]:
    if not any(state.hands):
        raise NotLegalError(Reason.OVER)
    if seat not in _actors(state):
        raise NotLegalError(Reason.NOT_YOUR_TURN if seat in range(state.sheet.seats) else Reason.NO_SUCH_SEAT)
    if card not in state.hands[seat]:
        raise NotLegalError(ShedReason.NOT_IN_HAND)
    hands, played = [list(hand) for hand in state.hands], (*state.played, card)
    hands[seat].remove(card)
    after = state._replace(hands=tuple(map(tuple, hands)), played=played)
    if any(hands):
        return Step(after, (Played(seat, card),))
    points = [card * (card > before) for before, card in zip((0, *played), played, strict=False)]
    after = after._replace(sheet=state.sheet.add([sum(points[each :: len(hands)]) for each in range(len(hands))]))
    ended = RoundEnded(len(after.sheet.rounds), after.sheet.rounds[-1], _view(after, None))
    return Step(after if after.sheet.ending else _deal(state.seed, after.sheet), (Played(seat, card), ended))


def _view(state: State, viewer: int | None) -> View:
    sheet, hand = state.sheet, () if viewer is None else state.hands[viewer]
    scores = (sheet.rounds, sheet.totals, ranks(sheet.totals, highest=True), sheet.outcome(highest=True))
    return View(len(sheet.rounds) + any(state.hands), _actors(state), hand, state.played, *scores)


def _encode(state: State) -> str:
    return write(state, by_seat(map(cards_text, state.hands)), cards_text(state.played), cards_text(state.rest))


def _parse(seed: bytes, sheet: Sheet, fields: Sequence[str]) -> State:
    state = State(seed, sheet, tuple(map(parse_cards, parts(fields[0]))), *map(parse_cards, fields[1:]))
    check_deck([card for cards in (*state.hands, *state[3:]) for card in cards], DECK)
    check_end(state, over=not any(state.hands))
    if any(len(hand) + len(state.played[seat :: sheet.seats]) != HAND for seat, hand in enumerate(state.hands)):
        raise CorruptError("everyone plays in turn")
    return state


SHED: Final[Rules[State, int, View]] = Rules(
    key="shed",
    min_seats=SEATS[0],
    max_seats=SEATS[-1],
    deal=lambda seats, seed, length: _deal(seed, Sheet(seats, length)),
    actors=_actors,
    legal_moves=lambda state, seat: tuple(dict.fromkeys(state.hands[seat])) if seat in _actors(state) else (),
    apply=_apply,
    reasons=tuple(ShedReason),
    epoch=lambda state: 99 * len(state.sheet.rounds) - sum(map(len, state.hands)),
    outcome=lambda state: state.sheet.outcome(highest=True),
    view=_view,
    facts=lambda state: {"played": state.played},
    moves={str(card): card for card in DECK},
    encode=_encode,
    decode=lambda text: read(text, Layout(fields=3, by_seat=0, seats=SEATS), _parse, _encode),
)
