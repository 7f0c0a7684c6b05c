import { expect, test } from "vitest";
import { readScript } from "./script";
import { touchesOf } from "./touches";

const addresses = (text: string) => touchesOf(readScript(text), []).addresses;

test.each([
  ["psql -h db.example.com -U app -c 'select 1'", ["db.example.com"]],
  ["PGPASSWORD=$X psql 'host=db.internal dbname=app'", ["db.internal"]],
  ["mysql -hdb1 -u root", ["db1"]],
  ["pg_dump --host=db.example.com app > dump.sql", ["db.example.com"]],
  ["redis-cli -h cache -p 6379 ping", ["cache"]],
  ["ssh -F ssh/config -J jump.example.com,two -p 2222 db 'sudo bash -s'", ["jump.example.com", "two", "db"]],
  ["ssh -o ProxyJump=jump app uptime", ["jump", "app"]],
  ["scp -P 22 -r site web1:/srv/ && rsync -az -e ssh a/ web2:/b", ["web1", "web2"]],
  ["curl -fsS -o page.html --header 'Host: x' example.com/health | jq .", ["example.com"]],
  ["sudo wget -q downloads.example.org", ["downloads.example.org"]],
  ["nc -z -w 5 host 5432", ["host:5432"]],
  ["timeout 5 nc -vz localhost 5432", ["localhost:5432"]],
  ["sudo -u postgres psql -h db1 app", ["db1"]],
  ["openssl s_client -connect mail.example.com:465 </dev/null", ["mail.example.com:465"]],
  ["ping -c 1 gateway", ["gateway"]],
  ["dig +short example.com @ns1.example.net", ["example.com", "ns1.example.net"]],
  ['DB=db.example.com\npsql \\\n  -h "$DB" app', ["db.example.com"]],
  ["ssh web <<'END'\ncurl -s api.internal.example/health\nEND", ["web", "api.internal.example"]],
  ["if ! curl -fs example.com; then exit 1; fi", ["example.com"]],
  ["exec 3<>/dev/tcp/db1/5432", ["db1:5432"]],
])("%s", (script, expected) => {
  expect(addresses(`${script}\n`)).toEqual(expected);
});

test.each([
  ["ping -c 1 2001:db8::17", ["2001:db8::17"]],
  ["curl -g http://[2001:db8::17]:8080/health", ["http://[2001:db8::17]:8080/health"]],
  ["ufw allow from 2001:db8::/32 to ::/0", ["2001:db8::/32", "::/0"]],
  ["nc -z 2001:db8:0:0:0:0:0:17 22", ["2001:db8:0:0:0:0:0:17"]],
  ["listen='[::1]:6379'", ["[::1]:6379"]],
])("%s names an IPv6 address", (script, expected) => {
  expect(addresses(`${script}\n`)).toEqual(expected);
});

test.each([
  "date +12:34:56 && ip link set eth0 address 52:54:00:12:34:56",
  "ls -h; du -h site; df -h /",
  "nc -l 8080",
  'curl -o file.tar.gz "$URL"; ssh "$HOST" uptime; psql -h /var/run/postgresql',
  "perl -e 'Foo::bar()'; std::move",
  "cp a.example b.example; grep -h word file.txt",
])("%s names no address", (script) => {
  expect(addresses(`${script}\n`)).toEqual([]);
});
