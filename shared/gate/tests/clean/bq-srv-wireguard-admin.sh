#!/usr/bin/env bash
# WireGuard between the administrator's machine and the server, for the dashboards that must not be public.
# The port is open for the administrator's address only.
set -euo pipefail

: "${ADMIN_IP:?the address the administrator connects from}"
: "${SERVER_IP:?the public address of the server}"
[[ $ADMIN_IP =~ ^[0-9.]+$ && $SERVER_IP =~ ^[0-9.]+$ ]]

local_dir=~/.config/wireguard-shop
install -d -m 0700 "$local_dir"
umask 077
[[ -s $local_dir/private.key ]] || wg genkey > "$local_dir/private.key"
[[ -s $local_dir/preshared.key ]] || wg genpsk > "$local_dir/preshared.key"
client_public=$(wg pubkey < "$local_dir/private.key")

# The private key of the server never leaves it.
server_public=$(ssh server 'sudo bash -euo pipefail -s' <<'EOF'
command -v wg > /dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -yq wireguard-tools < /dev/null >&2
umask 077
mkdir -p /etc/wireguard
[[ -s /etc/wireguard/wg0.key ]] || wg genkey > /etc/wireguard/wg0.key
wg pubkey < /etc/wireguard/wg0.key
EOF
)

{
  cat <<'EOF'
[Interface]
Address = 10.77.0.1/24
ListenPort = 51820
PostUp = wg set %i private-key /etc/wireguard/wg0.key

[Peer]
EOF
  printf 'PublicKey = %s\n' "$client_public"
  printf 'PresharedKey = %s\n' "$(cat "$local_dir/preshared.key")"
  printf 'AllowedIPs = 10.77.0.2/32\n'
} > "$local_dir/server.conf"

cat > "$local_dir/shop.conf" <<EOF
[Interface]
PrivateKey = $(cat "$local_dir/private.key")
Address = 10.77.0.2/32

[Peer]
PublicKey = $server_public
PresharedKey = $(cat "$local_dir/preshared.key")
Endpoint = $SERVER_IP:51820
AllowedIPs = 10.77.0.1/32
PersistentKeepalive = 25
EOF

ssh server 'umask 077; mkdir -p wg-in; cat > wg-in/wg0.conf' < "$local_dir/server.conf"
# shellcheck disable=SC2029 # the address was checked above
ssh server "sudo bash -euo pipefail -s -- $ADMIN_IP" <<'EOF'
admin=$1 new=$PWD/wg-in/wg0.conf
trap 'rm -f "$new"; rmdir "${new%/*}"' EXIT
wg-quick strip "$new" > /dev/null
ufw allow proto udp from "$admin" to any port 51820 comment 'wireguard, administrator'
ufw allow in on wg0 proto tcp from 10.77.0.2 to any port 3000,9090 comment 'dashboards'

if cmp -s "$new" /etc/wireguard/wg0.conf; then
  systemctl enable --now wg-quick@wg0.service
else
  install -m 0600 "$new" /etc/wireguard/wg0.conf
  systemctl enable wg-quick@wg0.service
  systemctl restart wg-quick@wg0.service
fi
wg show wg0 listen-port
ufw status verbose
EOF

rm -f "$local_dir/server.conf"
echo "import $local_dir/shop.conf on your machine"
