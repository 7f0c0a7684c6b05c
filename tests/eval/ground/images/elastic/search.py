"""The queries of the stand-in for Elasticsearch: the part of the query language and of the words in `q` that looks for
terms, ranges of time and all documents. Everything else is refused as a query that cannot be parsed.
"""

import datetime
import re
from collections.abc import Callable
from typing import Any

from security import Refused

UNITS = {"s": 1, "m": 60, "h": 3600, "H": 3600, "d": 86400, "w": 604800}
CLAUSE = re.compile(
    r"""\s*(?:
    (?P<field>[\w@.*]+):(?P<open>[\[{])(?P<low>\S+)\s+TO\s+(?P<high>[^\]}]+?)(?P<close>[\]}])
  | (?:(?P<name>[\w@.*]+):)?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s:()\[\]{}"]+))
)""",
    re.VERBOSE,
)
# Whether a document is found.
Test = Callable[[Any], bool]


def unparsable(query: Any) -> Refused:
    return Refused(400, "search_phase_execution_exception", f"Failed to parse query [{query}]")


def moment(text: str, now: float) -> float:
    """A date as seconds since 1970: one of ISO's, or `now` with steps such as `-2m`."""
    if found := re.fullmatch(r"now((?:[+-]\d+[smhHdw])*)", text):
        steps = re.findall(r"([+-]\d+)([smhHdw])", found[1])
        return now + sum(int(count) * UNITS[unit] for count, unit in steps)
    try:
        parsed = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError as error:
        raise Refused(400, "parse_exception", f"failed to parse date field [{text}]") from error
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=datetime.UTC)).timestamp()


def values(document: Any, name: str) -> list[Any]:
    """The values of a field, whose name leads through nested objects; `*` stands for every field."""
    if name == "*":
        parts = document.values() if isinstance(document, dict) else document if isinstance(document, list) else None
        return [document] if parts is None else [one for part in parts for one in values(part, "*")]
    if isinstance(document, list):
        return [one for part in document for one in values(part, name)]
    if not isinstance(document, dict):
        return []
    found = [document[name]] if name in document else []
    for end in (at for at, sign in enumerate(name) if sign == "."):
        if name[:end] in document:
            found += values(document[name[:end]], name[end + 1 :])
    return [one for value in found for one in (value if isinstance(value, list) else [value])]


def terms(text: object) -> list[str]:
    return re.findall(r"\w+", str(text).lower())


def has(document: Any, name: str, words: object) -> bool:
    """Whether a field contains these words next to one another."""
    wanted = terms(words)
    for value in values(document, name):
        own = terms(value)
        if wanted and any(own[at : at + len(wanted)] == wanted for at in range(len(own) - len(wanted) + 1)):
            return True
    return False


def within(
    document: Any, name: str, low: tuple[float, bool] | None, high: tuple[float, bool] | None, now: float
) -> bool:
    """Whether a date of the field lies in the range; each bound is a date and whether it belongs to the range."""
    for value in values(document, name):
        try:
            at = moment(str(value), now)
        except Refused:
            continue
        after = low is None or (at > low[0] or (low[1] and at == low[0]))
        if after and (high is None or (at < high[0] or (high[1] and at == high[0]))):
            return True
    return False


def of_words(text: str, now: float) -> Test:
    """The test for the words of `q`, which all hold or, after OR, one of them."""
    tests: list[Test] = []
    alternatives, at = [], 0
    while text[at:].strip():
        found = CLAUSE.match(text, at)
        if not found:
            raise unparsable(text)
        at = found.end()
        if found["word"] in ("AND", "OR") and not found["name"]:
            if not tests:
                raise unparsable(text)
            if found["word"] == "OR":
                alternatives.append(tests)
                tests = []
        else:
            tests.append(clause(found, now))
    alternatives.append(tests)
    if not all(alternatives):
        raise unparsable(text)
    return lambda document: any(all(test(document) for test in tests) for tests in alternatives)


def clause(found: re.Match[str], now: float) -> Test:
    if found["field"]:
        field, lowest, highest = found["field"], found["low"], found["high"].strip()
        low = None if lowest == "*" else (moment(lowest, now), found["open"] == "[")
        high = None if highest == "*" else (moment(highest, now), found["close"] == "]")
        return lambda document: within(document, field, low, high, now)
    name, words = found["name"] or "*", found["phrase"] if found["word"] is None else found["word"]
    if words == "*":
        return lambda document: name == "*" or bool(values(document, name))
    return lambda document: has(document, name, words)


def test_of(query: Any, now: float) -> Test:
    """The test for a query of the body."""
    if not isinstance(query, dict) or len(query) != 1:
        raise Refused(400, "parsing_exception", "a query has exactly one name")
    [(name, body)] = query.items()
    match name:
        case "match_all":
            return lambda document: True
        case "match" | "term" | "match_phrase":
            [(field, wanted)] = body.items()
            wanted = wanted.get("query", wanted.get("value")) if isinstance(wanted, dict) else wanted
            if name != "match":
                return lambda document: has(document, field, wanted)
            return lambda document: any(has(document, field, word) for word in terms(wanted))
        case "exists":
            return lambda document: bool(values(document, body["field"]))
        case "query_string":
            return of_words(body["query"], now)
        case "range":
            [(field, bounds)] = body.items()
            if set(bounds) - {"gt", "gte", "lt", "lte", "format"}:
                raise Refused(400, "parsing_exception", f"[range] query does not support {sorted(bounds)}")
            ends = {end: (moment(bounds[end], now), end.endswith("e")) for end in bounds if end != "format"}
            low, high = ends.get("gte", ends.get("gt")), ends.get("lte", ends.get("lt"))
            return lambda document: within(document, field, low, high, now)
        case "bool":
            return of_parts(body, now)
    raise Refused(400, "parsing_exception", f"unknown query [{name}]")


def of_parts(body: dict[str, Any], now: float) -> Test:
    parts = {}
    for kind, queries in body.items():
        if kind not in ("must", "filter", "should", "must_not"):
            raise Refused(400, "parsing_exception", f"[bool] query does not support [{kind}]")
        parts[kind] = [test_of(one, now) for one in (queries if isinstance(queries, list) else [queries])]
    musts, nots, should = (
        parts.get("must", []) + parts.get("filter", []),
        parts.get("must_not", []),
        parts.get("should", []),
    )

    def holds(document: Any) -> bool:
        if not all(test(document) for test in musts) or any(test(document) for test in nots):
            return False
        return bool(musts) or not should or any(test(document) for test in should)

    return holds
