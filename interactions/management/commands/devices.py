"""``manage.py devices``: add, list, set, rotate and revoke devices. A token is printed once and cannot be read again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError

from interactions import configuration, devices, segmentations, text
from interactions.models import Device

SWITCHES = ("voice", "screen", "playback_reports")


class Command(BaseCommand):
    help = "Add, list, set, rotate and revoke devices."

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        add = verbs.add_parser("add", help="a new device of a user; prints its token once")
        add.add_argument("user", help="the owner's user name")
        add.add_argument("client_id", help="the device's own name for itself, unique for this user")
        add.add_argument("--name", default="", help="what people call it")
        add.add_argument("--cap", action="append", default=[], metavar="CAP", help=_caps_help())
        add.add_argument("--service", action="store_true", help="a service token: evidence in, feed out; no turns")
        verbs.add_parser("list", help="every device")
        for verb, meaning in (
            ("rotate", "a fresh token; the old one stops working"),
            ("revoke", "no token, no stream, no session"),
        ):
            verbs.add_parser(verb, help=meaning).add_argument("device", type=int, help="its number in `devices list`")

        change = verbs.add_parser("set", help="the operator's word on one device")
        change.add_argument("device", type=int, help="its number in `devices list`")
        change.add_argument(
            "--segmentation", required=True, metavar="NAME", help=f"{segmentations.known()}, or - for what the deployment says"
        )

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        getattr(self, f"_{verb}")(options)

    def _add(self, options: dict[str, Any]) -> None:
        users = get_user_model()
        try:
            owner = users.objects.get_by_natural_key(options["user"])
        except users.DoesNotExist:
            raise CommandError(
                f"No user '{options['user']}'; create one with `manage.py createsuperuser` or in the admin."
            ) from None
        try:
            device, token = devices.register(
                owner.pk,
                client_id=options["client_id"],
                name=options["name"],
                capabilities=_capabilities(options["cap"]),
                scope="service" if options["service"] else "device",
            )
        except IntegrityError:
            raise CommandError(
                f"'{options['client_id']}' exists already; `devices list` shows its number, `devices rotate` gives a token."
            ) from None
        self.stdout.write(f"device {device.pk} of {owner}\n{token}")

    def _list(self, options: dict[str, Any]) -> None:
        for device in Device.objects.select_related("owner").order_by("pk"):
            state = "revoked" if device.revoked_at else f"last seen {device.last_seen or 'never'}"
            caps = ",".join(f"{name}={value}" for name, value in sorted(device.capabilities.items())) or "no capabilities"
            cut = device.segmentation or "segmentation of the deployment"
            row = (device.pk, device.owner or "nobody", device.client_id, device.scope, state, caps, cut)
            self.stdout.write("\t".join(text.visible(str(cell)) for cell in row))  # some of it the device says of itself

    def _set(self, options: dict[str, Any]) -> None:
        device, name = self._device(options), options["segmentation"].removeprefix("-")
        if name and name not in configuration.SEGMENTATIONS:
            raise CommandError(f"There is no segmentation '{name}'; write {segmentations.known()}, or - for the deployment's.")
        Device.objects.filter(pk=device.pk).update(segmentation=name)
        self.stdout.write(f"device {device.pk} counts as {segmentations.of(self._device(options)).name}")

    def _rotate(self, options: dict[str, Any]) -> None:
        device = self._device(options)
        if device.revoked_at:
            raise CommandError(f"Device {device.pk} is revoked; add it anew with `devices add`.")
        self.stdout.write(devices.issue(device))

    def _revoke(self, options: dict[str, Any]) -> None:
        device = self._device(options)
        devices.revoke(device)
        self.stdout.write(f"device {device.pk} is revoked")

    def _device(self, options: dict[str, Any]) -> Device:
        try:
            return devices.get(options["device"])
        except devices.NoSuchDeviceError as error:
            raise CommandError(str(error)) from None


def _caps_help() -> str:
    return f"{', '.join(SWITCHES)}, microphone=open|push|wake, or languages=en,hi; may be repeated"


def _capabilities(words: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in SWITCHES and not value:
            found[name] = True
        elif name == "microphone" and value in devices.MICROPHONES:
            found[name] = value
        elif name == "languages" and value:
            found[name] = value.split(",")
        else:
            raise CommandError(f"'{word}' is no capability; write {_caps_help()}.")
    return found
