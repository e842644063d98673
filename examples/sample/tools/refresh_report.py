"""Counts refreshes that the partner rejected, by hour: the trace of the refresh race."""

import sys
from collections import Counter

from sync_log import LogLine, read_log


def rejected_by_hour(events: list[LogLine]) -> Counter[str]:
    """Hour to the number of rejected refreshes in it."""
    return Counter(event.at[:13] for event in events if event.event == "token-rejected")


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as log:
        counts = rejected_by_hour(list(read_log(log)))
    for hour, count in sorted(counts.items()):
        print(f"{hour}  {count}")


if __name__ == "__main__":
    main()
