#!/usr/bin/env bash
# Install the nightly database dump as a CronJob in namespace backup with its volume and password secret; run it once and look at the result.
set -euo pipefail
: "${DB_PASSWORD_FILE:?path of the file with the password of shop_backup}"
test -s "$DB_PASSWORD_FILE"

mkdir -p k8s
cat > k8s/db-dump.yaml <<'EOF'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: db-dumps, namespace: backup }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 50Gi } }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: db-dump, namespace: backup }
spec:
  schedule: "10 2 * * *"
  timeZone: Etc/UTC
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 1
      activeDeadlineSeconds: 7200
      template:
        metadata:
          labels: { app.kubernetes.io/name: db-dump }
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 70
            runAsGroup: 70
            fsGroup: 70
            seccompProfile: { type: RuntimeDefault }
          containers:
            - name: dump
              image: postgres:16.6-alpine3.20
              env:
                - { name: PGHOST, value: db1.internal }
                - { name: PGDATABASE, value: shop }
                - { name: PGUSER, value: shop_backup }
                - name: PGPASSWORD
                  valueFrom: { secretKeyRef: { name: db-dump, key: password } }
              command: [/bin/sh, -euc]
              args:
                - |
                  umask 077
                  out="/dumps/shop-$(date -u +%Y%m%dT%H%M%SZ).dump"
                  pg_dump -Fc -f "$out.part"
                  pg_restore -l "$out.part" >/dev/null
                  mv "$out.part" "$out"
                  find /dumps -maxdepth 1 -type f -name 'shop-*.dump' -mtime +30 -delete
                  ls -l /dumps
              securityContext:
                allowPrivilegeEscalation: false
                capabilities: { drop: [ALL] }
              volumeMounts: [{ name: dumps, mountPath: /dumps }]
          volumes:
            - name: dumps
              persistentVolumeClaim: { claimName: db-dumps }
EOF

kubectl get namespace backup >/dev/null 2>&1 || kubectl create namespace backup
# Without the newline at the end of the file: it would become part of the password.
kubectl -n backup create secret generic db-dump \
  --from-file=password=<(tr -d '\n' < "$DB_PASSWORD_FILE") --dry-run=client -o yaml | kubectl apply -f -
kubectl apply -f k8s/db-dump.yaml

job=db-dump-check-$(date +%s)
kubectl -n backup create job "$job" --from=cronjob/db-dump
if ! kubectl -n backup wait --for=condition=complete "job/$job" --timeout=900s; then
  kubectl -n backup logs "job/$job" --tail=50 >&2 || true
  exit 1
fi
kubectl -n backup logs "job/$job" --tail=20
kubectl -n backup delete job "$job"
