from handlers.app.throttle import REST_MS, Throttle


class Now:
    """A clock in milliseconds."""

    ms = 1_790_000_000_000

    def __call__(self) -> int:
        """The time."""
        return self.ms


def test_the_same_thing_rests_for_a_while() -> None:
    """Once through, then not until some seconds have passed; refusals do not lengthen the rest."""
    now = Now()
    throttle = Throttle(now, 16)
    assert throttle.allows("help", 1)
    now.ms += REST_MS - 1
    assert not throttle.allows("help", 2)
    now.ms += 1
    assert throttle.allows("help", 3)


def test_other_things_are_not_held_up() -> None:
    """Each thing rests for itself."""
    throttle = Throttle(Now(), 16)
    assert throttle.allows((1, "help"), 1)
    assert throttle.allows((2, "help"), 2)
    assert throttle.allows((1, "rules"), 3)


def test_the_same_update_comes_through_again() -> None:
    """What Telegram repeats because it failed is no flood."""
    throttle = Throttle(Now(), 16)
    assert throttle.allows("help", 7)
    assert not throttle.allows("help", 8)
    assert throttle.allows("help", 7)


def test_it_does_not_remember_for_ever() -> None:
    """The oldest are forgotten first, so that memory stays small."""
    throttle = Throttle(Now(), 16)
    for chat in range(5_000):
        assert throttle.allows(chat, chat)
    assert len(throttle._last) <= 1_000
    assert not throttle.allows(4_999, 1)
    assert throttle.allows(0, 2)
