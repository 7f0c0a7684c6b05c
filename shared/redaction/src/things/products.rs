//! The names of programs, machines and models with a number: `Windows-Server-2022`, `Web-Server-2`.

use crate::words::Table;
use std::sync::OnceLock;

/// Words of which such a name has one.
const WORDS: &str = "server servers srv cluster node host debian ubuntu rocky rockylinux alma almalinux linux windows win fedora centos rhel suse \
     opensuse macos android php python java postgres postgresql mysql mariadb mongodb kubernetes docker keycloak nginx apache tomcat wildfly \
     proxmox esxi vmware firefox chrome outlook exchange sharepoint typo wordpress drupal joomla shopware magento nextcloud owncloud gitlab \
     github jenkins sonarqube grafana zabbix icinga release version xeon epyc ryzen thinkpad proliant";

/// Whether a text is such a name: words with joints, of which one is known, and a number at the end.
pub fn is_product(value: &str) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 1..=4;
    let words = value.trim_end_matches(|c: char| c.is_ascii_digit());
    // Most values end here.
    if !DIGITS.contains(&(value.len() - words.len())) || !words.ends_with('-') {
        return false;
    }
    let mut parts = words.split('-').filter(|part| !part.is_empty());
    let plain = |part: &str| part.chars().all(char::is_alphabetic);
    parts.clone().all(plain) && parts.any(|part| is_of_product(&part.to_lowercase()))
}

/// Whether a word in lower case is part of the names of products.
pub fn is_of_product(word: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(WORDS)).get(word).is_some()
}
