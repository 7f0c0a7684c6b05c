#!/usr/bin/env bash
# Firewall of the shop's server with nftables; rolled back by itself when we lock ourselves out.
set -euo pipefail

: "${SHOP_HOST:?set SHOP_HOST, e.g. deploy@203.0.113.10}"
: "${ADMIN_IP:?set ADMIN_IP to your own IPv4 address}"

ssh_opts=(-o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=10)
tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT

cat > "$tmp/nftables.conf" <<EOF
#!/usr/sbin/nft -f
table inet shop
delete table inet shop

define web_ports = { 80, 443 }
define admin_ip = $ADMIN_IP

table inet shop {
    set blocked {
        type ipv4_addr
        flags interval, timeout
    }

    chain input {
        type filter hook input priority filter; policy drop;

        ct state vmap { established : accept, related : accept, invalid : drop }
        iif "lo" accept
        ip saddr @blocked drop

        ip protocol icmp icmp type { echo-request, destination-unreachable } limit rate 10/second accept
        ip6 nexthdr icmpv6 icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-advert, packet-too-big } accept

        tcp dport \$web_ports accept
        ip saddr \$admin_ip tcp dport 22 accept
        limit rate 5/minute log prefix "nft-drop: "
    }

    chain forward {
        type filter hook forward priority filter; policy drop;
    }
}
EOF

stage="$(ssh "${ssh_opts[@]}" "$SHOP_HOST" mktemp -d)"
scp -q "${ssh_opts[@]}" "$tmp/nftables.conf" "$SHOP_HOST:$stage/nftables.conf"

ssh "${ssh_opts[@]}" "$SHOP_HOST" sudo bash -s -- "$stage" <<'EOF'
set -euo pipefail
stage="$1"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq nftables
nft --check --file "$stage/nftables.conf"

# The way back: after two minutes the old rules return, unless the next step stops the timer.
{ echo 'flush ruleset'; nft list ruleset; } > /etc/nftables.rollback
chmod 0600 /etc/nftables.rollback
systemctl stop nft-rollback.timer 2> /dev/null || true
systemctl reset-failed nft-rollback.service 2> /dev/null || true
systemd-run --quiet --unit=nft-rollback --on-active=120 /usr/sbin/nft --file /etc/nftables.rollback
nft --file "$stage/nftables.conf"
EOF

# A new connection proves that SSH still works; only then the rules become permanent.
ssh "${ssh_opts[@]}" -o ControlPath=none "$SHOP_HOST" sudo bash -s -- "$stage" <<'EOF'
set -euo pipefail
stage="$1"
systemctl stop nft-rollback.timer
if [[ -e /etc/nftables.conf && ! -e /etc/nftables.conf.dist ]]; then
  cp -p /etc/nftables.conf /etc/nftables.conf.dist
fi
install -o root -g root -m 0755 "$stage/nftables.conf" /etc/nftables.conf
rm -rf "$stage"
systemctl enable nftables
systemctl reload-or-restart nftables
nft list chain inet shop input | grep 'policy drop' > /dev/null
EOF

# Proof from outside: the web port is open, the database port is not.
host="${SHOP_HOST#*@}"
timeout 5 bash -c "exec 3<> /dev/tcp/$host/443"
if timeout 5 bash -c "exec 3<> /dev/tcp/$host/5432" 2> /dev/null; then
  echo "port 5432 is reachable from outside" >&2
  exit 1
fi
