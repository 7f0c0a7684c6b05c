//! The versions that the catalogue installs, from one file that states until when each is supported.
//!
//! Templates write `@version_mysql@` for 8.4.9 and `@series_mysql@` for 8.4. From the day on which a version is no
//! longer supported, a test fails and names the source where to find the next one.

use std::sync::LazyLock;

use serde::Deserialize;

use super::described::Text;
use super::folder;

/// The contents of `versions.json`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Versions {
    /// The day on which all of them were last checked.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "it tells maintainers how old the versions are")
    )]
    looked_up: String,
    components: Vec<Component>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "dates and sources are for the test"))]
struct Component {
    name: Text,
    /// Other names of components with the same version.
    #[serde(default)]
    also: Vec<Text>,
    label: String,
    /// The part of the version that stays the same across patch releases.
    series: Text,
    version: Text,
    /// The first day on which it is no longer supported, or on which to check again.
    until: String,
    because: String,
    source: String,
}

static VERSIONS: LazyLock<Versions> =
    LazyLock::new(|| serde_json::from_str(folder::text("versions.json")).unwrap_or_default());

/// The series of a component, by the name that users give it.
pub fn series(name: &str) -> Option<&'static str> {
    let named = |component: &&Component| {
        component.name.0 == name || component.also.iter().any(|also| also.0 == name)
    };
    VERSIONS.components.iter().find(named).map(|component| component.series.0)
}

/// A component with its version as people write it: “PostgreSQL 17” for “postgres 17”.
pub fn labeled(text: &str) -> Option<String> {
    let (name, version) = text.split_once(' ')?;
    let number = version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ');
    let component = VERSIONS.components.iter().find(|component| {
        component.name.0 == name || component.also.iter().any(|also| also.0 == name)
    });
    // The names of the Elastic Stack's parts are their own.
    let label = component.map(|component| component.label.as_str()).filter(|_| number)?;
    (!label.contains(' ')).then(|| format!("{label} {version}"))
}

/// `version_mysql` and `series_mysql`, for every component.
pub fn placeholders() -> impl Iterator<Item = (String, String)> {
    VERSIONS.components.iter().flat_map(|component| {
        let name = component.name.0.replace('-', "_");
        [
            (format!("version_{name}"), component.version.0.to_string()),
            (format!("series_{name}"), component.series.0.to_string()),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Components that are no longer supported on a day, each described for a person.
    fn over(day: &str) -> Vec<String> {
        let over = VERSIONS.components.iter().filter(|component| component.until.as_str() <= day);
        let text = |c: &Component| {
            format!("{} {}: {} ({}); see {}", c.label, c.version.0, c.because, c.until, c.source)
        };
        over.map(text).collect()
    }

    fn today() -> String {
        let said = std::process::Command::new("date").args(["-u", "+%F"]).output().unwrap();
        String::from_utf8(said.stdout).unwrap().trim().to_string()
    }

    #[test]
    fn every_version_is_supported_today() {
        let over = over(&today());
        assert!(over.is_empty(), "raise these in catalogue/versions.json:\n{}", over.join("\n"));
    }

    #[test]
    fn a_version_is_unsupported_from_its_end_date_on() {
        assert!(over("2027-07-14").iter().all(|text| !text.starts_with("Elastic Stack")));
        assert!(over("2027-07-15").iter().any(|text| text.starts_with("Elastic Stack")));
    }

    #[test]
    fn every_entry_is_complete_and_dated() {
        let versions: Versions = serde_json::from_str(folder::text("versions.json")).unwrap();
        let dated = |day: &str| {
            let parts: Vec<&str> = day.split('-').collect();
            let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
            lengths == [4, 2, 2] && parts.iter().all(|part| part.parse::<u32>().is_ok())
        };
        assert!(dated(&versions.looked_up) && versions.looked_up <= today());
        for component in versions.components {
            assert!(dated(&component.until), "{component:?}");
            assert!(component.source.starts_with("https://"), "{component:?}");
            let (series, version) = (component.series.0, component.version.0);
            assert!(version == series || version.starts_with(&format!("{series}.")), "{version}");
        }
    }

    #[test]
    fn database_deployments_name_the_version_series_of_the_file() {
        for (id, label, name) in
            [("vps-mysql", "MySQL", "mysql"), ("vps-postgresql", "PostgreSQL", "postgresql")]
        {
            let blueprint = crate::catalogue::Blueprint::by_id(id).unwrap();
            let named = format!("{label} {}", series(name).unwrap());
            assert!(
                blueprint.detail.contains(&named) && blueprint.welcome.contains(&named),
                "{id}"
            );
        }
    }

    #[test]
    fn every_provider_takes_its_version_from_the_file() {
        let known: Vec<String> = placeholders().map(|(key, _)| format!("@{key}@")).collect();
        let mut providers = 0;
        for (path, text) in folder::all().filter(|(path, _)| path.ends_with(".tf")) {
            let Some((_, required)) = text.split_once("required_providers {") else { continue };
            let block = required.split("\n  }\n").next().unwrap_or_default();
            let sources = block.lines().filter(|line| line.trim().starts_with("source ")).count();
            let versions = block.lines().filter(|line| line.trim().starts_with("version "));
            let taken = versions.filter(|line| known.iter().any(|version| line.contains(version)));
            assert_eq!(taken.count(), sources, "{path}: {block}");
            providers += sources;
        }
        assert!(providers > 2, "{providers}");
    }

    #[test]
    fn every_image_takes_its_version_from_the_file() {
        let known: Vec<String> = placeholders().map(|(key, _)| format!("@{key}@")).collect();
        let mut images = 0;
        for (path, text) in folder::all() {
            for image in text.lines().filter_map(|line| line.trim().strip_prefix("image: ")) {
                images += 1;
                assert!(known.iter().any(|version| image.contains(version)), "{path}: {image}");
            }
        }
        assert!(images > 5, "{images}");
    }
}
