#!/usr/bin/env bash
set -euo pipefail
mkdir -p conf templates
cat > conf/site.conf <<'EOF'
map $http_upgrade $connection_upgrade {
    default upgrade;
    ''      close;
}
geo $limited { default 1; 10.0.0.0/8 0; }
map $limited $limit_key { 0 ""; 1 $binary_remote_addr; }
limit_req_zone $limit_key zone=api:10m rate=5r/s;
split_clients "${remote_addr}x" $variant { 10% a; * b; }
log_format main '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" $request_time $upstream_response_time $ssl_protocol $sent_http_x_id';
server {
    listen 80;
    server_name ~^(?<tenant>[a-z]+)\.example\.com$;
    root /srv/$tenant;
    location ~ ^/v(?P<version>\d+)/ {
        set $up "http://127.0.0.1:300$version";
        auth_request /auth;
        auth_request_set $auth_user $upstream_http_x_user;
        proxy_set_header X-User $auth_user;
        proxy_set_header Connection $connection_upgrade;
        proxy_set_header X-Variant $variant;
        limit_req zone=api burst=10 nodelay;
        proxy_pass $up;
    }
    location = /auth { internal; proxy_pass http://127.0.0.1:9000/check$is_args$args; }
    location / { try_files $uri $uri/ /index.html; }
    if ($request_method !~ ^(GET|HEAD)$ ) { return 405; }
}
EOF
cat > templates/app.j2 <<'EOF'
{%- set users = ['a', 'b'] -%}
{% macro row(x) -%}<td>{{ x }}</td>{%- endmacro %}
{% for user in users if user != 'x' -%}
{{ row(user) }}
{%- else %}
none
{%- endfor %}
{% raw %}{% if literal %}{% endraw %}
{% set block %}
text
{% endset %}
{% if a is defined %}x{% elif b is defined %}y{% else %}z{% endif %}
EOF
test -s conf/site.conf
test -s templates/app.j2
