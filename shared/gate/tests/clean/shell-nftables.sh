#!/usr/bin/env bash
# Writes the firewall of the server with a way back
set -euo pipefail
admin=198.51.100.7
cat > ~/workspace/nftables.conf <<EOF
#!/usr/sbin/nft -f
flush ruleset

table inet filter {
  chain input {
    type filter hook input priority filter; policy drop;
    ct state established,related accept
    iif lo accept
    ip protocol icmp accept
    tcp dport { 80, 443 } accept
    ip saddr $admin tcp dport 22 accept
  }
  chain forward {
    type filter hook forward priority filter; policy drop;
  }
}
EOF
scp ~/workspace/nftables.conf server:/tmp/nftables.conf
ssh server 'sudo nft --check --file /tmp/nftables.conf'
ssh server 'sudo cp -a /etc/nftables.conf /etc/nftables.conf.before && sudo install -m 0755 /tmp/nftables.conf /etc/nftables.conf'
ssh server 'sudo systemctl enable nftables && sudo systemctl restart nftables'
ssh -o ConnectTimeout=5 server 'sudo nft list chain inet filter input' | grep -F 'policy drop'
