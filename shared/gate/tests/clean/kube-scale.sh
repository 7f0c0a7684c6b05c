#!/usr/bin/env bash
# Lets the API scale with its load, and keeps one pod up while nodes are drained
set -euo pipefail
namespace=shop
cat <<EOF | kubectl apply --server-side -f -
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: api
  namespace: ${namespace}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: api
  minReplicas: 2
  maxReplicas: 8
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 70
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 300
EOF
kubectl apply -f - <<EOF
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: api
  namespace: $namespace
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: api
EOF
helm repo add metrics-server https://kubernetes-sigs.github.io/metrics-server --force-update
helm upgrade metrics-server metrics-server/metrics-server --install --version 3.13.0 --namespace kube-system --set 'args={--kubelet-preferred-address-types=InternalIP}' --atomic --timeout 3m
kubectl -n "$namespace" patch deployment api --type merge --patch '{"spec": {"template": {"spec": {"terminationGracePeriodSeconds": 45}}}}'
kubectl -n "$namespace" get hpa api --output jsonpath='{.spec.maxReplicas}' | grep -qx 8
