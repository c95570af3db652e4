"""A Swiggy Instamart that nobody has to pay: a real MCP server on the wire, in its own process, with a ledger and faults.

It knows nothing of the rest of the project and the rest of the project never imports it, except ``seed`` and ``process``.
"""
