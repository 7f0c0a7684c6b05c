//! The inputs and outputs of the modules of `terraform-aws-modules` in the public registry, from `registry.txt`.
//!
//! A line names a module, the major versions that it holds for, the module's inputs and, after `>`, its outputs. The
//! table was read from the modules' own files in August 2026 and has the names of all versions between the two.

use crate::hcl::attribute;
use hcl_edit::structure::Block;

const TABLE: &str = include_str!("registry.txt");

/// What a module of the registry takes and gives.
pub(super) struct Interface {
    pub(super) inputs: Vec<&'static str>,
    pub(super) outputs: Vec<&'static str>,
}

/// The interface of the module that a block calls; `None` if the table does not have it in this version.
pub(super) fn interface(block: &Block) -> Option<Interface> {
    let source = attribute(&block.body, "source")?;
    let source = source.trim_matches('"').trim_start_matches("registry.terraform.io/");
    let (name, inner) = source.strip_prefix("terraform-aws-modules/")?.split_once("/aws")?;
    let version = attribute(&block.body, "version")?;
    let version = version.trim_matches('"');
    // `>= 5` may be any later version.
    let digits = version.trim_start_matches(['~', '>', '=', ' ', 'v']);
    let major: u32 = digits.split('.').next()?.trim().parse().ok()?;
    if version.starts_with(">") {
        return None;
    }
    let inner = inner.strip_prefix("//modules/");
    let names = match inner {
        Some(inner) => vec![format!("{name}//{inner}"), format!("{name}//*")],
        None => vec![name.to_owned()],
    };
    TABLE.lines().find_map(|line| {
        let (head, rest) = line.split_once(": ")?;
        let (module, versions) = head.split_once(' ')?;
        let (oldest, newest) = versions.split_once('-')?;
        let number = |text: &str| text.parse::<u32>().ok();
        let holds = number(oldest)? <= major && major <= number(newest)?;
        let own = names.iter().any(|name| name == module) && holds;
        let (inputs, outputs) = rest.split_once('>')?;
        let words = |text: &'static str| text.split_whitespace().collect();
        own.then(|| Interface { inputs: words(inputs), outputs: words(outputs) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_known_in_its_versions() {
        let inputs = |text: &str| {
            let body = hcl_edit::parser::parse_body(text).unwrap();
            let block = body.blocks().next().unwrap();
            interface(block).map(|module| module.inputs)
        };
        let vpc = "module \"a\" {\n  source = \"terraform-aws-modules/vpc/aws\"\n  version = \"VERSION\"\n}\n";
        let of = |version: &str| inputs(&vpc.replace("VERSION", version));
        assert!(of("~> 5.0").unwrap().contains(&"azs"));
        assert!(of("= 5.17.0").unwrap().contains(&"enable_nat_gateway"));
        assert!(of(">= 5.0").is_none() && of("99.0.0").is_none());
        let ssh = vpc.replace("vpc/aws", "security-group/aws//modules/ssh");
        let ssh = inputs(&ssh.replace("VERSION", "5.2.0")).unwrap();
        assert!(ssh.contains(&"ingress_cidr_blocks"));
    }

    #[test]
    fn every_line_of_the_table_is_a_module() {
        for line in TABLE.lines() {
            let (head, rest) = line.split_once(": ").unwrap();
            assert!(head.split_once(' ').is_some_and(|(_, majors)| majors.contains('-')), "{line}");
            assert!(rest.contains('>'), "{line}");
        }
    }
}
