#!/usr/bin/env python3
"""Asks for a page all the time and counts the answers: ask-often SECONDS|FILE URL [METHOD...]

With a number it asks for so many seconds; with a file, until the file is gone. Each request has its own connection,
like that of a new visitor. A request is lost if no answer comes within the patience below, or if its status is not 200.
Ends with 1 if a request is lost.
"""

import collections
import http.client
import os
import sys
import threading
import time
import urllib.parse

# How many visitors ask at once, how long each waits for an answer, and the pause after one, in seconds.
VISITORS, PATIENCE, PAUSE = 8, 10, 0.01
# How long it asks at most, in seconds, whatever happens to the file; and how many reasons it prints.
LONGEST, REASONS = 600, 5


def ask(url, method):
    """The first line of the answer; raises an error for an answer that no visitor wants."""
    connection = http.client.HTTPConnection(url.hostname, url.port or 80, timeout=PATIENCE)
    try:
        connection.request(method, url.path or "/", b"question" if method == "POST" else None)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise OSError(f"status {answer.status}")
        return text.decode(errors="replace").partition("\n")[0][:80]
    finally:
        connection.close()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    span, url, methods = sys.argv[1], urllib.parse.urlsplit(sys.argv[2]), sys.argv[3:] or ["GET"]
    end = time.monotonic() + (min(int(span), LONGEST) if span.isdigit() else LONGEST)
    answers, lost, lock = collections.Counter(), collections.Counter(), threading.Lock()

    def visit(number):
        while time.monotonic() < end and (span.isdigit() or os.path.exists(span)):
            method = methods[number % len(methods)]
            number += 1
            try:
                counter, what = answers, ask(url, method)
            except (OSError, http.client.HTTPException) as error:
                counter, what = lost, f"{method}: {type(error).__name__} {error}"
            with lock:
                counter[what] += 1
            time.sleep(PAUSE)

    visitors = [threading.Thread(target=visit, args=(number,)) for number in range(VISITORS)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    print(f"requests: {answers.total() + lost.total()}, lost: {lost.total()}")
    for what, count in sorted(answers.items()):
        print(f"  {count} times: {what}")
    for what, count in lost.most_common(REASONS):
        print(f"  lost {count} times: {what}")
    sys.exit(1 if lost or not answers else 0)


if __name__ == "__main__":
    main()
