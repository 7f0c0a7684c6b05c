//! Values that must fit each other and the deployment: the server needs enough memory for what runs on it, and a website
//! needs its ports.

use super::sizing::SERVER_TYPE;
use super::{Dialogue, OPEN_PORTS};
use crate::catalogue;
use crate::catalogue::parameters::Parameter;
use crate::catalogue::sizes::{self, Family, Kind};
use crate::choice::Choice;
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;

/// The outcome of an open port on which nothing of the deployment listens.
const SILENT: &str = "open in the firewall, but nothing in this plan answers there";

/// A value that takes memory of the server.
struct Load {
    key: &'static str,
    /// Megabytes of one unit of the value.
    unit_mb: u32,
    /// The percentage of the server's memory that it may take; the rest of the server needs the other part.
    percent: u32,
}

const MB_PER_GB: u32 = 1024;

const LOADS: &[Load] = &[
    Load { key: "heap-gb", unit_mb: MB_PER_GB, percent: 50 },
    Load { key: "redis-memory-mb", unit_mb: 1, percent: 75 },
];

impl Load {
    /// The memory in GB of a server on which this value fits.
    fn needed_gb(&self, value: u32) -> u32 {
        (value * self.unit_mb * 100 / self.percent).div_ceil(MB_PER_GB)
    }

    /// The largest value that fits on a server with this memory in GB.
    fn fitting(&self, memory_gb: u32) -> u32 {
        memory_gb * MB_PER_GB * self.percent / 100 / self.unit_mb
    }
}

impl Dialogue {
    /// Keeps the ports that the deployment itself serves, such as those of a website and of its certificate, and reports
    /// that if the user asked to close them.
    pub(super) fn keep_its_ports(&mut self) {
        let Some(choice) = self.choice() else { return };
        let Some(open) = choice.parameters().find(|parameter| parameter.key == OPEN_PORTS) else {
            return;
        };
        let own = |list: &str| -> Vec<String> {
            catalogue::listed_ports(list).map(str::to_string).collect()
        };
        let (needed, has) = (own(open.default), own(choice.value(OPEN_PORTS)));
        let closed: Vec<String> =
            needed.iter().filter(|port| !has.contains(port)).cloned().collect();
        if closed.is_empty() {
            return;
        }
        let all = (open.accept)(&[has, needed].concat().join(",")).unwrap_or(open.default.into());
        let how = format!(
            "{} stay open, because the deployment needs them",
            open.default.replace(',', " and ")
        );
        let asked = Asked {
            what: format!("port {} closed", closed.join(" and ")),
            fate: Fate::Differently(how),
        };
        self.limit(open, all, asked, None);
    }

    /// Reports the open ports on which nothing of the deployment listens, such as that of its database: a user who opens
    /// one may expect an answer.
    pub(super) fn report_silent_ports(&mut self) {
        let silent = self.silent_ports();
        let own = |asked: &Asked| asked.fate == Fate::Differently(SILENT.into());
        self.asked.retain(|asked| !own(asked) || silent.contains(&asked.what));
        let fate = || Fate::Differently(SILENT.into());
        self.lack(silent.into_iter().map(|what| Asked { what, fate: fate() }).collect());
    }

    /// The rows for open ports on which nothing of the deployment listens.
    fn silent_ports(&self) -> Vec<String> {
        let Some(choice) = self.choice() else { return Vec::new() };
        let listens = catalogue::listens(choice.blueprint.id);
        let open = choice.parameters().find(|parameter| parameter.key == OPEN_PORTS);
        let (Some(listens), Some(open)) = (listens, open) else { return Vec::new() };
        let usual = |port: &str| catalogue::listed_ports(open.default).any(|own| own == port);
        let silent = catalogue::listed_ports(choice.value(OPEN_PORTS))
            .filter(|port| !usual(port) && !port.parse().is_ok_and(|number| listens.on(number)));
        silent.map(|port| format!("port {port}")).collect()
    }

    /// Chooses a larger server if the requested values do not fit. If the user chose the server, or none is large
    /// enough, reduces the values to what fits and reports that.
    pub(super) fn fit_the_server(&mut self) {
        let Some(choice) = self.choice().filter(|choice| choice.has(SERVER_TYPE)) else { return };
        let loads: Vec<_> =
            LOADS.iter().filter_map(|load| self.wanted_load(load, &choice)).collect();
        let mut needed = self.needed_sizes();
        needed.extend(loads.iter().map(|(load, _, value)| (Kind::Memory, load.needed_gb(*value))));
        let family = self.needed_family();
        let location = choice.value("location");
        let mut kind = choice.value(SERVER_TYPE).to_string();
        // A type that was taken for another location is not the user's.
        if !self.is_named_type(&kind) && !sizes::is_sold(&kind, location) {
            self.values.remove(SERVER_TYPE);
            self.named.remove(SERVER_TYPE);
            kind = self.choice().map_or(kind, |choice| choice.value(SERVER_TYPE).to_string());
        }
        let wanted = self.wanted(SERVER_TYPE).filter(|kind| sizes::is_offered(kind, location));
        let server = choice.parameters().find(|parameter| parameter.key == SERVER_TYPE);
        if let (Some(server), Some(wanted)) = (server, wanted.map(str::to_string)) {
            self.set(server, wanted.clone());
            kind = wanted;
        }
        let offered = sizes::is_offered(&kind, location);
        if needed.is_empty() && family == Family::Any && offered {
            return;
        }
        let all = needed.is_empty();
        if let (false, Some(has)) = (offered, sizes::of(&kind)) {
            needed.extend([Kind::Memory, Kind::Disk].map(|kind| (kind, has.has(kind))));
        }
        let here = sizes::with(&needed, family, location);
        if let (false, Some(server), Some(here)) = (offered, server, here) {
            self.take_here(server, &kind, here, location, all);
            kind = here.into();
        }
        // A type that the model chose for a size gives way to a larger one.
        let fixed = self.named.contains(SERVER_TYPE) && self.is_named_type(&kind);
        let server = server.filter(|_| !fixed && offered);
        let is_small = sizes::of(&kind)
            .is_some_and(|server| needed.iter().any(|(kind, n)| server.has(*kind) < *n));
        let unfit = is_small || !family.has(&kind) && family != Family::Any;
        if let (Some(server), Some(larger), true) = (server, here, unfit) {
            self.set(server, larger.to_string());
            kind = larger.into();
        } else if let (Some(server), false, false) = (server, is_small, self.sizes.is_empty()) {
            // The sizes answer the question about the server type.
            self.set(server, kind.clone());
        }
        let Some(has) = sizes::memory_gb(&kind) else { return };
        for (load, parameter, value) in loads {
            let most = load.fitting(has);
            let fits = value.min(most).to_string();
            if choice.value(load.key) == fits {
                continue;
            }
            if value <= most {
                self.set(parameter, fits);
                continue;
            }
            let how = format!("{fits}, the most for {kind}, which has {has} GB");
            let asked = Asked {
                what: parameter.requirement(&value.to_string()),
                fate: Fate::Differently(how),
            };
            self.limit(parameter, fits, asked, Some(value.to_string()));
        }
    }

    /// Whether the user named the server type, so that it is not one that the model chose for a size or a location.
    pub(super) fn is_named_type(&self, kind: &str) -> bool {
        let said = |words: &Words| words.values().any(|value| value == kind);
        self.limited.contains_key(SERVER_TYPE)
            || self.latest.changed.iter().any(|(changed, _)| changed.key == SERVER_TYPE)
            || self.said.iter().any(|words| said(words))
    }

    /// Takes another server type where the location does not have the present one. A row says so if the user named it.
    fn take_here(
        &mut self,
        server: &'static Parameter,
        kind: &str,
        here: &str,
        location: &str,
        by_default: bool,
    ) {
        if self.named.contains(SERVER_TYPE) {
            let how = format!("{here}, as {location} has no {kind}");
            let asked = Asked { what: server.requirement(kind), fate: Fate::Differently(how) };
            return self.limit(server, here.into(), asked, Some(kind.into()));
        }
        self.set(server, here.into());
        // The user has named neither the type nor a size.
        if by_default {
            self.named.remove(SERVER_TYPE);
            self.latest.changed.retain(|(changed, _)| changed.key != SERVER_TYPE);
        }
    }

    /// The number that the user asked for, and its parameter.
    fn wanted_load<'a>(
        &self,
        load: &'a Load,
        choice: &Choice,
    ) -> Option<(&'a Load, &'static Parameter, u32)> {
        let parameter = choice.parameters().find(|parameter| parameter.key == load.key)?;
        let named = self.named.contains(load.key).then(|| choice.value(load.key));
        let wanted = self.wanted(load.key).or(named)?;
        Some((load, parameter, wanted.parse().ok()?))
    }
}
