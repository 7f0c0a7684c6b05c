#!/usr/bin/env bash
# Nightly dump of the shop's database in Kubernetes, onto a volume of its own.
set -euo pipefail

: "${KUBE_CONTEXT:?set KUBE_CONTEXT}"
k() { kubectl --context "$KUBE_CONTEXT" --namespace shop "$@"; }

work="${WORK_DIR:-$PWD/k8s-backup}"
mkdir -p "$work"
cd "$work"

cat > backup.yaml <<'EOF'
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: shop-backup
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 20Gi
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-backup-script
data:
  backup.sh: |
    #!/bin/sh
    set -eu
    target="/backup/shop-$(date -u +%Y%m%dT%H%M%SZ).dump"
    pg_dump --format=custom --file="$target.part"
    pg_restore --list "$target.part" > /dev/null
    mv "$target.part" "$target"
    find /backup -name 'shop-*.dump' -mtime +14 -delete
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: shop-backup
spec:
  schedule: "30 2 * * *"
  timeZone: Etc/UTC
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 2
      activeDeadlineSeconds: 3600
      template:
        metadata:
          labels:
            app: shop-backup
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 70
            fsGroup: 70
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: dump
              image: postgres:16.6-alpine
              command: ["/bin/sh", "/scripts/backup.sh"]
              env:
                - name: PGHOST
                  value: shop-db
                - name: PGUSER
                  value: shop
                - name: PGDATABASE
                  value: shop
                - name: PGPASSWORD
                  valueFrom:
                    secretKeyRef:
                      name: shop-db
                      key: password
              securityContext:
                allowPrivilegeEscalation: false
                capabilities:
                  drop: [ALL]
              volumeMounts:
                - name: backup
                  mountPath: /backup
                - name: scripts
                  mountPath: /scripts
                  readOnly: true
          volumes:
            - name: backup
              persistentVolumeClaim:
                claimName: shop-backup
            - name: scripts
              configMap:
                name: shop-backup-script
EOF

k get secret shop-db > /dev/null
k apply --dry-run=server -f backup.yaml
k apply -f backup.yaml

# Proof: one run by hand succeeds.
job="shop-backup-manual-$(date +%s)"
k create job "$job" --from=cronjob/shop-backup
k wait --for=condition=Complete "job/$job" --timeout=300s
