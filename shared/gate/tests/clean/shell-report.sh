#!/usr/bin/env bash
# Counts the orders of a day and writes the report as a page
set -euo pipefail
work=~/workspace/report
mkdir -p "$work/static"
cat > "$work/report.py" <<'PY'
#!/usr/bin/env python3
import argparse
import csv
import datetime as dt
from pathlib import Path

PAGE = """<!doctype html>
<link rel="stylesheet" href="style.css">
<h1>Orders of {day}</h1>
<p>{count} orders, {total:.2f} EUR</p>
"""


def load(path: Path, day: dt.date) -> list[float]:
    with path.open(newline="") as file:
        return [
            float(row["amount"])
            for row in csv.DictReader(file)
            if row["day"] == day.isoformat()
        ]


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--day", type=dt.date.fromisoformat, default=dt.date.today())
    parser.add_argument("orders", type=Path)
    options = parser.parse_args(argv)
    amounts = load(options.orders, options.day)
    if not amounts:
        raise SystemExit(f"no orders on {options.day:%Y-%m-%d}")
    page = PAGE.format(day=options.day, count=len(amounts), total=sum(amounts))
    Path("static/index.html").write_text(page)


if __name__ == "__main__":
    main()
PY
cat > "$work/static/style.css" <<'CSS'
body { font-family: sans-serif; margin: 2rem auto; max-width: 40rem }
CSS
cat > "$work/orders.csv" <<'CSV'
day,amount
2025-03-01,19.90
2025-03-01,5.10
CSV
cd "$work"
python3 report.py --day 2025-03-01 orders.csv
python3 - <<'PY'
from html.parser import HTMLParser

class Reader(HTMLParser):
    def handle_starttag(self, tag, attrs):
        print(tag, dict(attrs))

Reader().feed(open("static/index.html").read())
PY
grep -F '25.00 EUR' static/index.html
python3 -c 'import json, sys; print(json.dumps({"python": sys.version_info[:2]}))'
