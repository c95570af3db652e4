"""What a device is told of one decision: what is said, the cue of what takes longer, and that a session began or ended.

Part of the commit of the step; the UPDATE that numbers the events opens its transaction.
"""

from __future__ import annotations

from datetime import datetime

from interactions import events, replies
from interactions.agenda import Work
from interactions.contracts import Step
from interactions.events import Draft

THINKING = "thinking"
CUE_AFTER_MS = 900  # the device plays it then, unless the answer is there


def tell(work: Work, step: Step, *, phase: str, revision: int, at: datetime) -> int | None:
    """Store what the device is told; returns the id of the latest keyed reply, the prompt that an answer may name."""
    session = work.session
    status = "ended" if step.end else "working" if step.effect or work.held_s is not None else "active"
    context = replies.Context(
        device=session.device_id,
        session=session.pk,
        mode=session.mode,
        phase=phase,
        status=status,
        cause=f"session:{session.pk}:{revision}",
        at=at,
        lang=step.lang or session.lang,
        answers=work.answers,
        reason=step.end or step.said,
        prompt=session.prompt_id,
    )
    drafts: list[Draft] = []
    if work.moving or (work.item is not None and work.item.kind == "start"):
        drafts.append(replies.mark(context, kind="interaction.started", ordinal=0))
    drafts += replies.compose(context, replies=step.say, ordinal=len(drafts))
    if step.effect is not None or (phase != session.phase and not step.say):
        drafts.append(_goes_on(work, step, context, ordinal=len(drafts)))
    if step.end is not None:
        drafts.append(replies.mark(context, kind="interaction.ended", ordinal=len(drafts)))
    told = events.write(session.device_id, drafts, answers=work.answers)
    return next((event.pk for event in reversed(told) if event.key), None)


def _goes_on(work: Work, step: Step, context: replies.Context, *, ordinal: int) -> Draft:
    """That something takes longer, with one cue for the whole turn however many calls it makes; a late cue is never played."""
    first = work.checkpoint is None
    cue = (step.cue or THINKING) if step.effect is not None and first else None
    lasts = events.FLEETING["device.cue"] if cue else None
    return replies.mark(
        context, kind="interaction.updated", ordinal=ordinal, lasts=lasts, cue=cue, cue_after_ms=CUE_AFTER_MS if cue else None
    )
