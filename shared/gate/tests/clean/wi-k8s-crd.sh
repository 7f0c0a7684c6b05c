#!/usr/bin/env bash
set -euo pipefail

mkdir -p crd && cd crd
cat > crd.yaml <<'EOF'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: backups.ops.example.com
spec:
  group: ops.example.com
  scope: Namespaced
  names:
    kind: Backup
    plural: backups
    singular: backup
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [schedule]
              properties:
                schedule:
                  type: string
                keep:
                  type: integer
                  minimum: 1
EOF
cat > cr.yaml <<'EOF'
apiVersion: ops.example.com/v1
kind: Backup
metadata:
  name: nightly
spec:
  schedule: "0 3 * * *"
  keep: 7
EOF
kubectl apply -f crd.yaml
kubectl wait --for=condition=Established crd/backups.ops.example.com --timeout=60s
kubectl apply -f cr.yaml
kubectl get backup nightly -o jsonpath='{.spec.keep}' | grep -qx 7
