#!/usr/bin/env bash
set -euo pipefail
: "${SITE_DOMAIN:?set SITE_DOMAIN}"
export KUBECONFIG="${KUBECONFIG:-/etc/rancher/k3s/k3s.yaml}"

mkdir -p k8s
cat > k8s/00-namespace.yaml <<'EOF'
apiVersion: v1
kind: Namespace
metadata:
  name: site
EOF

cat > k8s/10-config.yaml <<'EOF'
apiVersion: v1
kind: ConfigMap
metadata:
  name: web-content
  namespace: site
data:
  index.html: |
    <!doctype html>
    <title>site</title>
    <h1>hello from k3s</h1>
EOF

cat > k8s/20-web.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: site
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      automountServiceAccountToken: false
      containers:
        - name: nginx
          image: nginxinc/nginx-unprivileged:1.27.3-alpine
          ports:
            - name: http
              containerPort: 8080
          readinessProbe:
            httpGet:
              path: /
              port: http
            periodSeconds: 5
          resources:
            requests:
              cpu: 50m
              memory: 32Mi
            limits:
              memory: 128Mi
          securityContext:
            allowPrivilegeEscalation: false
            runAsNonRoot: true
          volumeMounts:
            - name: content
              mountPath: /usr/share/nginx/html
              readOnly: true
      volumes:
        - name: content
          configMap:
            name: web-content
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: site
spec:
  selector:
    app: web
  ports:
    - name: http
      port: 80
      targetPort: http
EOF

cat > k8s/30-ingress.yaml <<EOF
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: site
  annotations:
    traefik.ingress.kubernetes.io/router.entrypoints: web,websecure
spec:
  ingressClassName: traefik
  rules:
    - host: ${SITE_DOMAIN}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: web
                port:
                  name: http
EOF

kubectl apply -f k8s/00-namespace.yaml
kubectl apply --dry-run=server -f k8s/
kubectl apply -f k8s/
kubectl -n site rollout status deployment/web --timeout=120s
ready="$(kubectl -n site get deployment web -o jsonpath='{.status.readyReplicas}')"
[ "$ready" = "2" ]
curl -fsS --retry 10 --retry-delay 3 --retry-all-errors -H "Host: ${SITE_DOMAIN}" http://127.0.0.1/ | grep -q 'hello from k3s'
