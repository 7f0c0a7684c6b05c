#!/usr/bin/env bash
set -euo pipefail

mkdir -p helm-app/templates && cd helm-app
cat > Chart.yaml <<'EOF'
apiVersion: v2
name: helm-app
version: 0.1.0
appVersion: "1.27.3"
EOF
cat > values.yaml <<'EOF'
image:
  repository: nginxinc/nginx-unprivileged
  tag: 1.27.3-alpine
replicas: 2
annotations: {}
EOF
cat > templates/deployment.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  {{- with .Values.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: &labels
      app: {{ .Release.Name }}
  template:
    metadata:
      labels: *labels
    spec:
      containers:
        - name: web
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          ports:
            - containerPort: 8080
EOF
helm lint .
helm upgrade --install web . --namespace web --create-namespace --atomic --timeout 3m
kubectl -n web rollout status deployment/web --timeout=60s
