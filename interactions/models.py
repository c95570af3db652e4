"""The rows of the host. The database holds what must never break; the code says who may write what.

Lock order everywhere: person, device, session, then the rest; two of a kind by ascending id. The first statement of a
critical transaction is an UPDATE of the row that guards it, which is a lock on SQLite and PostgreSQL alike.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Person(models.Model):
    """One per user: the lock that acceptance takes first, and what is the person's rather than a device's."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="person")
    accepted = models.BigIntegerField(default=0)  # raised by every acceptance; the raise is the lock
    lang = models.CharField(max_length=16, default="en")
    speakers = models.JSONField(default=list, blank=True)  # allowed speaker names; empty: everybody
    channels = models.JSONField(default=dict, blank=True)  # where this person can be notified

    def __str__(self) -> str:
        return f"person {self.pk}"


class Device(models.Model):
    """Something with an ear, a mouth or a screen, owned by one user and known by a hashed token."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="devices"
    )
    client_id = models.CharField(max_length=64)
    name = models.CharField(max_length=80, blank=True)
    capabilities = models.JSONField(default=dict, blank=True)
    segmentation = models.CharField(max_length=32, blank=True)  # the operator's override of defaults.live_segmentation
    scope = models.CharField(max_length=16, default="device")  # device, service
    token_prefix = models.CharField(max_length=12, unique=True, null=True, blank=True)
    token_hash = models.CharField(max_length=64, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    event_seq = models.BigIntegerField(default=0)
    recovered_seq = models.BigIntegerField(null=True)  # event_seq when it was recovered: numbers after it were given twice
    posted_epoch = models.CharField(max_length=64, blank=True)
    posted_seq = models.BigIntegerField(default=0)  # the highest ``seq`` posted within that capture epoch
    silenced_upto = models.BigIntegerField(default=0)  # replies to utterances up to this id arrive with speak: false
    last_seen = models.DateTimeField(null=True, blank=True)
    # The utterance of a wake that only said that speech follows, until its words come or the device is told that none did.
    announced = models.BigIntegerField(null=True, blank=True)
    announced_until = models.DateTimeField(null=True, blank=True)
    follow_up_until = models.DateTimeField(null=True, blank=True)  # speech that begins by then needs no wake word
    # The utterance of a wake that another device has, and by when its words will have begun here too.
    lost_wake = models.BigIntegerField(null=True, blank=True)
    lost_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # Only on a device that acceptance has locked: the latest event it was given, its utterance under the same key, and whether
    # another device of its owner is there too.
    delivered_upto: int | None
    answered: int | None
    accompanied: bool

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "client_id"], name="device_owner_client")]

    def __str__(self) -> str:
        return self.name or self.client_id


class Utterance(models.Model):
    """Evidence: what was reported, and what became of it. Never tied to a Conversation; changed after only to number it for the
    feed, and to redact it. A collector brings in what no device of the host heard.
    """

    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="utterances")
    collector = models.ForeignKey(Device, null=True, on_delete=models.PROTECT, related_name="collected")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="utterances")
    key = models.CharField(max_length=128)
    body_hash = models.CharField(max_length=64)
    answer = models.JSONField(default=dict)  # what POST returned, returned again for the same key and body
    text = models.TextField(blank=True)
    normal = models.TextField(blank=True)  # normalised, for dedupe
    source = models.CharField(max_length=16)
    ingest = models.CharField(max_length=16, default="live")
    segmentation = models.CharField(max_length=32)
    final = models.BooleanField(default=True)
    audio_session_id = models.CharField(max_length=128, blank=True)
    capture_epoch = models.CharField(max_length=64, blank=True)
    start_ms = models.BigIntegerField(null=True)
    end_ms = models.BigIntegerField(null=True)
    seq = models.BigIntegerField(null=True)
    spoken_age_ms = models.IntegerField(default=0)
    heard_upto = models.BigIntegerField(null=True)
    in_reply_to = models.BigIntegerField(null=True)
    details = models.JSONField(default=dict)  # wake, playback, speaker, confidence, alternatives, lang, as reported
    received_at = models.DateTimeField()
    # When it was spoken, as a collector dates it; for what a device reports, ``received_at`` and the ages say it.
    captured_at = models.DateTimeField(null=True)
    captured_until = models.DateTimeField(null=True)
    # Its number in the evidence feed, given to what is committed already: an id is taken earlier, and may be read too late.
    place = models.BigIntegerField(null=True, unique=True)
    redacted_at = models.DateTimeField(null=True)  # since then its words are gone; the row and its place stay
    disposition = models.CharField(max_length=16)
    reason = models.CharField(max_length=64, blank=True)
    alias_of = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="aliases")
    session = models.ForeignKey("InteractionSession", null=True, on_delete=models.SET_NULL, related_name="utterances")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["device", "key"], name="utterance_device_key"),
            models.UniqueConstraint(
                fields=["collector", "owner", "key"], condition=Q(device__isnull=True), name="utterance_collector_key"
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "received_at"]),
            models.Index(fields=["device", "received_at"]),
            models.Index(fields=["id"], condition=Q(place__isnull=True), name="utterance_without_place"),
        ]

    def __str__(self) -> str:
        return f"utterance {self.pk}"


class InteractionSession(models.Model):
    """One bounded workflow of one user and device, and the mailbox that makes its work serial."""

    class Status(models.TextChoices):
        ACTIVE = "active"
        ENDED = "ended"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sessions")
    client_id = models.CharField(max_length=64)
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="sessions")
    audio_session_id = models.CharField(max_length=128, blank=True)
    mode = models.CharField(max_length=64)
    plugin = models.CharField(max_length=64)
    version = models.IntegerField(default=1)
    phase = models.CharField(max_length=64)
    state = models.JSONField(default=dict)
    lang = models.CharField(max_length=16, default="en")  # as last spoken in it
    revision = models.BigIntegerField(default=0)
    turn = models.IntegerField(default=0)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.ACTIVE)
    end_reason = models.CharField(max_length=64, blank=True)
    # utterance, outcome, signal, deadline, operator, device, error, upgrade
    ended_by = models.CharField(max_length=16, blank=True)
    prompt = models.ForeignKey("DeviceEvent", null=True, on_delete=models.SET_NULL, related_name="+")
    started_at = models.DateTimeField()
    idle_at = models.DateTimeField()
    hard_at = models.DateTimeField()
    frozen_until = models.DateTimeField(null=True)
    silence_at = models.DateTimeField(null=True)
    silence_rung = models.IntegerField(default=0)
    ended_at = models.DateTimeField(null=True)
    # the mailbox
    next_sequence = models.BigIntegerField(default=1)
    work_pending = models.BooleanField(default=False, db_index=True)
    not_before = models.DateTimeField(null=True)
    lease_owner = models.CharField(max_length=128, blank=True)
    lease_until = models.DateTimeField(null=True)
    fence = models.BigIntegerField(default=0)
    rung_at = models.DateTimeField(null=True)  # when a doorbell was last sent for it
    recovered_upto = models.BigIntegerField(null=True)  # utterances up to this id spend nothing: there was a recovery

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "client_id"], condition=Q(status="active"), name="session_one_active"),
            models.CheckConstraint(condition=Q(status__in=["active", "ended"]), name="session_known_status"),
            models.CheckConstraint(condition=Q(status="active") | ~Q(end_reason=""), name="session_ended_has_reason"),
            models.CheckConstraint(condition=Q(hard_at__gt=F("started_at")), name="session_hard_after_start"),
        ]
        indexes = [models.Index(fields=["status", "idle_at"])]

    def __str__(self) -> str:
        return f"session {self.pk} ({self.mode})"


class InboxItem(models.Model):
    """One thing a session has to handle, in order: an utterance, a signal, a deadline, an operator's act."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        DONE = "done"
        DROPPED = "dropped"
        DEAD = "dead"

    session = models.ForeignKey(InteractionSession, on_delete=models.CASCADE, related_name="inbox")
    sequence = models.BigIntegerField()
    kind = models.CharField(max_length=16)  # start, heard, signal, deadline, silence, end, moved
    overtaken = models.JSONField(null=True)  # the ONCE that a later utterance held back when this item asked for it
    utterance = models.ForeignKey(Utterance, null=True, on_delete=models.PROTECT, related_name="items")
    text = models.TextField(blank=True)
    data = models.JSONField(default=dict)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.WAITING)
    attempts = models.IntegerField(default=0)
    not_before = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    note = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "sequence"], name="inbox_session_sequence"),
            models.CheckConstraint(condition=Q(status__in=["waiting", "done", "dropped", "dead"]), name="inbox_known_status"),
        ]

    def __str__(self) -> str:
        return f"item {self.sequence} of session {self.session_id}"


class Checkpoint(models.Model):
    """An effect, written down before its first byte leaves. A settled one never changes again (a trigger holds that)."""

    class State(models.TextChoices):
        STAGED = "staged"
        STARTED = "started"
        SETTLED = "settled"

    session = models.ForeignKey(InteractionSession, on_delete=models.CASCADE, related_name="checkpoints")
    revision = models.BigIntegerField()
    effect = models.CharField(max_length=64)
    policy = models.CharField(max_length=8)
    payload = models.JSONField(default=dict)
    payload_hash = models.CharField(max_length=64)
    consent = models.ForeignKey(Utterance, null=True, on_delete=models.PROTECT, related_name="+")
    version = models.IntegerField(null=True)  # of the mode that asked; payload and result are read as that version's
    answers = models.BigIntegerField(null=True)  # the utterance that its replies answer
    state = models.CharField(max_length=8, choices=State.choices, default=State.STAGED)
    fence = models.BigIntegerField(null=True)
    attempts = models.IntegerField(default=0)
    outcome = models.CharField(max_length=16, blank=True)  # done, refused, failed, unknown, abandoned
    result = models.JSONField(default=dict)
    stepped_at = models.DateTimeField(null=True)
    step_failures = models.IntegerField(default=0)
    overtaken = models.JSONField(null=True)  # the ONCE that a later utterance held back when this outcome asked for it
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    deadline_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    # What a lasting ONCE began goes on after its outcome; until it is over, its mode cannot be switched off.
    open_since = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["open_since"], condition=Q(open_since__isnull=False), name="checkpoint_still_open")]
        constraints = [
            models.UniqueConstraint(fields=["session", "revision"], name="checkpoint_session_revision"),
            models.UniqueConstraint(fields=["session"], condition=~Q(state="settled"), name="checkpoint_one_unsettled"),
            models.UniqueConstraint(fields=["consent"], condition=Q(consent__isnull=False), name="checkpoint_consent_once"),
            models.CheckConstraint(
                condition=Q(state__in=["staged", "started"], outcome="")
                | Q(state="settled", outcome__in=["done", "refused", "failed", "unknown", "abandoned"]),
                name="checkpoint_settled_has_outcome",
            ),
            models.CheckConstraint(condition=Q(policy__in=["read", "replay", "once"]), name="checkpoint_known_policy"),
        ]

    def __str__(self) -> str:
        return f"{self.effect} of session {self.session_id}"


class ChainRun(models.Model):
    """The ordinary chain of one utterance, staged with its acceptance, claimed once."""

    class Status(models.TextChoices):
        STAGED = "staged"
        CLAIMED = "claimed"
        DONE = "done"
        LOST = "lost"

    utterance = models.OneToOneField(Utterance, on_delete=models.CASCADE, related_name="chain_run")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.STAGED)
    answered_by = models.CharField(max_length=64, blank=True)
    trace = models.JSONField(default=list)
    not_before = models.DateTimeField(null=True)  # another device that heard the same wake may still be the better one
    # The process that claimed it; gone, the run is lost. The older release knows no such column and still writes rows.
    holder = models.CharField(max_length=128, blank=True, default="", db_default="")
    created_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=["staged", "claimed", "done", "lost"]), name="chainrun_known_status")
        ]

    def __str__(self) -> str:
        return f"chain of utterance {self.utterance_id}"


class PluginState(models.Model):
    """How an ordinary plugin does, over all processes: what rests one that keeps failing, and what the status page says."""

    class Status(models.TextChoices):
        INITIALISED = "initialised"  # not asked yet
        OK = "ok"
        DEGRADED = "degraded"
        FAILED = "failed"

    plugin = models.CharField(max_length=64, unique=True)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.INITIALISED)
    failures = models.IntegerField(default=0)  # in a row; an answer sets it to nought
    error = models.CharField(max_length=80, blank=True)  # the latest, as a word or a type: never what a peer or a person said
    open_until = models.DateTimeField(null=True)  # passed over until then; the first sentence after it is a trial
    changed_at = models.DateTimeField()  # of the status
    checked_at = models.DateTimeField(null=True)  # when its peer was last looked at

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=["initialised", "ok", "degraded", "failed"]), name="pluginstate_known_status"
            )
        ]

    def __str__(self) -> str:
        return f"plugin {self.plugin}"


class DeviceEvent(models.Model):
    """What a device is told, numbered without gaps. ``seq`` comes from the UPDATE of the device that opens the transaction."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="events")
    seq = models.BigIntegerField()
    kind = models.CharField(max_length=32)
    cause = models.CharField(max_length=64)
    ordinal = models.IntegerField(default=0)
    session = models.ForeignKey(InteractionSession, null=True, on_delete=models.SET_NULL, related_name="events")
    key = models.CharField(max_length=64, blank=True)
    payload = models.JSONField(default=dict)
    speak = models.BooleanField(default=True)
    est_ms = models.IntegerField(default=0)
    expires_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True)
    playback = models.CharField(max_length=16, blank=True)  # started, finished, interrupted, failed
    position_ms = models.IntegerField(null=True)
    play_started_at = models.DateTimeField(null=True)
    play_ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["device", "seq"], name="event_device_seq"),
            models.UniqueConstraint(fields=["device", "cause", "ordinal"], name="event_device_cause"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.seq}"


class Presence(models.Model):
    """A device that holds an event stream open, until its web process says more or ``until`` is over."""

    device = models.OneToOneField(Device, on_delete=models.CASCADE, related_name="presence")
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"device {self.device_id} is there"


class Ticket(models.Model):
    """A short-lived, single-use key to a device's event stream, for clients that cannot send a header."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="tickets")
    secret_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"ticket {self.pk}"


class Alarm(models.Model):
    """Something that the operator must look at, kept until the operator's channel has taken it. No spoken words, no link."""

    cause = models.CharField(max_length=64, unique=True)  # names it once and for all; the delivery id
    text = models.CharField(max_length=300)
    created_at = models.DateTimeField()
    next_at = models.DateTimeField()
    attempts = models.IntegerField(default=0)
    last_error = models.CharField(max_length=80, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["sent_at", "next_at"], name="alarm_waiting")]

    def __str__(self) -> str:
        return f"alarm {self.cause}"


class Heartbeat(models.Model):
    """When each kind of process last did its work; what /status and a deaf worker's alarm read."""

    name = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
