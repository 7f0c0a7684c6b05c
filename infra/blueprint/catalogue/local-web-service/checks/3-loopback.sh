#!/usr/bin/env bash
# Makes sure that port @port@ listens on the loopback address and nowhere else
set -euo pipefail

python3 - @port@ <<'PYTHON'
import ipaddress, socket, struct, subprocess, sys

PORT = int(sys.argv[1])
LISTEN = "0A"


def listeners(path):
    try:
        lines = open(path).read().splitlines()[1:]
    except OSError:
        return
    for line in lines:
        fields = line.split()
        address, port = fields[1].split(":")
        if fields[3] == LISTEN and int(port, 16) == PORT:
            # The kernel prints each 32-bit word in the machine's own byte order.
            words = struct.pack(f"={len(address) // 8}I", *(int(address[i:i + 8], 16) for i in range(0, len(address), 8)))
            yield ipaddress.ip_address(words)


found = [*listeners("/proc/net/tcp"), *listeners("/proc/net/tcp6")]
print("listening on port", PORT, "at:", ", ".join(map(str, found)) or "no address")
if not found:
    sys.exit("no healthy answer can come: nothing listens on this port")
if any(not address.is_loopback for address in found):
    sys.exit("the port is open beyond the loopback address")

named = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
others = [address for address in named if not ipaddress.ip_address(address).is_loopback]
for address in others:
    try:
        socket.create_connection((address, PORT), timeout=2).close()
    except OSError as error:
        print(f"{address} port {PORT}: {error}")
    else:
        sys.exit(f"{address} port {PORT} lets us in")
print(f"Verified: port {PORT} listens on {found[0]} only; {len(others)} other address(es) refused the connection")
PYTHON
