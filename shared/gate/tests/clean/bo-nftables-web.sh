#!/usr/bin/env bash
# Install the nftables firewall of web2: 80 and 443 open to everyone, SSH and node exporter only from inside; a timer rolls back if we lock ourselves out.
set -euo pipefail
: "${ADMIN_NET:?IPv4 network of the administrators, e.g. the VPN}"

cat > nftables.conf <<EOF
#!/usr/sbin/nft -f

# Only our own table is replaced: tables of others (Docker, fail2ban) stay.
table inet host {}
delete table inet host

table inet host {
    set admins {
        type ipv4_addr
        flags interval
        auto-merge
        elements = { $ADMIN_NET, 10.0.0.0/16 }
    }

    chain input {
        type filter hook input priority filter; policy drop;

        ct state established,related accept
        ct state invalid drop
        iif "lo" accept

        ip protocol icmp icmp type { echo-request, destination-unreachable, time-exceeded, parameter-problem } accept
        meta l4proto ipv6-icmp accept

        tcp dport 22 ip saddr @admins accept
        tcp dport 9100 ip saddr 10.0.5.0/24 accept
        tcp dport { 80, 443 } accept
        udp dport 443 accept

        limit rate 5/minute log prefix "nft-drop "
        counter drop
    }

    chain forward {
        type filter hook forward priority filter; policy accept;
    }
}
EOF

scp -q nftables.conf web2:nftables.conf.new

# Step 1: check, load, and arm the way back. The old rules return in 3 minutes
# unless the second connection below disarms the timer.
ssh web2 'sudo DEBIAN_FRONTEND=noninteractive bash -euo pipefail -s -- "$HOME/nftables.conf.new"' <<'REMOTE'
new=$1
if ! command -v nft >/dev/null; then
  apt-get update -q </dev/null
  apt-get install -y -q nftables </dev/null
fi
nft -c -f "$new"
# Nothing to stop or reset is the normal case.
systemctl stop nft-rollback.timer 2>/dev/null || true
systemctl reset-failed nft-rollback.service 2>/dev/null || true
if nft list table inet host >/root/nft-host.before 2>/dev/null; then
  back='nft delete table inet host; nft -f /root/nft-host.before'
else
  back='nft delete table inet host'
fi
systemd-run --quiet --unit=nft-rollback --on-active=180 /bin/sh -c "$back"
nft -f "$new"
REMOTE

# Step 2: a fresh connection works, so keep the rules and load them at boot.
ssh -o ControlPath=none -o ConnectTimeout=15 web2 'sudo bash -euo pipefail -s -- "$HOME/nftables.conf.new"' <<'REMOTE'
new=$1
systemctl stop nft-rollback.timer
install -o root -g root -m 0755 "$new" /etc/nftables.conf
rm -f -- "$new" /root/nft-host.before
systemctl enable nftables.service
nft list chain inet host input | grep 'policy drop' >/dev/null
REMOTE
echo "firewall of web2 is in place"
