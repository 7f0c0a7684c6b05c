#!/usr/bin/env bash
# Ingress controller and cert-manager for the shop's cluster, by Helm with pinned charts.
set -euo pipefail

: "${KUBE_CONTEXT:?set KUBE_CONTEXT}"
: "${ACME_EMAIL:?set ACME_EMAIL}"

work="${WORK_DIR:-$PWD/helm-ingress}"
mkdir -p "$work"
cd "$work"

ingress_chart=4.11.3
certmanager_chart=v1.16.1
h() { helm --kube-context "$KUBE_CONTEXT" "$@"; }
k() { kubectl --context "$KUBE_CONTEXT" "$@"; }

cat > ingress-values.yaml <<'EOF'
controller:
  replicaCount: 2
  ingressClassResource:
    name: nginx
    default: true
  service:
    type: LoadBalancer
    externalTrafficPolicy: Local
    ports:
      http: 80
      https: 443
  config:
    ssl-protocols: "TLSv1.2 TLSv1.3"
    hsts: "true"
    server-tokens: "false"
  resources:
    requests:
      cpu: 100m
      memory: 128Mi
    limits:
      memory: 512Mi
  allowSnippetAnnotations: false
  metrics:
    enabled: false
EOF

cat > cert-manager-values.yaml <<'EOF'
crds:
  enabled: true
  keep: true
resources:
  requests:
    cpu: 10m
    memory: 64Mi
prometheus:
  enabled: false
EOF

cat > issuer.yaml <<EOF
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: letsencrypt
spec:
  acme:
    server: https://acme-v02.api.letsencrypt.org/directory
    email: "$ACME_EMAIL"
    privateKeySecretRef:
      name: letsencrypt-account
    solvers:
      - http01:
          ingress:
            ingressClassName: nginx
EOF

h upgrade --install ingress-nginx ingress-nginx \
  --repo https://kubernetes.github.io/ingress-nginx \
  --version "$ingress_chart" \
  --namespace ingress-nginx --create-namespace \
  --values ingress-values.yaml \
  --atomic --timeout 5m

h upgrade --install cert-manager cert-manager \
  --repo https://charts.jetstack.io \
  --version "$certmanager_chart" \
  --namespace cert-manager --create-namespace \
  --values cert-manager-values.yaml \
  --atomic --timeout 5m

k apply --dry-run=server -f issuer.yaml
k apply -f issuer.yaml
k wait --for=condition=Ready clusterissuer/letsencrypt --timeout=120s
k --namespace ingress-nginx rollout status deployment/ingress-nginx-controller --timeout=120s

# Proof: exactly the ports 80 and 443 are published.
ports="$(k --namespace ingress-nginx get service ingress-nginx-controller -o jsonpath='{.spec.ports[*].port}')"
[[ "$(tr ' ' '\n' <<< "$ports" | sort -n | paste -sd ' ')" == "80 443" ]] || {
  echo "unexpected ports: $ports" >&2
  exit 1
}
