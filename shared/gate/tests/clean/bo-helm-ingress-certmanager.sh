#!/usr/bin/env bash
# Install ingress-nginx (public load balancer: opens 80 and 443 to everyone) and cert-manager with a Let's Encrypt issuer, by Helm with pinned chart versions.
set -euo pipefail
: "${ACME_EMAIL:?}"

mkdir -p helm
cat > helm/ingress-nginx.yaml <<'EOF'
controller:
  replicaCount: 2
  minAvailable: 1
  service:
    type: LoadBalancer
    externalTrafficPolicy: Local
  config:
    ssl-protocols: "TLSv1.2 TLSv1.3"
    hsts: "true"
    hsts-max-age: "31536000"
  allowSnippetAnnotations: false
  metrics:
    enabled: true
  resources:
    requests: { cpu: 100m, memory: 128Mi }
EOF

cat > helm/cert-manager.yaml <<'EOF'
crds:
  enabled: true
  keep: true
prometheus:
  enabled: true
EOF

cat > helm/issuer.yaml <<EOF
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: letsencrypt
spec:
  acme:
    server: https://acme-v02.api.letsencrypt.org/directory
    email: ${ACME_EMAIL}
    privateKeySecretRef:
      name: letsencrypt-account
    solvers:
      - http01:
          ingress:
            ingressClassName: nginx
EOF

helm upgrade --install ingress-nginx ingress-nginx \
  --repo https://kubernetes.github.io/ingress-nginx --version 4.12.1 \
  --namespace ingress-nginx --create-namespace \
  --values helm/ingress-nginx.yaml --atomic --wait --timeout 10m

helm upgrade --install cert-manager cert-manager \
  --repo https://charts.jetstack.io --version v1.16.2 \
  --namespace cert-manager --create-namespace \
  --values helm/cert-manager.yaml --atomic --wait --timeout 10m

# The webhook may need a moment after the rollout until its CA is injected.
applied=0
for _ in $(seq 1 12); do
  if kubectl apply -f helm/issuer.yaml; then
    applied=1
    break
  fi
  sleep 5
done
[ "$applied" = 1 ]
kubectl wait --for=condition=Ready clusterissuer/letsencrypt --timeout=120s
kubectl -n ingress-nginx get service ingress-nginx-controller -o wide
