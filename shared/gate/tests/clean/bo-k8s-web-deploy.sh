#!/usr/bin/env bash
# Deploy the storefront to namespace shop (Deployment, Service, PodDisruptionBudget, autoscaler) and an Ingress that opens https://shop.example.com to everyone.
set -euo pipefail

: "${KUBE_CONTEXT:?name of the kubectl context}"
k() { kubectl --context "$KUBE_CONTEXT" "$@"; }

mkdir -p k8s
cat > k8s/storefront.yaml <<'EOF'
apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels:
    pod-security.kubernetes.io/enforce: restricted
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: storefront
  namespace: shop
  labels: &labels
    app.kubernetes.io/name: storefront
spec:
  # No "replicas" here: the autoscaler owns the number.
  selector:
    matchLabels: *labels
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: *labels
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 101
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector: { matchLabels: *labels }
      containers:
        - name: nginx
          image: nginxinc/nginx-unprivileged:1.27.3-alpine
          ports: [{ name: http, containerPort: 8080 }]
          resources:
            requests: { cpu: 50m, memory: 64Mi }
            limits: { memory: 128Mi }
          readinessProbe: { httpGet: { path: /, port: http }, periodSeconds: 5 }
          livenessProbe: { httpGet: { path: /, port: http }, initialDelaySeconds: 10 }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts: [{ name: tmp, mountPath: /tmp }]
      volumes: [{ name: tmp, emptyDir: {} }]
---
apiVersion: v1
kind: Service
metadata: { name: storefront, namespace: shop }
spec:
  selector: { app.kubernetes.io/name: storefront }
  ports: [{ name: http, port: 80, targetPort: http }]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: storefront, namespace: shop }
spec:
  minAvailable: 1
  selector: { matchLabels: { app.kubernetes.io/name: storefront } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: storefront, namespace: shop }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: storefront }
  minReplicas: 2
  maxReplicas: 6
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: 70 } }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: storefront
  namespace: shop
  annotations: { cert-manager.io/cluster-issuer: letsencrypt }
spec:
  ingressClassName: nginx
  tls: [{ hosts: [shop.example.com], secretName: shop-tls }]
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: storefront, port: { name: http } } }
EOF

# A diff needs the namespace, so not at the first run.
if k get namespace shop >/dev/null 2>&1; then
  rc=0
  k diff -f k8s/storefront.yaml || rc=$?
  # 0: no change, 1: differences, more: a real error.
  if [ "$rc" -gt 1 ]; then exit "$rc"; fi
fi
k apply -f k8s/storefront.yaml
k -n shop rollout status deployment/storefront --timeout=180s
k -n shop get deployment,service,ingress,hpa storefront
