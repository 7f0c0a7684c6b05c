#!/usr/bin/env bash
set -euo pipefail
# A WireGuard tunnel for the administrator; the UDP port answers only to ADMIN_CIDR.
: "${ADMIN_CIDR:?set ADMIN_CIDR}"
: "${ADMIN_WG_PUBKEY:?set ADMIN_WG_PUBKEY, the public key of your own computer}"

readonly WG_IF=wg0
readonly WG_PORT=51820

require() {
  local tool
  for tool in "$@"; do
    command -v "$tool" > /dev/null || { echo "missing: $tool" >&2; return 1; }
  done
}

apt-get update
apt-get install -y --no-install-recommends wireguard-tools ufw iproute2
require wg wg-quick ufw ip

install -d -m 0700 /etc/wireguard
if [[ ! -s /etc/wireguard/server.key ]]; then
  ( umask 077; wg genkey > /etc/wireguard/server.key )
fi
wg pubkey < /etc/wireguard/server.key > /etc/wireguard/server.pub
private_key="$(< /etc/wireguard/server.key)"

( umask 077
  cat > "/etc/wireguard/${WG_IF}.conf" <<EOF
[Interface]
Address = 10.99.0.1/24
ListenPort = ${WG_PORT}
PrivateKey = ${private_key}

[Peer]
PublicKey = ${ADMIN_WG_PUBKEY}
AllowedIPs = 10.99.0.2/32
PersistentKeepalive = 25
EOF
)

cat > /etc/sysctl.d/60-site.conf <<'EOF'
net.ipv4.conf.all.rp_filter = 1
net.ipv4.tcp_syncookies = 1
net.core.somaxconn = 1024
EOF
sysctl --system > /dev/null

ufw default deny incoming
ufw allow from "$ADMIN_CIDR" to any port 22 proto tcp
ufw allow from "$ADMIN_CIDR" to any port "$WG_PORT" proto udp
ufw allow 80,443/tcp
ufw --force enable

install -d /etc/systemd/system/wg-quick@wg0.service.d
cat > /etc/systemd/system/wg-quick@wg0.service.d/restart.conf <<'EOF'
[Unit]
StartLimitIntervalSec=0

[Service]
Restart=on-failure
RestartSec=10s
EOF
systemctl daemon-reload
systemctl enable "wg-quick@${WG_IF}"
systemctl restart "wg-quick@${WG_IF}"

wg show "$WG_IF" peers | grep -qxF "$ADMIN_WG_PUBKEY"
ip -4 -o addr show dev "$WG_IF" | grep -qF 10.99.0.1/24
[[ "$(wg show "$WG_IF" listen-port)" == "$WG_PORT" ]]
echo "server public key: $(< /etc/wireguard/server.pub)"
