#!/usr/bin/env bash
# Writes the service, its settings and its two scripts to @name@/
set -euo pipefail

mkdir -p @name@

#@write service.py @name@/service.py
#@write service.json @name@/service.json
#@write control.sh @name@/control.sh
#@write check-health.sh @name@/check-health.sh

# A password is made once for its number, and shown nowhere: its file is for its owner alone.
access=@access@
rm -f @name@/access/curl
if [[ $access != open ]]; then
  mkdir -p @name@/access
  chmod 700 @name@/access
  umask 077
  if [[ ! -s @name@/access/$access ]]; then
    python3 -c 'import secrets; print(secrets.token_urlsafe(24))' >"@name@/access/$access"
  fi
  printf 'user = "%s:%s"\n' @name@ "$(<"@name@/access/$access")" >@name@/access/curl
fi

chmod +x @name@/service.py @name@/control.sh @name@/check-health.sh

# Fail here, not at the start, when what was written does not hold together.
python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' @name@/service.py
python3 -m json.tool @name@/service.json >/dev/null
bash -n @name@/control.sh
bash -n @name@/check-health.sh

echo "Written:"
ls -l @name@
