#!/usr/bin/env bash
# Opens the shop to the web by the ingress controller, nothing else
set -euo pipefail
cat <<'EOF' | tee ~/workspace/ingress.yaml | kubectl apply -f -
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  namespace: shop
  annotations:
    cert-manager.io/cluster-issuer: letsencrypt
spec:
  ingressClassName: nginx
  tls:
    - hosts: [shop.example.org]
      secretName: shop-tls
  rules:
    - host: shop.example.org
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: api
                port:
                  number: 80
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: api
  namespace: shop
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: api
  policyTypes: [Ingress]
  ingress:
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: ingress-nginx
      ports:
        - protocol: TCP
          port: 8080
EOF
kubectl -n shop wait --for=condition=Ready certificate/shop-tls --timeout=5m
curl -fsS --max-time 15 https://shop.example.org/health
