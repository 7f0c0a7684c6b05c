#!/usr/bin/env bash
set -euo pipefail

release=shop
namespace=shop
chart=charts/shop

mkdir -p "$chart/templates"

cat > "$chart/Chart.yaml" <<'EOF'
apiVersion: v2
name: shop
type: application
version: 0.3.0
appVersion: "1.27.3"
EOF

cat > "$chart/values.yaml" <<'EOF'
replicaCount: 2

image:
  repository: nginxinc/nginx-unprivileged
  tag: 1.27.3-alpine
  pullPolicy: IfNotPresent

service:
  type: ClusterIP
  port: 80

ingress:
  className: nginx
  host: shop.example.com
  tlsSecret: shop-tls

resources:
  requests:
    cpu: 50m
    memory: 64Mi
  limits:
    memory: 128Mi
EOF

cat > "$chart/templates/_helpers.tpl" <<'EOF'
{{- define "shop.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
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
  replicas: {{ .Values.replicaCount }}
  selector:
    matchLabels:
      {{- include "shop.labels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "shop.labels" . | nindent 8 }}
    spec:
      containers:
        - name: web
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          ports:
            - name: http
              containerPort: 8080
          livenessProbe:
            httpGet:
              path: /
              port: http
          resources:
            {{- toYaml .Values.resources | nindent 12 }}
EOF

cat > "$chart/templates/service.yaml" <<'EOF'
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  type: {{ .Values.service.type }}
  ports:
    - port: {{ .Values.service.port }}
      targetPort: http
      name: http
  selector:
    {{- include "shop.labels" . | nindent 4 }}
EOF

cat > "$chart/templates/ingress.yaml" <<'EOF'
{{- with .Values.ingress }}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ $.Release.Name }}
spec:
  ingressClassName: {{ .className }}
  tls:
    - hosts:
        - {{ .host | quote }}
      secretName: {{ .tlsSecret }}
  rules:
    - host: {{ .host | quote }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ $.Release.Name }}
                port:
                  name: http
{{- end }}
EOF

helm lint --strict "$chart"
helm template "$release" "$chart" --namespace "$namespace" | kubectl apply --dry-run=client -f -
helm upgrade --install "$release" "$chart" \
  --namespace "$namespace" --create-namespace \
  --atomic --wait --timeout 5m

helm status "$release" --namespace "$namespace"
kubectl --namespace "$namespace" rollout status "deployment/${release}" --timeout=60s
