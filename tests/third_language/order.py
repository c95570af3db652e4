"""A whole short order in Kela, spoken by a program that was given nothing but its three files. Prints what was said."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings

from interactions import configuration

settings.configure(CHRONICLE=configuration.Configuration(Path(), configuration.HostConfiguration(), {}, {}))

from interactions import saying, voice  # noqa: E402
from tests.support.ordering import PENDING, Order, cart, line  # noqa: E402

MILK, BREAD = line("milk-1", 2, name="Amul Taaza"), line("bread-1", 1, name="Brown Bread", size="400 g")


def main() -> None:
    order = Order(preferred_address_label="Home").to_address()
    order.say("tavi")
    order.settle({"cart": cart()})
    order.say("zupi bex milk")
    order.find()
    order.say("opta vun")
    order.settle({"cart": cart(BREAD)})
    order.settle({"cart": cart(MILK, BREAD), "report": {}, "overtaken": False})
    order.say("kesta finu")
    order.settle({"cart": cart(MILK, BREAD), "scan": True, "reachable": True, "maybe": [], "blocked": False})
    order.say("confirm order")
    order.settle({"cart": cart(MILK, BREAD)})
    order.settle(PENDING)
    said = [
        {
            "lang": reply.lang,
            "text": reply.text,
            "speech": voice.speech(reply.text, reply.lang or ""),
            "choices": [choice.say for choice in reply.choices],
        }
        for step in order.steps
        for reply in step.say
    ]
    print(json.dumps({"said": said, "calls": order.calls, "sorry": saying.ask("qk", "sorry").text}))


if __name__ == "__main__":
    main()
