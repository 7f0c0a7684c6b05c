//! Words that tell an identifier from a key: nouns for things, what happens to things, and services that give out keys.

use crate::words::{Table, folded};
use std::sync::OnceLock;

/// Things that have an identifier, in lower case and without accents.
const NOUNS: &str = "ksuid ulid nanoid cuid objectid snowflake tsid xid wwn wwpn eui nguid account playlist track change event events message messages msg msgid segment row record node document doc \
     page card board file folder object entity item items user order orders tracking parcel package shipment \
     consignment case ticket issue incident bug finding contact lead customer client contract invoice receipt \
     quote offer booking reservation confirmation ref reference job jobs jid run build task pod container image \
     layer volume snapshot backup archive instance machine droplet device serial asset badge plate vin imei iccid \
     trace span traza spur requete peticion solicitud anfrage demande request req correlation transaction txn tx payment charge refund payout dispute mandate iban bic \
     meter member patient employee article sku part revision rev commit commits hash digest checksum etag video \
     meeting webinar registrant participant channel thread post guid uuid dashboard panel alert monitor \
     installation deployment deploy release distribution zone cluster replica replicaset shard chunk block wallet \
     address peer lease handle cursor offset partition consumer subscription subscriber campaign coupon promo \
     survey poll question response crash dump report minidump fault notice occurrence scan lock lineage stack \
     stage workflow pipeline step artifact fingerprint selector selektor domain bucket topic queue batch voyage flight seat number \
     nummer numero serie seriale seriennummer serienummer paket sendung bestellung buchung buchungscode \
     buchungsnummer reservierung kunde kundennummer vertrag vertragsnummer rechnung angebot gerat zahler mitglied \
     artikel artikelnummer kennzeichen fahrgestellnummer inventarnummer auftrag vorgang lieferung beleg gutschein \
     rabattcode paquete envio pedido factura reserva cliente contrato dispositivo matricula localizador cupon \
     colis commande facture contrat appareil dossier immatriculation livraison spedizione pacco ordine fattura \
     prenotazione contratto pratica targa encomenda fatura pakket bestelling factuur boeking klant zending \
     kenteken paczka przesylka zamowienie faktura rezerwacja umowa klient numer ctag";

/// Whether a folded word is a noun for a thing with an identifier.
pub fn is_noun(folded: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(NOUNS)).get(folded).is_some()
}

/// What happens to things: the first word after an identifier.
const EVENTS: &str = "failed fails stuck done timed completed finished started starts retry retries retried queued crashed crashes \
     deleted saved flushed acked inserted merged dropped undelivered delivered delayed shipped arrived restarted \
     left joined drained converged pinned published deployed deploying pending cancelled canceled closed opened \
     acknowledged resolved evicted killed exited detached attached unreachable unhealthy overdue bounced disputed \
     captured took rolled stopped terminated scaled reindexed synced uploaded downloaded fehlgeschlagen hangt \
     abgebrochen geloscht gestartet beendet storniert zugestellt atascado entregado fallo termino echoue bloque \
     livre fallito bloccato consegnato falhou entregue mislukt onderweg bezorgd utknal";
/// The same after "is" or "was".
const STATES: &str = "ready slow running down open missing orphaned outdated dead unconfirmed late en im in unterwegs";
const IS: [&str; 11] =
    ["is", "was", "were", "are", "ist", "wurde", "esta", "est", "e", "foi", "jest"];

/// Whether something happens to what precedes this text.
pub(super) fn happens(after: &str) -> bool {
    static EVENT: OnceLock<Table<()>> = OnceLock::new();
    static STATE: OnceLock<Table<()>> = OnceLock::new();
    let events = || EVENT.get_or_init(|| Table::listed(EVENTS));
    let states = || STATE.get_or_init(|| Table::listed(STATES));
    let Some(after) = after.strip_prefix(' ') else { return false };
    let mut words = after.split([' ', ',', ';', ':', '.', '!', '?']);
    let first = folded(words.next().unwrap_or_default());
    let second = || folded(words.clone().next().unwrap_or_default()).into_owned();
    events().get(&first).is_some()
        || (IS.contains(&first.as_ref())
            && (events().get(&second()).is_some() || states().get(&second()).is_some()))
        || (first == "not" && second() == "found")
}

/// Services whose keys people paste after the name.
const SERVICES: &str = "datadog newrelic sendgrid mailgun postmark mailjet mailchimp brevo twilio vonage messagebird slack discord \
     telegram stripe paypal square adyen mollie klarna github gitlab gitea bitbucket jira confluence linear \
     notion figma airtable asana trello vultr linode hetzner hcloud digitalocean ovh scaleway upcloud exoscale \
     aws azure gcp google cloudflare fastly netlify vercel heroku render fly railway supabase firebase algolia \
     mapbox maps openweather openweathermap weather sentry rollbar bugsnag grafana influx influxdb elastic splunk \
     loggly pagerduty opsgenie auth okta keycloak vault consul nomad terraform pulumi npm pypi rubygems docker \
     dockerhub quay harbor artifactory nexus sonar sonarqube snyk codecov jenkins circleci travis buildkite \
     zapier openai anthropic claude gemini mistral cohere groq huggingface replicate deepl shodan abuseipdb \
     maxmind tailscale zerotier ngrok plex trakt tmdb sonarr radarr prowlarr jellyfin nextdns adguard backblaze \
     wasabi minio bunny restic borg iex polygon alphavantage tinypng cloudinary imgur giphy unsplash spotify \
     steam twitch youtube hubspot salesforce intercom zendesk amplitude mixpanel posthog plausible contentful \
     sanity strapi storyblok shopify";

/// Whether a folded word is the name of such a service.
pub fn is_service(folded: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(SERVICES)).get(folded).is_some()
}

/// Programs, devices and offers that people sign in to with a password.
const PRODUCTS: &str = "hosting webspace webmail cpanel plesk phpmyadmin adminer pgadmin wordpress joomla drupal typo3 nextcloud owncloud \
     moodle proxmox esxi vcenter vsphere idrac ilo ipmi bios uefi vnc rdp anydesk teamviewer guacamole portainer webmin \
     unifi mikrotik ubiquiti fritzbox speedport synology qnap truenas opnsense pfsense zabbix nagios icinga kibana metabase \
     rabbitmq minio keycloak nexus jenkins gitea grafana mailcow roundcube zimbra";

/// Whether a folded word is the name of such a product.
pub fn is_product(folded: &str) -> bool {
    static TABLE: OnceLock<Table<()>> = OnceLock::new();
    TABLE.get_or_init(|| Table::listed(PRODUCTS)).get(folded).is_some()
}
