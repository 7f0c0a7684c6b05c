#!/usr/bin/env bash
set -euo pipefail
: "${SITE_DOMAIN:?set SITE_DOMAIN}"
: "${ACME_EMAIL:?set ACME_EMAIL}"

mkdir -p helm
helm repo add ingress-nginx https://kubernetes.github.io/ingress-nginx
helm repo add jetstack https://charts.jetstack.io
helm repo update

cat > helm/ingress-values.yaml <<'EOF'
controller:
  replicaCount: 2
  service:
    type: LoadBalancer
    enableHttps: true
  config:
    ssl-protocols: "TLSv1.2 TLSv1.3"
  metrics:
    enabled: true
EOF

helm upgrade --install ingress-nginx ingress-nginx/ingress-nginx \
  --namespace ingress-nginx --create-namespace \
  --version 4.11.3 --values helm/ingress-values.yaml --wait --timeout 5m
helm upgrade --install cert-manager jetstack/cert-manager \
  --namespace cert-manager --create-namespace \
  --version v1.16.2 --set crds.enabled=true --wait --timeout 5m

kubectl create namespace shop --dry-run=client -o yaml | kubectl apply -f -
if ! kubectl -n shop get secret shop-db > /dev/null 2>&1; then
  kubectl -n shop create secret generic shop-db --from-literal=password="$(openssl rand -hex 24)"
fi

cat > helm/site.yaml <<EOF
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata:
  name: letsencrypt
spec:
  acme:
    email: ${ACME_EMAIL}
    server: https://acme-v02.api.letsencrypt.org/directory
    privateKeySecretRef:
      name: letsencrypt-account
    solvers:
      - http01:
          ingress:
            ingressClassName: nginx
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
  namespace: shop
spec:
  serviceName: db
  replicas: 1
  selector:
    matchLabels: { app: db }
  template:
    metadata:
      labels: { app: db }
    spec:
      containers:
        - name: postgres
          image: postgres:17.2
          env:
            - name: PGDATA
              value: /var/lib/postgresql/data/pgdata
            - name: POSTGRES_PASSWORD
              valueFrom:
                secretKeyRef:
                  name: shop-db
                  key: password
          volumeMounts:
            - { name: data, mountPath: /var/lib/postgresql/data }
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: 10Gi
---
apiVersion: v1
kind: Service
metadata:
  name: db
  namespace: shop
spec:
  clusterIP: None
  selector: { app: db }
  ports:
    - port: 5432
EOF

cat > helm/certificate.yaml <<EOF
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: site-tls
  namespace: shop
spec:
  secretName: site-tls
  dnsNames: ["${SITE_DOMAIN}"]
  issuerRef:
    name: letsencrypt
    kind: ClusterIssuer
EOF

kubectl apply -f helm/site.yaml -f helm/certificate.yaml
kubectl -n shop rollout status statefulset/db --timeout=180s
kubectl wait --for=condition=Ready clusterissuer/letsencrypt --timeout=120s
kubectl -n shop wait --for=condition=Ready certificate/site-tls --timeout=300s
kubectl -n shop exec db-0 -- pg_isready -U postgres
