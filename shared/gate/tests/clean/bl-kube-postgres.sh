#!/usr/bin/env bash
set -euo pipefail

umask 077
[ -s pg.pw ] || openssl rand -hex 24 | tr -d '\n' > pg.pw
kubectl create namespace data --dry-run=client -o yaml | kubectl apply -f -
kubectl -n data create secret generic pg --from-file=password=pg.pw --dry-run=client -o yaml | kubectl apply -f -

cat > postgres.yaml <<'EOF'
apiVersion: v1
kind: Service
metadata:
  name: pg
  namespace: data
spec:
  clusterIP: None
  selector:
    app: pg
  ports:
    - port: 5432
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: pg
  namespace: data
spec:
  serviceName: pg
  replicas: 1
  selector:
    matchLabels:
      app: pg
  template:
    metadata:
      labels:
        app: pg
    spec:
      containers:
        - name: postgres
          image: postgres:17.2
          env:
            - name: POSTGRES_PASSWORD
              valueFrom:
                secretKeyRef:
                  name: pg
                  key: password
            - name: PGDATA
              value: /var/lib/postgresql/data/pgdata
          ports:
            - containerPort: 5432
          volumeMounts:
            - name: data
              mountPath: /var/lib/postgresql/data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: ["ReadWriteOnce"]
        resources:
          requests:
            storage: 10Gi
EOF

kubectl apply -f postgres.yaml
kubectl -n data rollout status statefulset/pg --timeout=300s
kubectl -n data exec pg-0 -- pg_isready -U postgres
