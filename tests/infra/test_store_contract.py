"""What every store does, on each of the backends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from infra import items
from infra.matches import CorruptItemError, Match, Status, to_item
from infra.store import Chat, ChatBudget, ConflictError, Store
from tests.infra.backends import Backend
from tests.infra.sample import EXPIRES, GROUP, SUPERGROUP, playing, table


@pytest.fixture
def store(backend: Backend) -> Store:
    """One store on the backend."""
    return backend.store()


async def test_what_is_not_there(store: Store) -> None:
    """An empty store knows no match, no pointer, nothing due, and the usual settings."""
    assert await store.match("nobody") is None
    assert await store.current(GROUP, 0) is None
    assert await store.due(2_000_000_000, 10) == ()
    assert await store.chat(GROUP) == Chat(GROUP)
    assert await store.budget(GROUP) == ChatBudget(GROUP)
    assert await store.pages(table()) == ()


async def test_a_first_open_saves_version_one(backend: Backend, store: Store) -> None:
    """The match is written as version 1, the chat points at it, and another process reads both."""
    opened = await store.open(table(), None)

    assert opened == replace(table(), version=1)
    assert await backend.store().match("m1") == opened
    assert await backend.store().current(GROUP, 0) == "m1"
    assert await store.current(GROUP, 5) is None


async def test_every_field_is_kept(store: Store) -> None:
    """A match comes back as it was saved, one version on."""
    opened = await store.open(replace(playing(), version=0), None)
    saved = await store.save(replace(opened, moves="abcXYZ1"))

    assert saved.version == 2
    assert await store.match("m2") == saved


async def test_an_open_names_what_it_replaces(store: Store) -> None:
    """A chat's next table is opened over its last one, and refused over any other."""
    first = await store.open(table("m1"), None)

    for wrong in (None, "other"):
        with pytest.raises(ConflictError) as caught:
            await store.open(table("m2"), wrong)
        assert caught.value.winner == first
    assert await store.match("m2") is None
    assert await store.current(GROUP, 0) == "m1"

    second = await store.open(table("m2"), "m1")
    assert await store.current(GROUP, 0) == "m2"
    assert await store.match("m2") == second
    assert await store.match("m1") == first


async def test_an_open_over_a_missing_pointer_is_refused(store: Store) -> None:
    """Where the chat points at nothing, there is nothing to replace and no winner."""
    with pytest.raises(ConflictError) as caught:
        await store.open(table(), "gone")
    assert caught.value.winner is None
    assert await store.match("m1") is None


async def test_opening_the_same_match_again_is_harmless(store: Store) -> None:
    """An open whose answer was lost may be repeated; with other content it is a conflict."""
    opened = await store.open(table(), None)

    assert await store.open(table(), None) == opened
    with pytest.raises(ConflictError) as caught:
        await store.open(replace(table(), language="en"), None)
    assert caught.value.winner == opened


async def test_an_id_in_use_is_not_overwritten(store: Store) -> None:
    """An open for another chat with a used id writes neither the match nor the pointer."""
    first = await store.open(table(), None)

    with pytest.raises(ConflictError) as caught:
        await store.open(table(chat=SUPERGROUP), None)
    assert caught.value.winner == first
    assert await store.current(SUPERGROUP, 0) is None


async def test_topics_have_their_own_tables(store: Store) -> None:
    """Two topics of a chat point at two matches."""
    await store.open(table("m1", topic=0), None)
    await store.open(table("m2", topic=3), None)

    assert await store.current(GROUP, 0) == "m1"
    assert await store.current(GROUP, 3) == "m2"


async def test_a_stale_save_is_refused_with_the_winner(backend: Backend, store: Store) -> None:
    """The second save over one version changes nothing and carries what the first one saved."""
    opened = await store.open(table(), None)
    winner = await store.save(replace(opened, moves="a"))

    with pytest.raises(ConflictError) as caught:
        await backend.store().save(replace(opened, moves="b"))
    assert caught.value.winner == winner
    assert await store.match("m1") == winner


async def test_the_same_content_from_two_is_one_winner(store: Store) -> None:
    """Two writers of equal content over one version are two all the same: only one may go on to talk to the chat."""
    opened = await store.open(table(), None)
    winner = await store.save(replace(opened, moves="a"))

    with pytest.raises(ConflictError) as caught:
        await store.save(replace(opened, moves="a"))
    assert caught.value.winner == winner


@pytest.mark.parametrize("page", [None, "abc"])
async def test_a_match_that_is_gone_is_not_made_anew(store: Store, page: str | None) -> None:
    """Saving what is not there is a conflict without a winner."""
    with pytest.raises(ConflictError) as caught:
        await store.save(replace(table(), version=3, pages=1), page)
    assert caught.value.winner is None
    assert await store.match("m1") is None


async def test_pages_come_back_in_order(store: Store) -> None:
    """Finished pages are put away with the save and read in order, beyond ten too."""
    match = await store.open(table(), None)
    for number in range(12):
        match = await store.save(replace(match, pages=number + 1, moves=""), f"page {number}")

    assert await store.pages(match) == tuple(f"page {number}" for number in range(12))
    assert await store.pages(replace(match, pages=3)) == ("page 0", "page 1", "page 2")
    assert match.version == 13


async def test_a_stale_page_turn_writes_nothing(backend: Backend, store: Store) -> None:
    """The page of a refused save is not put away."""
    opened = await store.open(table(), None)
    winner = await store.save(replace(opened, moves="a"))

    with pytest.raises(ConflictError) as caught:
        await store.save(replace(opened, pages=1), "lost")
    assert caught.value.winner == winner
    assert backend.get(items.page_key("m1", 0)) is None


async def test_a_page_is_never_overwritten(backend: Backend, store: Store) -> None:
    """A page that is there although the match says otherwise is corruption: nothing is written."""
    opened = await store.open(table(), None)
    backend.put(items.page_key("m1", 0), {"moves": "old", "expires": 0})

    with pytest.raises(CorruptItemError):
        await store.save(replace(opened, pages=1), "new")
    assert backend.get(items.page_key("m1", 0)) == {"moves": "old", "expires": 0}
    assert await store.match("m1") == opened


async def test_a_missing_page_is_corruption(store: Store) -> None:
    """A match that names a page which is not there cannot be told in full, and says so."""
    match = await store.open(table(), None)
    match = await store.save(replace(match, pages=1), "page 0")

    with pytest.raises(CorruptItemError):
        await store.pages(replace(match, pages=2))


async def test_a_page_outlives_its_match(backend: Backend, store: Store) -> None:
    """A page expires long after the match did, for the match may be played on."""
    match = await store.open(table(), None)
    await store.save(replace(match, pages=1), "page 0")

    page = backend.get(items.page_key("m1", 0))
    assert page is not None
    assert page["expires"] == EXPIRES + items.PAGE_GRACE


async def test_settings_are_kept(backend: Backend, store: Store) -> None:
    """Settings come back as saved, one version on."""
    chosen = Chat(GROUP, language="fr", delay=0, moved_to=SUPERGROUP)
    saved = await store.save_chat(chosen)

    assert saved == replace(chosen, version=1)
    assert await backend.store().chat(GROUP) == saved
    assert await store.save_chat(replace(saved, delay=600)) == replace(saved, delay=600, version=2)


async def test_stale_settings_are_refused(store: Store) -> None:
    """Settings are written only over the version that they were loaded at."""
    saved = await store.save_chat(Chat(GROUP, language="fr"))

    for stale in (Chat(GROUP, language="en"), replace(saved, version=7)):
        with pytest.raises(ConflictError) as caught:
            await store.save_chat(stale)
        assert caught.value.winner is None
    assert await store.chat(GROUP) == saved


async def test_a_budget_is_kept(backend: Backend, store: Store) -> None:
    """It comes back as saved, one version on, and apart from the chat's settings."""
    spent = ChatBudget(GROUP, ready_ms=5, asked_ms=6, paused_ms=7, slow_ms=8, lent_to="m1", payer="m2", since_ms=9)
    saved = await store.save_budget(spent)

    assert saved == replace(spent, version=1)
    assert await backend.store().budget(GROUP) == saved
    assert await store.save_budget(replace(saved, lent_to="")) == replace(saved, lent_to="", version=2)
    assert await store.chat(GROUP) == Chat(GROUP)


async def test_a_stale_budget_is_refused(store: Store) -> None:
    """A budget is written only over the version that it was loaded at: two cannot spend the same."""
    saved = await store.save_budget(ChatBudget(GROUP, ready_ms=5))

    for stale in (ChatBudget(GROUP, ready_ms=9), replace(saved, version=7)):
        with pytest.raises(ConflictError) as caught:
            await store.save_budget(stale)
        assert caught.value.winner is None
    assert await store.budget(GROUP) == saved


async def test_a_corrupt_budget_is_left_as_it_is(backend: Backend, store: Store) -> None:
    """What cannot be read raises and is not written over."""
    corrupt: dict[str, int | str] = {"schema": 1, "version": 1, "ready": -1}
    backend.put(items.budget_key(GROUP), corrupt)

    with pytest.raises(CorruptItemError):
        await store.budget(GROUP)
    with pytest.raises((CorruptItemError, ConflictError)):
        await store.save_budget(ChatBudget(GROUP, ready_ms=9))
    assert backend.get(items.budget_key(GROUP)) == corrupt


async def test_a_group_becomes_a_supergroup(store: Store) -> None:
    """The match, its pointer and the settings go along; the old chat says where to."""
    opened = await store.open(table(), None)
    settings = await store.save_chat(Chat(GROUP, language="fr", delay=60))
    moved = await store.move_chat(opened, SUPERGROUP)

    assert moved == replace(opened, chat=SUPERGROUP, version=2)
    assert await store.match("m1") == moved
    assert await store.current(SUPERGROUP, 0) == "m1"
    assert await store.current(GROUP, 0) is None
    assert await store.chat(SUPERGROUP) == Chat(SUPERGROUP, language="fr", delay=60, version=1)
    assert await store.chat(GROUP) == replace(settings, moved_to=SUPERGROUP, version=2)


async def test_a_chat_without_settings_moves_too(store: Store) -> None:
    """Where nothing was chosen, nothing is chosen afterwards, and the old chat still says where to."""
    await store.move_chat(await store.open(table(), None), SUPERGROUP)

    assert await store.chat(SUPERGROUP) == Chat(SUPERGROUP)
    assert await store.chat(GROUP) == Chat(GROUP, moved_to=SUPERGROUP, version=1)


async def test_moving_a_chat_again_is_harmless(store: Store) -> None:
    """A match that is in its new place already is left as it is."""
    moved = await store.move_chat(await store.open(table(), None), SUPERGROUP)

    assert await store.move_chat(moved, SUPERGROUP) == moved
    assert await store.match("m1") == moved


async def test_a_stale_move_is_refused(store: Store) -> None:
    """A match saved meanwhile is not moved, nor is anything else."""
    opened = await store.open(table(), None)
    winner = await store.save(replace(opened, moves="a"))

    with pytest.raises(ConflictError) as caught:
        await store.move_chat(opened, SUPERGROUP)
    assert caught.value.winner == winner
    assert await store.current(SUPERGROUP, 0) is None
    assert await store.current(GROUP, 0) == "m1"
    assert await store.chat(GROUP) == Chat(GROUP)


async def test_a_move_keeps_what_the_new_chat_has_chosen(store: Store) -> None:
    """Settings made in the supergroup stay; a table opened there gives way to the one that is moved."""
    opened = await store.open(table(), None)
    await store.save_chat(Chat(GROUP, language="fr"))
    chosen = await store.save_chat(Chat(SUPERGROUP, language="en"))
    await store.open(table("m2", chat=SUPERGROUP), None)
    await store.move_chat(opened, SUPERGROUP)

    assert await store.chat(SUPERGROUP) == chosen
    assert await store.current(SUPERGROUP, 0) == "m1"


async def test_an_old_match_moves_without_the_pointer_of_another(store: Store) -> None:
    """The old chat's pointer is removed only where it names the match that moves."""
    old = await store.open(table("m1"), None)
    await store.open(table("m2"), "m1")
    await store.move_chat(old, SUPERGROUP)

    assert await store.current(GROUP, 0) == "m2"
    assert await store.current(SUPERGROUP, 0) == "m1"


async def test_what_is_due_comes_longest_overdue_first(store: Store) -> None:
    """Only matches with a `due` that has come are listed, in its order, no more than asked for."""
    for number, due in enumerate((300, 0, 100, 200, 400)):
        await store.open(replace(table(f"m{number}", topic=number), due=due), None)

    assert await store.due(300, 10) == ("m2", "m3", "m0")
    assert await store.due(300, 2) == ("m2", "m3")
    assert await store.due(99, 10) == ()


async def test_due_follows_every_save(store: Store) -> None:
    """A match leaves the list when its `due` is put off or taken away, and comes back with it."""
    match = await store.open(replace(table(), due=100), None)
    match = await store.save(replace(match, due=500))
    assert await store.due(100, 10) == ()
    assert await store.due(500, 10) == ("m1",)
    match = await store.save(replace(match, due=0))
    assert await store.due(2_000_000_000, 10) == ()
    await store.save(replace(match, due=50))
    assert await store.due(100, 10) == ("m1",)


async def test_what_is_put_off_lets_others_come_first(backend: Backend, store: Store) -> None:
    """It is due again at the time said, or never; nothing else of it changes, and a save says anew when it is due."""
    opened = [await store.open(replace(table(f"m{n}", topic=n), due=100 + n), None) for n in range(3)]

    await store.put_off("m0", 150, 400)
    await store.put_off("m1", 150, 0)
    assert await store.due(150, 10) == ("m2",)
    assert await store.due(2_000_000_000, 10) == ("m2", "m0")
    for match in opened:
        stored = await backend.store().match(match.id)
        assert stored is not None
        assert replace(stored, due=match.due) == match
    await store.save(replace(opened[1], due=50))
    assert await store.due(100, 10) == ("m1",)


async def test_only_what_is_due_is_put_off(store: Store) -> None:
    """Where somebody has saved the match meanwhile, or it is gone, there is nothing to put off."""
    await store.open(replace(table("m0"), due=200), None)
    await store.open(replace(table("m1", topic=1), due=0), None)
    for match_id in ("m0", "m1", "gone"):
        await store.put_off(match_id, 199, 900)
    assert await store.due(2_000_000_000, 10) == ("m0",)
    assert await store.due(200, 10) == ("m0",)


async def test_what_nobody_can_read_is_put_off(backend: Backend, store: Store) -> None:
    """A broken match, and one that has expired and is still there, stand before nobody."""
    await store.open(replace(table("m0"), due=100), None)
    await store.open(replace(table("m1", topic=1), due=101), None)
    key = items.match_key("m0")
    broken = (backend.get(key) or {}) | {"schema": 99, "expires": 0}
    backend.put(key, broken)
    backend.clock.now = EXPIRES
    await store.put_off("m0", 150, 900)
    await store.put_off("m1", 150, 0)
    assert await store.due(899, 10) == ()
    assert (backend.get(key) or {}) | {"due": 0} == broken | {"due": 0}


async def test_what_has_expired_is_absent(backend: Backend, store: Store) -> None:
    """From the second of its expiry a match is gone, whether it has been removed by then or not."""
    opened = await store.open(table(), None)
    backend.clock.now = EXPIRES - 1
    assert await store.match("m1") == opened
    backend.clock.now = EXPIRES
    assert await store.match("m1") is None
    with pytest.raises(ConflictError) as caught:
        await store.save(replace(opened, version=5))
    assert caught.value.winner is None


async def test_a_save_keeps_what_was_about_to_expire(backend: Backend, store: Store) -> None:
    """Whoever loaded a match in time may save it after its expiry with a later one."""
    opened = await store.open(table(), None)
    backend.clock.now = EXPIRES + 1
    saved = await store.save(replace(opened, expires=EXPIRES + 100))

    assert await store.match("m1") == saved


async def test_no_expiry_is_never(backend: Backend, store: Store) -> None:
    """An `expires` of 0 does not expire."""
    opened = await store.open(replace(table(), expires=0), None)
    backend.clock.now = 9e9

    assert await store.match("m1") == opened


@pytest.mark.parametrize(
    "change", [{"schema": 2}, {"schema": "1"}, {"status": "resting"}, {"version": "3"}, {"secret": "xyz"}, {"chat": ""}]
)
async def test_a_corrupt_match_is_left_as_it_is(backend: Backend, store: Store, change: dict[str, int | str]) -> None:
    """What cannot be read raises on every way to it and is not written over."""
    opened = await store.open(table(), None)
    corrupt = {**to_item(replace(opened, version=9)), **change}
    backend.put(items.match_key("m1"), corrupt)

    with pytest.raises(CorruptItemError):
        await store.match("m1")
    with pytest.raises(CorruptItemError):
        await store.save(opened)
    with pytest.raises(CorruptItemError):
        await store.save(replace(opened, pages=1), "page")
    with pytest.raises(CorruptItemError):
        await store.move_chat(opened, SUPERGROUP)
    with pytest.raises(CorruptItemError):
        await store.open(table("m2"), None)
    assert backend.get(items.match_key("m1")) == corrupt


async def test_corrupt_settings_and_pointers_raise(backend: Backend, store: Store) -> None:
    """A settings item of another schema, or a pointer to nothing, is not guessed at nor written over."""
    settings: dict[str, int | str] = {"schema": 2, "version": 1, "delay": 180}
    backend.put(items.chat_key(GROUP), settings)
    backend.put(items.pointer_key(GROUP, 0), {"match": 5})

    with pytest.raises(CorruptItemError):
        await store.chat(GROUP)
    with pytest.raises(CorruptItemError):
        await store.current(GROUP, 0)
    with pytest.raises(CorruptItemError):
        await store.open(table(), None)
    assert backend.get(items.chat_key(GROUP)) == settings


async def test_a_whole_life(store: Store) -> None:
    """Opened, joined, started, played, over, and replaced by the next table."""
    match: Match = await store.open(table(), None)
    for status in (Status.OPEN, Status.PLAYING, Status.PLAYING, Status.OVER):
        match = await store.save(replace(match, status=status, moves=match.moves + "x"))

    assert match.version == 5
    assert await store.match("m1") == match
    following = await store.open(table("m2"), "m1")
    assert following.version == 1
