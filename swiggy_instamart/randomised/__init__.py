"""Random days of a household with one shopping account: what it says, what goes wrong, and what must hold all the same.

``world`` is the stack in one process, ``machine`` draws what happens, ``wire`` and ``rest`` say what must hold.
"""
