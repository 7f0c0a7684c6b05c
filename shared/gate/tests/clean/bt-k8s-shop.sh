#!/usr/bin/env bash
set -euo pipefail

: "${DATABASE_PASSWORD:?DATABASE_PASSWORD is not set}"
NAMESPACE=webshop
mkdir -p manifests

cat > manifests/00-namespace.yaml <<'EOF'
apiVersion: v1
kind: Namespace
metadata:
  name: webshop
  labels:
    pod-security.kubernetes.io/enforce: restricted
EOF

cat > manifests/10-config.yaml <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-config
  namespace: webshop
data:
  DATABASE_HOST: postgres.database.svc.cluster.local
  LOG_LEVEL: info
EOF

cat > manifests/20-deployment.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  namespace: webshop
  labels: &labels
    app.kubernetes.io/name: shop
spec:
  replicas: 2
  selector:
    matchLabels: *labels
  template:
    metadata:
      labels: *labels
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: shop
          image: nginxinc/nginx-unprivileged:1.27.3-alpine
          ports:
            - name: http
              containerPort: 8080
          envFrom:
            - configMapRef:
                name: shop-config
          env:
            - name: DATABASE_PASSWORD
              valueFrom:
                secretKeyRef:
                  name: shop-db
                  key: password
          securityContext:
            allowPrivilegeEscalation: false
            capabilities:
              drop: ["ALL"]
          resources:
            requests:
              memory: 64Mi
            limits:
              memory: 128Mi
          readinessProbe:
            httpGet:
              path: /
              port: http
            periodSeconds: 5
EOF

cat > manifests/30-service.yaml <<'EOF'
apiVersion: v1
kind: Service
metadata:
  name: shop
  namespace: webshop
spec:
  type: ClusterIP
  selector:
    app.kubernetes.io/name: shop
  ports:
    - name: http
      port: 80
      targetPort: http
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  namespace: webshop
  annotations:
    cert-manager.io/cluster-issuer: letsencrypt
    nginx.ingress.kubernetes.io/force-ssl-redirect: "true"
spec:
  ingressClassName: nginx
  tls:
    - hosts: [shop.example.com]
      secretName: shop-tls
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: shop
                port:
                  name: http
EOF

kubectl apply -f manifests/00-namespace.yaml
kubectl -n "$NAMESPACE" create secret generic shop-db \
  --from-file=password=<(printf '%s' "$DATABASE_PASSWORD") \
  --dry-run=client -o yaml | kubectl apply -f -
kubectl apply --dry-run=server -f manifests/
kubectl apply -f manifests/
# Pods read the ConfigMap and the Secret only when they start.
kubectl -n "$NAMESPACE" rollout restart deployment/shop
kubectl -n "$NAMESPACE" rollout status deployment/shop --timeout=180s
kubectl -n "$NAMESPACE" get svc,ingress
