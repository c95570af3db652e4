"""``python -m swiggy_instamart.sandbox``: the sandbox without Django. The flags are ``manage.py sandbox``'s own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from swiggy_instamart.sandbox import server


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=0, help="0: a free one, named in the first line printed")
    parser.add_argument("--data", type=Path, help="directory that keeps the ledger over a restart; nothing is kept without it")
    parser.add_argument("--tokens", type=Path, help="write a tokens.json and client.json that this sandbox accepts into here")
    parser.add_argument("--hold", type=float, help="seconds a payment status poll is held (19)")
    parser.add_argument("--autopay", type=float, help="seconds after a checkout until it is paid by itself (never)")
    parser.add_argument("--pay-page", action="store_true", default=None, help="payment links lead to a page with a pay button")
    parser.add_argument("--no-control", action="store_true", help="refuse the control API")
    parser.add_argument("--ready-file", type=Path, help="file that gets the address once it listens")
    parser.add_argument("--follow-stdin", action="store_true", help="stop when standard input is closed")


def options(given: dict[str, Any]) -> server.Options:
    return server.Options(
        host=given["host"],
        port=given["port"],
        data=given["data"],
        tokens=given["tokens"],
        hold_s=given["hold"],
        autopay_s=given["autopay"],
        pay_page=given["pay_page"],
        control=not given["no_control"],
        ready_file=given["ready_file"],
        follow_stdin=given["follow_stdin"],
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="sandbox", description="A Swiggy Instamart to practise with.")
    add_arguments(parser)
    server.serve(options(vars(parser.parse_args())))


if __name__ == "__main__":
    main()
