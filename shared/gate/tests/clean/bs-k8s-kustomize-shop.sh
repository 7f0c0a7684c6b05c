#!/usr/bin/env bash
# The shop on Kubernetes with kustomize: deployment, service and ingress.
set -euo pipefail

: "${KUBE_CONTEXT:?set KUBE_CONTEXT}"
: "${SHOP_DOMAIN:?set SHOP_DOMAIN}"
: "${DATABASE_PASSWORD:?set DATABASE_PASSWORD}"
k() { kubectl --context "$KUBE_CONTEXT" --namespace shop "$@"; }

work="${WORK_DIR:-$PWD/k8s-shop}"
install -d -m 0700 "$work"
cd "$work"

(umask 077 && printf 'DATABASE_PASSWORD=%s\n' "$DATABASE_PASSWORD" > secret.env)

cat > namespace.yaml <<'EOF'
apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels:
    pod-security.kubernetes.io/enforce: restricted
EOF

cat > app.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 2
  selector:
    matchLabels: {app: shop}
  template:
    metadata:
      labels: {app: shop}
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        seccompProfile: {type: RuntimeDefault}
      containers:
        - name: shop
          image: ghcr.io/example/shop
          envFrom:
            - secretRef: {name: shop-secret}
          ports:
            - {name: http, containerPort: 8080}
          readinessProbe:
            httpGet: {path: /health, port: http}
          resources:
            requests: {cpu: 100m, memory: 128Mi}
            limits: {memory: 256Mi}
          securityContext:
            allowPrivilegeEscalation: false
            capabilities: {drop: [ALL]}
---
apiVersion: v1
kind: Service
metadata:
  name: shop
spec:
  type: ClusterIP
  selector: {app: shop}
  ports:
    - {name: http, port: 80, targetPort: http}
EOF

cat > ingress.yaml <<EOF
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  annotations:
    cert-manager.io/cluster-issuer: letsencrypt
spec:
  ingressClassName: nginx
  tls:
    - hosts: ["$SHOP_DOMAIN"]
      secretName: shop-tls
  rules:
    - host: "$SHOP_DOMAIN"
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: shop
                port: {name: http}
EOF

cat > kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop
resources: [namespace.yaml, app.yaml, ingress.yaml]
images:
  - name: ghcr.io/example/shop
    newTag: "2.4.1"
secretGenerator:
  - name: shop-secret
    envs: [secret.env]
EOF

kubectl --context "$KUBE_CONTEXT" apply -f namespace.yaml
kubectl kustomize . | k apply --dry-run=server -f - > /dev/null
kubectl kustomize . | k apply -f -
k rollout status deployment/shop --timeout=180s
curl -fsS --retry 10 --retry-delay 5 --retry-all-errors -o /dev/null "https://$SHOP_DOMAIN/health"
