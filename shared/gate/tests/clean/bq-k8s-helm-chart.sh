#!/usr/bin/env bash
# A small chart of our own: schema for the values, a migration as a hook, installed atomically.
set -euo pipefail

: "${SHOP_TAG:?for example 3.2.1}"
chart=~/workspace/charts/shop
mkdir -p "$chart/templates"

cat > "$chart/Chart.yaml" <<'EOF'
apiVersion: v2
name: shop
description: The web shop
type: application
version: 0.4.0
appVersion: "3.2.1"
EOF

cat > "$chart/values.yaml" <<'EOF'
image:
  repository: registry.example.org/shop/app
  tag: ""
replicas: 2
existingSecret: shop-env
env: {}
resources:
  requests:
    cpu: 100m
    memory: 192Mi
  limits:
    memory: 384Mi
migrate:
  enabled: true
EOF

cat > "$chart/values.schema.json" <<'EOF'
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "required": ["image", "replicas", "existingSecret"],
  "properties": {
    "replicas": {"type": "integer", "minimum": 1},
    "existingSecret": {"type": "string", "minLength": 1},
    "image": {
      "type": "object",
      "required": ["repository"],
      "properties": {
        "repository": {"type": "string"},
        "tag": {"type": "string", "pattern": "^([0-9]+\\.[0-9]+\\.[0-9]+)?$"}
      }
    }
  }
}
EOF

cat > "$chart/templates/_helpers.tpl" <<'EOF'
{{- define "shop.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "shop.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "shop.container" -}}
image: {{ include "shop.image" . }}
envFrom:
  - secretRef:
      name: {{ .Values.existingSecret }}
{{- with .Values.env }}
env:
  {{- range $name, $value := . }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
{{- end }}
EOF

cat > "$chart/templates/deployment.yaml" <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  labels:
    {{- include "shop.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels:
      {{- include "shop.labels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "shop.labels" . | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      containers:
        - name: app
          {{- include "shop.container" . | nindent 10 }}
          ports:
            - name: http
              containerPort: 3000
          readinessProbe:
            httpGet:
              path: /healthz
              port: http
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
  labels:
    {{- include "shop.labels" . | nindent 4 }}
spec:
  selector:
    {{- include "shop.labels" . | nindent 4 }}
  ports:
    - name: http
      port: 80
      targetPort: http
EOF

cat > "$chart/templates/migrate.yaml" <<'EOF'
{{- if .Values.migrate.enabled }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migrate
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: 0
  activeDeadlineSeconds: 300
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      containers:
        - name: migrate
          {{- include "shop.container" . | nindent 10 }}
          command: [node, dist/migrate.js]
{{- end }}
EOF

: "${DATABASE_URL_FILE:?file with the address of the database}"
[[ -s $DATABASE_URL_FILE ]]
helm lint --strict "$chart" --set-string image.tag="$SHOP_TAG"
helm template shop "$chart" --set-string image.tag="$SHOP_TAG" | kubectl apply --dry-run=client -f - > /dev/null

kubectl create namespace shop --dry-run=client -o yaml | kubectl apply -f -
kubectl -n shop create secret generic shop-env --from-file=DATABASE_URL="$DATABASE_URL_FILE" --dry-run=client -o yaml |
  kubectl apply -f - > /dev/null
helm upgrade --install shop "$chart" --namespace shop --set-string image.tag="$SHOP_TAG" \
  --atomic --timeout 6m --history-max 5
helm -n shop status shop --output json | jq -e '.info.status == "deployed"'
