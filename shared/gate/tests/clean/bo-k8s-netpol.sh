#!/usr/bin/env bash
# Close namespace shop by default with NetworkPolicies and allow only DNS, ingress controller -> storefront, storefront -> api, api -> PostgreSQL.
set -euo pipefail

mkdir -p k8s
cat > k8s/netpol.yaml <<'EOF'
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: default-deny, namespace: shop }
spec:
  podSelector: {}
  policyTypes: [Ingress, Egress]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: allow-dns, namespace: shop }
spec:
  podSelector: {}
  policyTypes: [Egress]
  egress:
    - to:
        - namespaceSelector:
            matchLabels: { kubernetes.io/metadata.name: kube-system }
          podSelector:
            matchLabels: { k8s-app: kube-dns }
      ports:
        - { protocol: UDP, port: 53 }
        - { protocol: TCP, port: 53 }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: storefront, namespace: shop }
spec:
  podSelector: { matchLabels: { app.kubernetes.io/name: storefront } }
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - namespaceSelector:
            matchLabels: { kubernetes.io/metadata.name: ingress-nginx }
      ports: [{ protocol: TCP, port: 8080 }]
  egress:
    - to:
        - podSelector: { matchLabels: { app.kubernetes.io/name: api } }
      ports: [{ protocol: TCP, port: 9000 }]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: api, namespace: shop }
spec:
  podSelector: { matchLabels: { app.kubernetes.io/name: api } }
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - podSelector: { matchLabels: { app.kubernetes.io/name: storefront } }
      ports: [{ protocol: TCP, port: 9000 }]
  egress:
    - to:
        - ipBlock: { cidr: 10.0.3.10/32 } # db1
      ports: [{ protocol: TCP, port: 5432 }]
EOF

kubectl get namespace shop >/dev/null
kubectl apply --dry-run=server -f k8s/netpol.yaml
kubectl apply -f k8s/netpol.yaml

for p in default-deny allow-dns storefront api; do
  kubectl -n shop get networkpolicy "$p" -o name
done
