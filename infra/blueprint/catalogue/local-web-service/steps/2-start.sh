#!/usr/bin/env bash
# Starts @name@; a running one is restarted so that it reads what step 1 wrote
set -euo pipefail

./@name@/control.sh restart
./@name@/control.sh status
