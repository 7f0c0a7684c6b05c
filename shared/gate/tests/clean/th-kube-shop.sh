#!/usr/bin/env bash
# Cleans up old orders in the cluster each week, with its settings in a kustomization
set -o errexit -o nounset -o pipefail
base=$HOME/workspace/k8s/cleanup
mkdir -p "$base"
cat << 'EOF' > "$base/kustomization.yaml"
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop
resources: [cronjob.yaml, rbac.yaml]
configMapGenerator:
  - name: cleanup
    literals:
      - KEEP_DAYS=90
    files:
      - cleanup.sql
EOF
cat << 'EOF' > "$base/cleanup.sql"
DELETE FROM carts WHERE updated_at < now() - interval '90 days';
EOF
cat << 'EOF' > "$base/cronjob.yaml"
apiVersion: batch/v1
kind: CronJob
metadata:
  name: cleanup
spec:
  schedule: "30 4 * * 0"
  timeZone: Europe/Berlin
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 2
  jobTemplate:
    spec:
      backoffLimit: 1
      ttlSecondsAfterFinished: 86400
      template:
        spec:
          serviceAccountName: cleanup
          restartPolicy: OnFailure
          containers:
            - name: psql
              image: postgres:17.6
              command:
                - /bin/sh
                - -ec
                - |
                  for table in carts sessions; do
                    echo "cleaning $table older than $KEEP_DAYS days"
                  done
                  psql --host "$PGHOST" --file /etc/cleanup/cleanup.sql
              envFrom:
                - configMapRef: {name: cleanup}
                - secretRef: {name: database}
              volumeMounts:
                - name: scripts
                  mountPath: /etc/cleanup
                  readOnly: true
          volumes:
            - name: scripts
              configMap:
                name: cleanup
                items: [{key: cleanup.sql, path: cleanup.sql}]
EOF
cat << 'EOF' > "$base/rbac.yaml"
apiVersion: v1
kind: ServiceAccount
metadata:
  name: cleanup
  labels: {app.kubernetes.io/part-of: shop}
automountServiceAccountToken: false
EOF
kubectl kustomize "$base" > /dev/null
kubectl apply --kustomize "$base"
kubectl --namespace shop create job --from=cronjob/cleanup cleanup-now
kubectl -n shop wait --for=condition=complete job/cleanup-now --timeout=300s
kubectl -n shop logs job/cleanup-now --tail=20
