"""Certification: kill, freeze, rewind and confuse a mode at every durable action and every remote call, and see what it spent.

A mode brings a ``Suite``: conversations, a peer that witnesses, and its own invariants. Everything else here is the same for
every mode. Read ``contracts`` first, then ``runs``; ``manage.py certify`` is the door.
"""
