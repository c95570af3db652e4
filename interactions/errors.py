"""What ingress refuses, and what the kernel runs into. Each docstring is the sentence a caller may be shown."""

from __future__ import annotations

from datetime import datetime


class IngressError(Exception):
    """The report was not accepted; nothing was stored."""

    code = "refused"
    status = 400

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.__doc__)


class KeyReusedError(IngressError):
    """This Idempotency-Key was used with another body; use a new key for a new utterance."""

    code = "key_reused"
    status = 422


class InFlightError(IngressError):
    """The first request is still running; ask again with the same key."""

    code = "in_flight"
    status = 409


class UnownedError(IngressError):
    """This device belongs to nobody, so nothing it hears can be routed; give it an owner first."""

    code = "unowned"
    status = 403


class KernelError(Exception):
    """The base of what happens between a claim and a commit."""


class LostLeaseError(KernelError):
    """Another worker owns this session now; nothing of this step was stored."""


class HeldBackError(KernelError):
    """A later utterance waits; it is heard before anything is spent."""


class NotDueError(KernelError):
    """A turn was stored in time while its deadline was on its way to the commit; the deadline is looked at again."""


class NoConsentError(KernelError):
    """A ONCE effect was asked for without the unused utterance that spoke its declared phrase."""


class NotHereError(KernelError):
    """This worker does not perform effects; the step is thrown away and taken again where it can be."""


class NotOursError(KernelError):
    """This code cannot go on with the session; others may, and nobody looks at it again before ``until``."""

    until: datetime | None = None


class NewerStateError(NotOursError):
    """Newer code wrote this session's state; a newer worker goes on with it."""


class StrandedError(NotOursError):
    """Something may have been bought in this older session, and no migration leads up from it; it is let be for a while."""

    def __init__(self, until: datetime) -> None:
        super().__init__()
        self.until = until
