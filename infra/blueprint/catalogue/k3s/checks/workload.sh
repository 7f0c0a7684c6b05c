#!/usr/bin/env bash
# Asks the workload by its service and by its name; changes nothing
set -euo pipefail

ssh -F ssh/config @name@ 'bash -s' <<'REMOTE'
set -euo pipefail
kubectl() { sudo k3s kubectl --namespace hello "$@"; }
pods=$(kubectl get pods --selector app=hello --output jsonpath='{.items[*].metadata.name}')
address=$(kubectl get service hello --output jsonpath='{.spec.clusterIP}')
answer=$(curl --silent --show-error --fail --max-time 10 "http://$address/hostname")
echo "by its address: $answer"
[[ " $pods " == *" $answer "* ]]
named=$(kubectl exec deployment/hello -- /agnhost connect --timeout=5s hello.hello.svc.cluster.local:80)
echo "by its name: reached $named"
REMOTE
echo "Verified: the service hello reaches its pods by its address and by its name"
