#!/usr/bin/env bash
# Writes the service, its settings and its two scripts to @name@/
set -euo pipefail

mkdir -p @name@

#@write service.py @name@/service.py
#@write service.json @name@/service.json
#@write control.sh @name@/control.sh
#@write check-health.sh @name@/check-health.sh

chmod +x @name@/service.py @name@/control.sh @name@/check-health.sh

# Fail here, not at the start, when what was written does not hold together.
python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' @name@/service.py
python3 -m json.tool @name@/service.json >/dev/null
bash -n @name@/control.sh
bash -n @name@/check-health.sh

echo "Written:"
ls -l @name@
