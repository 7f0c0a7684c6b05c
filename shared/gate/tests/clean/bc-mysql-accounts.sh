#!/usr/bin/env bash
# Database, accounts and grants of the shop in MySQL 8.4, with a check of what each account may do.
set -euo pipefail

dir=~/workspace/mysql
install -d -m 0700 "$dir" "$dir/accounts"
cd "$dir"
umask 077

if [[ ! -s root.cnf ]]; then
  printf '[client]\nuser=root\nhost=127.0.0.1\nport=3306\npassword=%s\n' "$(openssl rand -hex 24)" > root.cnf
fi
password_in() { sed -n 's/^password=//p' "$1"; }

for account in shop_app shop_report shop_backup; do
  [[ -s accounts/$account.cnf ]] || printf '[client]\nuser=%s\nhost=127.0.0.1\nport=3306\npassword=%s\n' "$account" "$(openssl rand -hex 24)" > "accounts/$account.cnf"
done

password_in root.cnf | tr -d '\n' > root.password
cat > compose.yaml <<'EOF'
name: shop-mysql
services:
  mysql:
    image: mysql:8.4.5
    restart: unless-stopped
    command: ["--character-set-server=utf8mb4", "--require-secure-transport=ON"]
    environment:
      MYSQL_ROOT_PASSWORD_FILE: /run/secrets/root
    secrets: [root]
    ports: ["127.0.0.1:3306:3306"]
    volumes: ["data:/var/lib/mysql"]
volumes:
  data:
secrets:
  root:
    file: ./root.password
EOF
docker compose up -d

as() { # ACCOUNT-FILE ARGUMENTS...
  local file=$1
  shift
  mysql --defaults-extra-file="$file" --ssl-mode=REQUIRED --batch --skip-column-names "$@"
}

for attempt in {1..60}; do
  if as root.cnf -e 'SELECT 1' > /dev/null 2>&1; then break; fi
  if (( attempt == 60 )); then
    docker compose logs --tail 30 mysql >&2
    exit 1
  fi
  sleep 2
done

as root.cnf <<EOF
CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci;

CREATE TABLE IF NOT EXISTS shop.products (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sku VARCHAR(64) NOT NULL UNIQUE,
  price DECIMAL(10, 2) NOT NULL,
  CHECK (price >= 0)
) ENGINE = InnoDB;

CREATE ROLE IF NOT EXISTS shop_writer, shop_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON shop.* TO shop_writer;
GRANT SELECT ON shop.* TO shop_reader;

CREATE USER IF NOT EXISTS
  'shop_app'@'%' IDENTIFIED BY '$(password_in accounts/shop_app.cnf)' REQUIRE SSL,
  'shop_report'@'%' IDENTIFIED BY '$(password_in accounts/shop_report.cnf)' REQUIRE SSL,
  'shop_backup'@'%' IDENTIFIED BY '$(password_in accounts/shop_backup.cnf)' REQUIRE SSL;

GRANT shop_writer TO 'shop_app'@'%';
GRANT shop_reader TO 'shop_report'@'%';
GRANT SELECT, SHOW VIEW, TRIGGER, EVENT, LOCK TABLES ON shop.* TO 'shop_backup'@'%';
GRANT PROCESS, RELOAD ON *.* TO 'shop_backup'@'%';
SET DEFAULT ROLE ALL TO 'shop_app'@'%', 'shop_report'@'%';
EOF

as accounts/shop_app.cnf shop -e "INSERT INTO products (sku, price) VALUES ('tea-100', 4.50) ON DUPLICATE KEY UPDATE price = VALUES(price)"
[[ $(as accounts/shop_report.cnf shop -e "SELECT price FROM products WHERE sku = 'tea-100'") == 4.50 ]]

if as accounts/shop_report.cnf shop -e "UPDATE products SET price = 0 WHERE sku = 'tea-100'" 2> denied.txt; then
  echo 'the report account can write' >&2
  exit 1
fi
grep -F 'UPDATE command denied' denied.txt

mysqldump --defaults-extra-file=accounts/shop_backup.cnf --ssl-mode=REQUIRED --single-transaction --no-tablespaces --set-gtid-purged=OFF shop > shop.sql
grep -F 'tea-100' shop.sql
