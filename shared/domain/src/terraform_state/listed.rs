//! Lists what a state holds, without its secrets: which resources there are, and where they can be reached.
//!
//! A state contains every attribute of every resource, and with them passwords and keys. Terraform marks only some of them
//! as sensitive. So the list does not filter secrets out of a state but picks out what cannot be one: the resources'
//! addresses, and attributes that are network addresses. Nothing runs Terraform or a provider for it.

use crate::cut::cut;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;

/// The most resources of a list.
pub const LISTED_RESOURCES: usize = 100;

/// The longest list, in bytes of JSON: it travels in one message and shares an item with the state's versions.
const LISTED_BYTES: usize = 8 * 1024;

/// The longest address of a resource, in characters.
const ADDRESS_CHARS: usize = 200;

/// The most network addresses of a resource.
const REACHED: usize = 6;

/// The longest network address, in bytes.
const REACHED_BYTES: usize = 120;

/// Parts of the names of attributes whose value may be the name of a host.
const HOST_NAMES: [&str; 6] = ["dns", "domain", "endpoint", "fqdn", "host", "hostname"];

/// A resource of a state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedResource {
    /// Its address, as `terraform state list` prints it.
    pub address: String,
    /// Its network addresses, by the names of their attributes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reached_at: BTreeMap<String, String>,
}

/// The fields of a state that the list uses.
#[derive(Deserialize)]
struct State {
    #[serde(default)]
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    #[serde(default)]
    module: Option<String>,
    #[serde(default)]
    mode: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    instances: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    #[serde(default)]
    index_key: Value,
    #[serde(default)]
    attributes: Map<String, Value>,
    #[serde(default)]
    sensitive_attributes: Value,
}

/// The resources of a state, as Terraform writes it; empty if the text is not a state.
pub fn listed(state: &[u8]) -> Vec<ListedResource> {
    let Ok(State { resources }) = serde_json::from_slice::<State>(state) else { return Vec::new() };
    let managed = resources.iter().filter(|resource| resource.mode != "data");
    let all = managed.flat_map(|resource| {
        let listed = |instance| Resource::listed(resource, instance);
        resource.instances.iter().filter_map(listed)
    });
    bounded(all)
}

/// As many of these resources as a list may have.
pub fn bounded(resources: impl IntoIterator<Item = ListedResource>) -> Vec<ListedResource> {
    let mut left = LISTED_BYTES;
    let fits = |resource: &ListedResource| {
        let bytes = serde_json::to_string(resource).map_or(usize::MAX, |json| json.len() + 1);
        left = left.saturating_sub(bytes);
        left > 0
    };
    resources.into_iter().take(LISTED_RESOURCES).take_while(fits).collect()
}

impl Resource {
    /// An instance of this resource; `None` if its address contains what looks like a secret.
    fn listed(&self, instance: &Instance) -> Option<ListedResource> {
        let module = self.module.as_ref().map(|module| format!("{module}.")).unwrap_or_default();
        let index = match &instance.index_key {
            Value::Null => String::new(),
            key => format!("[{key}]"),
        };
        let address = format!("{module}{}.{}{index}", self.kind, self.name);
        if !redaction::find(&address).is_empty() {
            return None;
        }
        let hidden = instance.hidden();
        let open = instance.attributes.iter().filter(|(name, _)| !hidden.contains(name.as_str()));
        let reached = open.filter_map(|(name, value)| {
            let text = value.as_str().filter(|text| is_reached_at(name, text))?;
            Some((name.clone(), text.to_owned()))
        });
        let reached_at = reached.take(REACHED).collect();
        Some(ListedResource { address: cut(&address, ADDRESS_CHARS), reached_at })
    }
}

impl Instance {
    /// The names of the attributes that Terraform marks as sensitive, as a whole or in a part.
    fn hidden(&self) -> HashSet<&str> {
        let paths = self.sensitive_attributes.as_array().into_iter().flatten();
        paths.filter_map(|path| path.get(0)?.get("value")?.as_str()).collect()
    }
}

/// Whether the value of this attribute is a network address.
fn is_reached_at(name: &str, value: &str) -> bool {
    if value.is_empty() || value.len() > REACHED_BYTES {
        return false;
    }
    if value.parse::<IpAddr>().is_ok() {
        return true;
    }
    let named = name.split('_').any(|part| HOST_NAMES.contains(&part));
    named && is_host(value) && redaction::find(&format!("{name} = {value}")).is_empty()
}

/// Whether a text is the name of a host, which may have a port.
fn is_host(text: &str) -> bool {
    let (host, port) = text.split_once(':').unwrap_or((text, "443"));
    let host = host.strip_suffix('.').unwrap_or(host);
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(letter);
    let top = host.rsplit('.').next().unwrap_or_default();
    let is_top = top.len() >= 2 && top.bytes().all(|b| b.is_ascii_lowercase());
    host.contains('.') && is_top && host.split('.').all(label) && port.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn resource(kind: &str, attributes: Value) -> Value {
        json!({"mode": "managed", "type": kind, "name": "a",
            "instances": [{"attributes": attributes, "sensitive_attributes": []}]})
    }

    fn of(resources: &[Value]) -> Vec<ListedResource> {
        listed(json!({"version": 4, "resources": resources}).to_string().as_bytes())
    }

    #[test]
    fn resources_have_the_addresses_that_terraform_prints() {
        let instances = json!([{"index_key": 0}, {"index_key": "eu"}]);
        let listed = of(&[
            resource("aws_vpc", json!({})),
            json!({"module": "module.net[0]", "mode": "managed", "type": "aws_subnet", "name": "b",
                "instances": instances}),
            json!({"mode": "data", "type": "aws_ami", "name": "c", "instances": [{}]}),
        ]);
        let addresses: Vec<_> = listed.iter().map(|one| one.address.as_str()).collect();
        let expected =
            ["aws_vpc.a", "module.net[0].aws_subnet.b[0]", "module.net[0].aws_subnet.b[\"eu\"]"];
        assert_eq!(addresses, expected);
        assert_eq!(of(&[]), []);
        assert_eq!(super::listed(b"no state"), []);
    }

    #[test]
    fn only_network_addresses_of_a_resource_are_listed() {
        let [listed] = of(&[resource(
            "aws_db_instance",
            json!({
                "public_ip": "203.0.113.7", "ipv6_address": "2001:db8::1", "private_ip": "",
                "endpoint": "db.example.eu-west-1.rds.amazonaws.com:5432",
                "password": "hunter2-long-enough", "id": "db-1", "user_data": "secret=1",
                "host_key": "canary-of-a-key", "domain": "Not a host", "port": 5432,
            }),
        )])
        .try_into()
        .unwrap();
        let names: Vec<_> = listed.reached_at.keys().map(String::as_str).collect();
        assert_eq!(names, ["endpoint", "ipv6_address", "public_ip"]);
    }

    #[test]
    fn what_terraform_marks_and_what_looks_like_a_secret_is_left_out() {
        let token = "ghp_q7Zx2Lm9Kp4Vt8Rb3Nc6Wd1Hf5Js0GyAeTuX";
        let marked = json!({"mode": "managed", "type": "x", "name": "a", "instances": [{
            "index_key": "k",
            "attributes": {"public_ip": "203.0.113.7", "private_ip": "10.0.0.1"},
            "sensitive_attributes": [[{"type": "get_attr", "value": "public_ip"}]],
        }]});
        let keyed = json!({"mode": "managed", "type": "x", "name": "b",
            "instances": [{"index_key": token}]});
        let listed = of(&[marked, keyed]);
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].reached_at.keys().collect::<Vec<_>>(), ["private_ip"]);
    }

    #[test]
    fn a_list_is_bounded() {
        let many: Vec<_> = (0..300).map(|n| resource(&format!("aws_{n}"), json!({}))).collect();
        assert_eq!(of(&many).len(), LISTED_RESOURCES);
        let long: Vec<_> = (0..90).map(|_| resource(&"x".repeat(500), json!({}))).collect();
        let listed = of(&long);
        assert!(listed.len() < 90 && serde_json::to_string(&listed).unwrap().len() <= 8 * 1024);
    }
}
