"""What only a game can say of its positions: where every card is, what a viewer may not know, when buttons die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engine.dekal import model as dekal
from engine.skyjo import model as skyjo
from tests.toy import rules as shed


def dekal_cards(state: dekal.State) -> Counter[int]:
    """Every card there is."""
    dealt = [abs(card) for grid in state.grids for card in grid if card != dekal.HOLE]
    return Counter([*dealt, *state.centre, *state.reserve, *state.aside])


def dekal_other(state: dekal.State, viewer: int | None, random: Random) -> dekal.State:
    """Face-down cards and reserve dealt anew, other seats' choices changed, another seed."""
    unknown = [-card for grid in state.grids for card in grid if card < 0] + list(state.reserve)
    random.shuffle(unknown)
    grids = tuple(tuple(card if card >= 0 else -unknown.pop() for card in grid) for grid in state.grids)
    choices = tuple(
        choice
        if choice is None or seat == viewer
        else random.choice([cell for cell, card in enumerate(grids[seat]) if card < 0])
        for seat, choice in enumerate(state.choices)
    )
    return replace(state, grids=grids, reserve=tuple(unknown), choices=choices, seed=random.randbytes(32))


def skyjo_cards(state: skyjo.State) -> Counter[int]:
    """Every card there is; cells that have been emptied keep a value that is no card."""
    dealt = [card for grid in state.grids for cell, card in enumerate(grid.cards) if not grid.gone >> cell & 1]
    return Counter([*dealt, *state.discards, *state.pile, *([] if state.hand is None else [state.hand])])


def skyjo_other(state: skyjo.State, viewer: int | None, random: Random) -> skyjo.State:
    """Face-down cards, draw pile and a drawn card that is not the viewer's dealt anew, another seed."""
    unknown = [card for grid in state.grids for cell, card in enumerate(grid.cards) if grid.down >> cell & 1]
    unknown += state.pile
    secret = state.hand is not None and viewer != state.seat
    if secret:
        unknown.append(state.hand or 0)
    random.shuffle(unknown)
    hand = unknown.pop() if secret else state.hand
    grids = []
    for grid in state.grids:
        cards = [unknown.pop() if grid.down >> cell & 1 else card for cell, card in enumerate(grid.cards)]
        grids.append(replace(grid, cards=tuple(cards)))
    return replace(state, hand=hand, grids=tuple(grids), pile=tuple(unknown), seed=random.randbytes(32))


def dekal_moment(state: dekal.State) -> Hashable:
    """A reveal, or one of the picks that follow it."""
    return state.round, state.turn, state.phase, state.picks


def skyjo_moment(state: skyjo.State) -> Hashable:
    """The flips, or one of the two steps of a turn."""
    return state.round, state.turn, state.phase


def shed_cards(state: shed.State) -> Counter[int]:
    """Every card there is."""
    return Counter(card for cards in (*state.hands, state.played, state.rest) for card in cards)


def shed_other(state: shed.State, viewer: int | None, random: Random) -> shed.State:
    """Other seats' hands and the cards that were not dealt, mixed; another seed."""
    unknown = [card for seat, hand in enumerate(state.hands) if seat != viewer for card in hand] + list(state.rest)
    random.shuffle(unknown)
    hands = tuple(
        hand if seat == viewer else tuple(unknown.pop() for _ in hand) for seat, hand in enumerate(state.hands)
    )
    return state._replace(hands=hands, rest=tuple(unknown), seed=random.randbytes(32))


@dataclass(frozen=True, slots=True)
class Hidden:
    """How to look behind the cards of a game.

    `cards(state)` counts every card; `deck` is what that must be. `other(state, viewer, random)` is a position that
    `viewer` cannot tell from `state`. `moment(state)` is what the buttons of a position belong to: they die when it
    changes. `unseen(state)` tells whether somebody has just looked at a card or chosen one, which the others only see
    done; a game where every move is open has none. `longest` bounds the moves of a round of random play.
    """

    deck: Counter[int]
    cards: Callable[[Any], Counter[int]]
    other: Callable[[Any, int | None, Random], Any]
    moment: Callable[[Any], Hashable]
    longest: int
    unseen: Callable[[Any], bool] | None = None


HIDDEN = {
    "dekal": Hidden(
        Counter(dekal.DECK),
        dekal_cards,
        dekal_other,
        dekal_moment,
        2 * dekal.TURNS * dekal.MAX_SEATS,
        lambda state: any(choice is not None for choice in state.choices),
    ),
    "shed": Hidden(Counter(shed.DECK), shed_cards, shed_other, lambda state: state.played, shed.HAND * max(shed.SEATS)),
    "skyjo": Hidden(
        Counter(skyjo.DECK), skyjo_cards, skyjo_other, skyjo_moment, 1000, lambda state: state.hand is not None
    ),
}
"""By the games' keys: a new game needs its own here."""
