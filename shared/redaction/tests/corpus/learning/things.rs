//! Names of harmless things that look like passwords, and harmless messages made with them.

use super::{Chance, identifiers};

/// Products and models.
const THINGS: &str = "fail2ban log2ram p7zip s6-overlay v4l2loopback ip6tables apache2 gpg2 mod_security2 \
     zigbee2mqtt SRT3000RMXLI BX1600MI-GR EX2300-24T 5P1550iR PDU3XEVSR6G30B MZ-77E1T0BW WD40EFRX-68N ST8000VN004 \
     HPE-P9D94A QFX5120-48Y N9K-C93180YC E5-2690v4 Zigbee2MQTT RTX4090 RTX3060 DS920+ DS1821+ UDM-Pro USG-3P InfluxDB2 Debian12 Ubuntu24.04 Fedora41 \
     PHP8.2 Python3.12 Node20 Java21 MariaDB10 Postgres16 K3s WireGuard OpenVPN Keycloak24 Proxmox8 ESXi7 \
     ESXi8.0U2 vSphere8 Win11 Server2022 SQL2019 Office365 M365 R640 R740xd DL380 Gen10 T4g.small \
     m6i.large t3.micro cx22 cpx31 ccx13 e2-standard-4 i7-13700K Ryzen9 EPYC7763 Xeon-6230 X550-T2 SFP+ \
     CAT6a USB-C NVMe LTO-8 RAID10 802.11ax WiFi6 U6-LR AP-505 C9300-48P EX3400 FG-60F FortiOS7 RouterOS7 \
     hAP-ac2 RB5009 MX-204 TL-SG108E GS1900 S3 EC2 K8s IPv6 OAuth2 TLS1.3 SHA-256 HTTP/2 gRPC H.265 4K60 \
     A4 B2B Log4j Spring6 React18 Vue3 Angular17 Next.js Rust1.80 Go1.22 .NET8 C++20 Kafka3 Redis7 \
     Elastic8 Grafana11 Loki3 Traefik3 Nextcloud28 Immich1.94 Jellyfin10 Plex Home-Assistant Node-RED \
     ESP32 Pi4 RPi5 Rev2 Q3 FY25 B200 HP-M404dn LaserJet5 Zebra-ZD420 iPhone15 Pixel8 ThinkPad-T14 XPS13 \
     MacBookM3 S21+ Coreboot4 Gitea1.22 GitLab16 SonarQube9 Nexus3 Vault1.17 Consul1 Terraform1.9 \
     Ansible2.17 Veeam12 Zabbix7 PRTG Nagios4 Exchange2019 SharePoint-Online Teams Adyen Shopify2 \
     Magento2.4 WooCommerce9 TYPO3v12 Drupal10 WordPress6 Moodle4 SAP-S4 Dynamics365 D365FO F5-BIG-IP \
     Netscaler13";
/// Machines.
const HOSTS: &str = "web01 web-02 db-03 esx07 esx-12 wms-db-3 sql01.lan nas2 nas-backup1 srv-file01 SRV-DC02 WS2019-APP \
     k8s-node-4 node17 worker-3b rt-core-1 sw-og2-04 fw1.intern mail2.example.org pi4-garage proxmox3 \
     pve02 bkp01 ci-runner-07 gpu-node01 lon1-edge3 fra-gw-2 AMS3-LB1 vm-1042 ip-10-0-3-7 \
     db-prod-replica2 redis-0 kafka-2 es-data-5 mx1 ns2 vpn-gw3 jump1 bastion2 HV-CLUSTER1 prn-2og-03 \
     cam-04 ap-halle3 PC-0417 NB-HUBER2 desktop-4kq7 LAPTOP-7F3K ts01 rds2";
/// Branches, images, buckets, schemas.
const LABELS: &str = "feature/login-v2 fix-1042 release-2024.11 prod-eu1 staging2 dev-3 app_v2 orders_2024 tmp_import_3 \
     db-credentials-2 tls-cert-2025 web-tls2 infra-core terraform-state-4 acme-backups-7 id_ed25519_work \
     deploy_key3 svc-report nightly-7 build-442 shop-frontend billing2 users_old2 monitoring2 kube-system \
     ingress-nginx eu_west_1 module.vpc2 ops-tools hotfix/2.4.1 v2-api argo-cd2 velero-2 report_q3_2024 \
     log-2024-11 mig_0042";
/// Accounts.
const USERS: &str = "svc_veeam jdoe42 m.huber2 adm-kov svc-backup3 k.nowak7 deploy2 ubuntu ci-bot1 tester03 admin2 oper4 \
     a.rossi9 svcSQL01 u10442 guest5 pvdberg1";
/// Rooms and racks.
const ROOMS: &str = "B2.14 R4-07 2OG-113 E1.04 C417 A-12 HS3 K2 W105 Halle4 RZ2 DC1 rack07 Raum204";
/// Versions.
const VERSIONS: &str = "v2.4.1 1.27.3 24.04.1 2024.11.2 v18.2.1-rc.2 8.0.36 1.9.5 3.12.4-slim 7.0U3n 12.0.1_b7 v0.44 \
     2.4.57-1ubuntu3 5.15.0-105 10.11.6-MariaDB 17.0.9+9 r8817 4.19.0-27-amd64";
/// Errors and tickets.
const ERRORS: &str = "OPS-1442 INFRA-231 ORA-01017 0x80070005 0xC0000022 E1045 HTTP-503 ERR_4417 EX-77 KB5034441 \
     CVE-2024-3094 INC0042231 CHG-90112 SR-8813 TS-999 SQLSTATE28000 E_ACCESS 530 5.7.8 EPERM ENOENT \
     ECONNREFUSED AADSTS50126 NET::ERR_CERT_DATE_INVALID X509 RFC7519 PR#1432 JIRA-88";
/// Files.
const FILES: &str = "/etc/app/tls2.pem ~/.aws/config values-prod2.yaml main.tf docker-compose.v2.yml Auth2Service.java \
     user_repo3.py index.d.ts app-7f3c.js backup_2024-11.tar.gz report(2).xlsx setup_v3.1.exe \
     /srv/data1/k8s site2.conf .env.sample id_rsa2.pub users3.csv keys.txt Dockerfile.arm64";
/// First names.
const PEOPLE: &str = "Marta Jonas Priya Lukas Erik Sabine Tomasz Giulia Pedro Anneke Wojtek Colm Ruth Iain Dana Karim Mei \
     Yusuf";
/// Identifiers of programs.
const IDENTIFIERS: &str = "tenantId createdAt userId2 getToken fetchUserV2 secretKeyRef maxRetries3 isValid2FA parseJWT \
     hashPassword keyPath2 apiClientV3 loginForm2 tokenTtl refreshToken passwordHash accessKeyId \
     clientSecretRef";
/// Environment variables.
const VARIABLES: &str = "MAX_RETRIES DB_HOST2 API_BASE_URL ENABLE_2FA TOKEN_TTL SMTP_RELAY1 KEY_PATH NODE_ENV LOG_LEVEL3 \
     FEATURE_V2";

/// A template with a name in each of its places: `{t}` for a product, `{h}` for a machine, `{i}` for an identifier.
pub fn fill(template: &str, chance: &mut Chance) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        text.push_str(&rest[..at]);
        let made = match rest.get(at..at + 3) {
            Some("{i}") => Some(identifiers::any(chance)),
            Some("{x}") => Some(identifiers::hex(chance)),
            _ => None,
        };
        if let Some(made) = made {
            text.push_str(&made);
            rest = &rest[at + 3..];
            continue;
        }
        let list = match rest.get(at..at + 3) {
            Some("{t}") => THINGS,
            Some("{h}") => HOSTS,
            Some("{b}") => LABELS,
            Some("{u}") => USERS,
            Some("{r}") => ROOMS,
            Some("{v}") => VERSIONS,
            Some("{e}") => ERRORS,
            Some("{f}") => FILES,
            Some("{n}") => PEOPLE,
            Some("{c}") => IDENTIFIERS,
            Some("{C}") => VARIABLES,
            _ => {
                text.push('{');
                rest = &rest[at + 1..];
                continue;
            }
        };
        text.push_str(chance.one(list));
        rest = &rest[at + 3..];
    }
    text + rest
}
