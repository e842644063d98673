"""Reads the lines that the sync writes to its log."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class LogLine:
    """One event of one sync."""

    at: str
    event: str
    detail: str = ""


def read_log(lines: Iterable[str]) -> Iterator[LogLine]:
    """Lines that are not JSON are left out: a crash may cut the last one short."""
    for line in lines:
        try:
            fields = json.loads(line)
        except ValueError:
            continue
        yield LogLine(fields["at"], fields["event"], fields.get("detail", ""))
