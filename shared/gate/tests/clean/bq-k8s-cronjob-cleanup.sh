#!/usr/bin/env bash
# Kubernetes: nightly job that deletes exports older than 14 days and expired sessions, with the least of rights.
set -euo pipefail

mkdir -p ~/workspace/k8s-cleanup
cd ~/workspace/k8s-cleanup

cat > cleanup.sql <<'EOF'
DELETE FROM session WHERE expires_at < now() - interval '1 day';
EOF

cat > cleanup.sh <<'EOF'
#!/bin/sh
set -eu
: "${EXPORT_DIR:?}" "${KEEP_DAYS:?}"
case $EXPORT_DIR in
  /exports | /exports/*) ;;
  *) echo "unexpected folder: $EXPORT_DIR" >&2; exit 1 ;;
esac
find "$EXPORT_DIR" -xdev -type f -name '*.csv' -mtime +"$KEEP_DAYS" -print -delete
psql --no-psqlrc --set=ON_ERROR_STOP=1 --file=/scripts/cleanup.sql
EOF
sh -n cleanup.sh

cat > cronjob.yaml <<'EOF'
apiVersion: batch/v1
kind: CronJob
metadata:
  name: cleanup
spec:
  schedule: "40 2 * * *"
  timeZone: Europe/Berlin
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 3600
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 1
      activeDeadlineSeconds: 1800
      ttlSecondsAfterFinished: 172800
      template:
        metadata:
          labels:
            app: cleanup
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 10001
            runAsGroup: 10001
            fsGroup: 10001
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: cleanup
              image: postgres:17.2-bookworm
              command: [sh, /scripts/cleanup.sh]
              env:
                - name: EXPORT_DIR
                  value: /exports
                - name: KEEP_DAYS
                  value: "14"
                - name: PGHOST
                  value: postgres
                - name: PGDATABASE
                  value: shop
                - name: PGUSER
                  valueFrom: {secretKeyRef: {name: cleanup-db, key: username}}
                - name: PGPASSWORD
                  valueFrom: {secretKeyRef: {name: cleanup-db, key: password}}
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities: {drop: [ALL]}
              resources:
                requests: {cpu: 20m, memory: 32Mi}
                limits: {memory: 128Mi}
              volumeMounts:
                - {name: scripts, mountPath: /scripts, readOnly: true}
                - {name: exports, mountPath: /exports}
          volumes:
            - name: scripts
              configMap:
                name: cleanup
            - name: exports
              persistentVolumeClaim:
                claimName: exports
EOF

cat > kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop
resources:
  - cronjob.yaml
configMapGenerator:
  - name: cleanup
    files:
      - cleanup.sh
      - cleanup.sql
EOF

kubectl -n shop get persistentvolumeclaim exports > /dev/null
if ! kubectl -n shop get secret cleanup-db > /dev/null 2>&1; then
  : "${CLEANUP_DB_USER:?account that may delete from session only}" "${CLEANUP_DB_PASSWORD_FILE:?}"
  kubectl -n shop create secret generic cleanup-db \
    --from-literal=username="$CLEANUP_DB_USER" --from-file=password="$CLEANUP_DB_PASSWORD_FILE"
fi

kubectl apply --dry-run=server -k . > /dev/null
kubectl apply -k .
kubectl -n shop get cronjob cleanup -o jsonpath='{.spec.schedule}{"\n"}' | grep -Fx '40 2 * * *'
