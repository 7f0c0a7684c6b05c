#!/usr/bin/env bash
set -euo pipefail
mkdir -p sts && cd sts
cat > redis.yaml <<'EOF'
apiVersion: v1
kind: Service
metadata:
  name: redis
spec:
  clusterIP: None
  selector:
    app: redis
  ports:
    - port: 6379
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: redis
spec:
  serviceName: redis
  replicas: 1
  selector:
    matchLabels:
      app: redis
  template:
    metadata:
      labels:
        app: redis
    spec:
      containers:
        - name: redis
          image: redis:7.4.1
          args: ["--appendonly", "yes"]
          volumeMounts:
            - name: data
              mountPath: /data
            - name: creds
              mountPath: /run/creds
              readOnly: true
      volumes:
        - name: creds
          projected:
            defaultMode: 0400
            sources:
              - secret:
                  name: redis-auth
                  items:
                    - key: password
                      path: password
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: 1Gi
EOF
openssl rand -hex 24 | tr -d '\n' |
  kubectl create secret generic redis-auth --from-file=password=/dev/stdin --dry-run=client -o yaml |
  kubectl apply -f -
kubectl apply -f redis.yaml
kubectl rollout status statefulset/redis --timeout=180s
