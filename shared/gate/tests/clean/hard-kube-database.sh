#!/usr/bin/env bash
set -euo pipefail
cat > app.yaml <<'EOF'
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec:
  clusterIP: None
  selector: {app: db}
  ports: [{name: pg, port: 5432, targetPort: pg}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop, labels: {app: db, version: "17"}}
spec:
  serviceName: db
  replicas: 1
  selector: {matchLabels: {app: db}}
  template:
    metadata:
      labels: {app: db}
      annotations:
        prometheus.io/port: "9187"
    spec:
      securityContext: {fsGroup: 999, runAsUser: 999}
      containers:
        - name: db
          image: postgres:17.2
          args: ["-c", "max_connections=200"]
          env:
            - name: POSTGRES_PASSWORD
              valueFrom: {secretKeyRef: {name: db, key: password}}
            - {name: PGPORT, value: "5432"}
          ports: [{name: pg, containerPort: 5432}]
          livenessProbe:
            exec: {command: [pg_isready, -U, postgres]}
            initialDelaySeconds: 10
          resources: {limits: {memory: 512Mi, cpu: 1}}
          volumeMounts: [{name: data, mountPath: /var/lib/postgresql/data}]
  volumeClaimTemplates:
    - metadata: {name: data}
      spec:
        accessModes: [ReadWriteOnce]
        resources: {requests: {storage: 5Gi}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: db, namespace: shop}
spec:
  minAvailable: 1
  selector: {matchLabels: {app: db}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: shop, namespace: shop}
spec:
  secretName: shop-tls
  dnsNames: [shop.example.com]
  issuerRef: {name: le, kind: ClusterIssuer}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: db, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: db}
  minReplicas: 1
  maxReplicas: 2
  metrics:
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
EOF
umask 077
[ -s db.pw ] || openssl rand -hex 24 > db.pw
kubectl apply -f app.yaml --dry-run=client >/dev/null
kubectl -n shop create secret generic db --from-file=password=db.pw --dry-run=client -o yaml | kubectl apply -f -
kubectl apply -f app.yaml
kubectl -n shop rollout status statefulset/db --timeout=300s
kubectl -n shop exec db-0 -- pg_isready -U postgres
