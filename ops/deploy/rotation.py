"""The webhook's secret, and its change without a moment in which an update of Telegram's is refused.

While it is changed there are two in SSM, and functions take both:

    stored     in force   A   A            A               B   B
               next           B            B
    functions take        A   A …  A B     A B       A B   …   B
    Telegram sends        A   A    A       B         B         B
    step                    draw   deploy  register  settle    deploy

A step that fails leaves what Telegram sends accepted; the same steps again, from the first on, finish the change.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from ops.deploy.aws import Aws, Stored
from ops.deploy.stage import Stage

BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Secrets:
    """The webhook's secret, and the next one while it is being changed."""

    in_force: Stored
    next: Stored | None = None

    @property
    def newest(self) -> str:
        """What Telegram is to send from now on."""
        return (self.next or self.in_force).value

    @property
    def versions(self) -> str:
        """A text that changes whenever functions must read the secrets anew."""
        return " ".join(str(one.version) for one in (self.in_force, self.next) if one)


def draw(aws: Aws, stage: Stage, *, renewal: bool) -> Secrets:
    """The stage's secrets; what is missing is drawn and stored: the first one, or with `renewal` the next one.

    A next one that is there already stays: Telegram may have been told of it before something failed.
    """
    in_force, following = aws.secret(stage.secret), aws.secret(stage.next_secret)
    if in_force is None:
        in_force = aws.store(stage.secret, secrets.token_urlsafe(BYTES))
    elif renewal and following is None:
        following = aws.store(stage.next_secret, secrets.token_urlsafe(BYTES))
    return Secrets(in_force, following)


def settle(aws: Aws, stage: Stage, newest: str) -> Secrets:
    """Once Telegram sends the `newest` secret: put it in force, and forget the one before."""
    settled = Secrets(aws.store(stage.secret, newest))
    aws.forget(stage.next_secret)
    return settled
