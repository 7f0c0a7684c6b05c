#!/usr/bin/env bash
# Changes parameters of a deployed stack, waits until they take effect, and changes nothing else:
# `infra/set-parameters.sh STACK NAME=VALUE...`. The template and all other parameters stay as deployed.
set -euo pipefail
usage() { # the comment above
  sed -n '/^#!/d; /^#/!q; s/^# \{0,1\}//p' "$0"
}
case ${1-} in
  -h | --help) usage; exit ;;
  -* | '') usage >&2; exit 2 ;;
esac
stack=$1
shift

declare -A wanted=()
for setting in "$@"; do
  case $setting in
    ?*=*) wanted[${setting%%=*}]=${setting#*=} ;;
    *) usage >&2; exit 2 ;;
  esac
done

deployed=$(aws cloudformation describe-stacks --stack-name "$stack" --output text \
  --query 'Stacks[0].Parameters[].[ParameterKey,ParameterValue]')
parameters=() changes=0
while IFS=$'\t' read -r name value; do
  if [ -z "${wanted[$name]+given}" ]; then
    parameters+=("ParameterKey=$name,UsePreviousValue=true")
    continue
  fi
  # In this notation, a comma would begin the next field.
  parameters+=("ParameterKey=$name,ParameterValue=${wanted[$name]//,/\\,}")
  if [ "$value" != "${wanted[$name]}" ]; then changes=$((changes + 1)); fi
  unset "wanted[$name]"
done <<<"$deployed"
for name in "${!wanted[@]}"; do
  echo "the stack $stack has no parameter $name" >&2
  exit 1
done

# CloudFormation refuses an update that changes nothing.
if [ $changes -eq 0 ]; then exit; fi
aws cloudformation update-stack --stack-name "$stack" --use-previous-template \
  --capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND --parameters "${parameters[@]}" >/dev/null
aws cloudformation wait stack-update-complete --stack-name "$stack"
