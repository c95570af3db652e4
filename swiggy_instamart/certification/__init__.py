"""The order mode's suite for ``manage.py certify``: conversations, a shop that witnesses, invariants of the money."""

from swiggy_instamart.certification.suite import SwiggyOrderSuite

SUITE = SwiggyOrderSuite()
