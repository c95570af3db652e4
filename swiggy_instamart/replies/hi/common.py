"""Hindi: prices, lists, counts, and the answers that a screen shows as buttons."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "rupees": "₹{amount}",
    "no_price": "एक क़ीमत जो पढ़ी नहीं गई",
    "comma": ", ",
    "list.and": "{first} और {last}",
    "list.or": "{first} या {last}",
    "counted": "{count} x {title}",
    "more_lines": "{count} दूसरी चीज़ें",
    "unnamed": "बिना नाम",
    "nameless": "बिना नाम की चीज़",
    "nameless.size": "बिना नाम की चीज़, {size}",
    "named": "“{title}” नाम की चीज़",
    "link_left_out": "(एक लिंक)",
    "an_item": "कोई चीज़",
    "not_stated": "नहीं बताया गया",
    # The answers: each is understood as the thing it stands for.
    "answer.yes": "हाँ",
    "answer.no": "नहीं",
    "answer.stop": "रुको",
    "answer.help": "मदद",
    "answer.repeat": "दोबारा बोलो",
    "answer.skip": "छोड़ दो",
    "answer.option": "ऑप्शन {number}",
    "answer.keep_cart": "कार्ट रखो",
    "answer.clear_cart": "कार्ट ख़ाली करो",
    "answer.show_cart": "कार्ट दिखाओ",
    "answer.complete_order": "ऑर्डर पूरा करो",
    "answer.confirm_order": "कन्फर्म ऑर्डर",
    "answer.cancel_order": "ऑर्डर कैंसल करो",
    "answer.change_address": "पता बदलो",
    "answer.resend": "पेमेंट लिंक दोबारा भेजो",
    "answer.take_over": "यहाँ ले आओ",
}
