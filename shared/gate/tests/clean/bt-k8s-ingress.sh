#!/usr/bin/env bash
set -euo pipefail

: "${CLOUDFLARE_API_TOKEN:?}"

readonly INGRESS_CHART_VERSION="4.11.3"
readonly CERT_MANAGER_VERSION="v1.16.2"

mkdir -p cluster/{values,issuer}
cd cluster

cat > values/ingress-nginx.yaml <<'EOF'
controller:
  replicaCount: 2
  ingressClassResource:
    name: nginx
    default: true
  service:
    type: LoadBalancer
    externalTrafficPolicy: Local
  config:
    ssl-protocols: "TLSv1.2 TLSv1.3"
    hsts: "true"
    server-tokens: "false"
  metrics:
    enabled: true
  resources:
    requests:
      cpu: 100m
      memory: 128Mi
EOF

cat > values/cert-manager.yaml <<'EOF'
crds:
  enabled: true
  keep: true
replicaCount: 1
EOF

cat > issuer/issuer.yaml <<'EOF'
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: letsencrypt
spec:
  acme:
    server: https://acme-v02.api.letsencrypt.org/directory
    email: ops@example.com
    privateKeySecretRef:
      name: letsencrypt-account
    solvers:
      - dns01:
          cloudflare:
            apiTokenSecretRef:
              name: cloudflare-token
              key: api-token
EOF

cat > issuer/certificate.yaml <<'EOF'
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: shop
  namespace: ingress-nginx
spec:
  secretName: shop-tls
  issuerRef:
    name: letsencrypt
    kind: ClusterIssuer
  dnsNames:
    - shop.example.com
    - www.shop.example.com
EOF

cat > issuer/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - issuer.yaml
  - certificate.yaml
EOF

helm repo add ingress-nginx https://kubernetes.github.io/ingress-nginx --force-update
helm repo add jetstack https://charts.jetstack.io --force-update
helm repo update

helm upgrade --install ingress-nginx ingress-nginx/ingress-nginx \
  --version "$INGRESS_CHART_VERSION" \
  --namespace ingress-nginx --create-namespace \
  --values values/ingress-nginx.yaml --wait --timeout 10m

helm upgrade --install cert-manager jetstack/cert-manager \
  --version "$CERT_MANAGER_VERSION" \
  --namespace cert-manager --create-namespace \
  --values values/cert-manager.yaml --wait

token_file="$(mktemp)"
trap 'rm -f "$token_file"' EXIT
printf '%s' "$CLOUDFLARE_API_TOKEN" > "$token_file"
kubectl create secret generic cloudflare-token --namespace cert-manager \
  --from-file=api-token="$token_file" --dry-run=client -o yaml | kubectl apply -f -

kubectl apply -k issuer
kubectl wait --for=condition=Ready clusterissuer/letsencrypt --timeout=120s
kubectl wait --for=condition=Ready certificate/shop --namespace ingress-nginx --timeout=300s
kubectl get svc --namespace ingress-nginx ingress-nginx-controller
