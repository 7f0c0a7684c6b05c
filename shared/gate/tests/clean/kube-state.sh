#!/usr/bin/env bash
# Runs PostgreSQL in the cluster and backs it up each night
set -euo pipefail
dir=~/workspace/kubernetes/database
mkdir -p "$dir"
cat >"$dir/kustomization.yaml" <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop
resources:
  - statefulset.yaml
  - backup.yaml
images:
  - name: postgres
    newTag: "17.6"
EOF
cat >"$dir/statefulset.yaml" <<'EOF'
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: postgres
spec:
  serviceName: postgres
  replicas: 1
  selector:
    matchLabels: {app: postgres}
  template:
    metadata:
      labels: {app: postgres}
    spec:
      containers:
        - name: postgres
          image: postgres:17.6
          env:
            - name: POSTGRES_PASSWORD
              valueFrom:
                secretKeyRef: {name: postgres, key: password}
            - name: PGDATA
              value: /var/lib/postgresql/data/pgdata
          volumeMounts:
            - name: data
              mountPath: /var/lib/postgresql/data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: 10Gi
EOF
cat >"$dir/backup.yaml" <<'EOF'
apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup
spec:
  schedule: "15 2 * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: dump
              image: postgres:17.6
              command: ["/bin/sh", "-ec"]
              args:
                - pg_dump --host postgres --format custom shop > "/backup/$(date -u +%F).dump"
              volumeMounts:
                - {name: backup, mountPath: /backup}
          volumes:
            - name: backup
              persistentVolumeClaim: {claimName: backup}
EOF
kubectl diff -k "$dir" || [ $? -eq 1 ]
kubectl apply -k "$dir"
kubectl -n shop rollout status statefulset/postgres --timeout 5m
