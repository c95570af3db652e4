"""``make bench``: what the product costs, in shares of a floor that is measured in the same run on the same stack.

``floor`` is the bare turn as a Django app beside the product's own; ``settings`` and ``urls`` let the stack serve both.
``__main__`` is the door, ``pairs`` the run; read those two first.
"""
