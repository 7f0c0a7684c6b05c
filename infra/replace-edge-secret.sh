#!/usr/bin/env bash
# Replaces the secret by which the functions recognize CloudFront, without refusing a call: `infra/replace-edge-secret.sh
# [stack]`. There are two secrets, both of which the functions accept. The script makes a new one of the two that
# CloudFront does not send, has CloudFront send it, and then replaces the former one, which is worthless from then on.
# Takes about 15 minutes. If it breaks off, run it again: it never replaces the secret that CloudFront sends.
set -euo pipefail
usage() { # the comment above
  sed -n '/^#!/d; /^#/!q; s/^# \{0,1\}//p' "$0"
}
case ${1-} in
  -h | --help) usage; exit ;;
  -*) usage >&2; exit 2 ;;
esac
stack=${1:-groundcrew}
set_parameter=$(dirname "$0")/set-parameters.sh

described() {
  aws cloudformation describe-stacks --stack-name "$stack" --output text --query "Stacks[0].$1"
}
# A new value of this parameter generates the secret anew.
declare -A rotation=([main]=EdgeRotation [spare]=EdgeSpareRotation)
sent=$(described "Parameters[?ParameterKey=='EdgeSends'].ParameterValue")
case $sent in
  main) next=spare ;;
  spare) next=main ;;
  *) echo "the stack $stack does not say which secret CloudFront sends: $sent" >&2; exit 1 ;;
esac
distribution=$(described "Outputs[?OutputKey=='DistributionId'].OutputValue")
now=$(date -u +%Y%m%d-%H%M%S)

# All locations have to send the secret that `EdgeSends` names before the other one changes, also after an earlier run that
# broke off.
everywhere() {
  aws cloudfront wait distribution-deployed --id "$distribution"
}
everywhere
echo "Making a new secret ($next); the functions will accept it"
"$set_parameter" "$stack" "${rotation[$next]}=$now"
echo "Having CloudFront send it"
"$set_parameter" "$stack" "EdgeSends=$next"
everywhere
echo "Replacing the former secret ($sent)"
"$set_parameter" "$stack" "${rotation[$sent]}=$now"
echo "Both secrets are new, and CloudFront sends \"$next\"."
