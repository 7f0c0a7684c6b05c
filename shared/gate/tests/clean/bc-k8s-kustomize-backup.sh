#!/usr/bin/env bash
# Kustomize base and production overlay of the nightly database dump.
set -euo pipefail

: "${DATABASE_PASSWORD:?}"
cd ~
mkdir -p workspace/k8s/dump/{base,overlays/production}
cd workspace/k8s/dump

cat > base/dump.sh <<'EOF'
#!/bin/sh
set -eu
target="/backup/$PGDATABASE-$(date -u +%Y%m%dT%H%M%SZ).dump"
pg_dump --format=custom --file="$target.part"
pg_restore --list "$target.part" > /dev/null
mv "$target.part" "$target"
find /backup -maxdepth 1 -name '*.dump' -mtime +14 -delete
echo "wrote $target"
EOF

cat > base/cronjob.yaml <<'EOF'
apiVersion: batch/v1
kind: CronJob
metadata:
  name: dump
spec:
  schedule: "30 2 * * *"
  timeZone: Etc/UTC
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 2
      activeDeadlineSeconds: 3600
      template:
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 999
            fsGroup: 999
            seccompProfile: { type: RuntimeDefault }
          containers:
            - name: dump
              image: postgres
              command: [sh, /scripts/dump.sh]
              envFrom:
                - configMapRef: { name: dump-target }
                - secretRef: { name: dump-credentials }
              resources:
                requests: { cpu: 100m, memory: 128Mi }
                limits: { memory: 512Mi }
              securityContext:
                allowPrivilegeEscalation: false
                capabilities: { drop: [ALL] }
              volumeMounts:
                - { name: scripts, mountPath: /scripts, readOnly: true }
                - { name: backup, mountPath: /backup }
          volumes:
            - name: scripts
              configMap: { name: dump-script }
            - name: backup
              persistentVolumeClaim: { claimName: dump }
EOF

cat > base/claim.yaml <<'EOF'
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: dump
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 5Gi
EOF

cat > base/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [claim.yaml, cronjob.yaml]
images:
  - name: postgres
    newTag: 17.5-bookworm
configMapGenerator:
  - name: dump-script
    files: [dump.sh]
  - name: dump-target
    literals: [PGHOST=postgres, PGUSER=shop, PGDATABASE=shop]
EOF

cat > overlays/production/kustomization.yaml <<'EOF'
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop
resources: [../../base]
patches:
  - target: { kind: PersistentVolumeClaim, name: dump }
    patch: |-
      - op: replace
        path: /spec/resources/requests/storage
        value: 50Gi
EOF

kubectl kustomize overlays/production | grep -F 'image: postgres:17.5-bookworm'
printf '%s' "$DATABASE_PASSWORD" \
  | kubectl create secret generic dump-credentials -n shop --from-file=PGPASSWORD=/dev/stdin --dry-run=client -o yaml \
  | kubectl apply -f -
kubectl apply -k overlays/production

run="dump-check-$(date +%s)"
kubectl -n shop create job "$run" --from=cronjob/dump
kubectl -n shop wait --for=condition=complete "job/$run" --timeout=300s
kubectl -n shop logs "job/$run" | grep '^wrote /backup/shop-'
