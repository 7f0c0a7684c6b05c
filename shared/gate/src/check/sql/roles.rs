//! Finds roles that a script grants although it creates others only: `CREATE ROLE shop_reader` and `GRANT shop_read TO …`.

use crate::check::spelling::nearest;

/// Grants of roles that are almost ones that the same text creates.
pub(super) fn unknown(text: &str) -> Vec<(usize, String)> {
    // `shop_read` for `shop_reader`, but not `shop`
    const END_BYTES: usize = 2;
    let roles: Vec<&str> = text.lines().flat_map(created).collect();
    if roles.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for role in granted(line) {
            let part =
                |name: &&&str| name.starts_with(role) && name.len() <= role.len() + END_BYTES;
            let near = nearest(role, &roles).or_else(|| roles.iter().find(part).copied());
            let near = near.filter(|_| !roles.contains(&role));
            if let Some(near) = near {
                let message = format!(
                    "Nothing here creates the role `{role}`, but something creates `{near}`."
                );
                found.push((at + 1, message));
            }
        }
    }
    found
}

fn bare(name: &str) -> &str {
    let name = name.trim().trim_end_matches(';');
    name.split('@').next().unwrap_or(name).trim_matches(['\'', '"', '`', ' '])
}

/// The roles and users that a line creates.
fn created(line: &str) -> Vec<&str> {
    const UNLESS: &str = "IF NOT EXISTS ";
    let upper = line.to_ascii_uppercase();
    let starts = ["CREATE ROLE ", "CREATE USER ", "CREATE GROUP "];
    let Some(start) = starts.iter().find(|start| upper.trim_start().starts_with(**start)) else {
        return Vec::new();
    };
    let from = line.len() - line.trim_start().len() + start.len();
    let mut rest = &line[from..];
    let begins = rest.get(..UNLESS.len()).is_some_and(|it| it.eq_ignore_ascii_case(UNLESS));
    rest = if begins { &rest[UNLESS.len()..] } else { rest };
    let names = rest.split(',').map(|name| name.trim().split(' ').next().unwrap_or_default());
    names.map(bare).filter(|name| !name.is_empty()).collect()
}

/// The roles that a line grants; rights on something have `ON` after them.
fn granted(line: &str) -> Vec<&str> {
    let upper = line.to_ascii_uppercase();
    let Some(from) = upper.trim_start().strip_prefix("GRANT ").map(|rest| upper.len() - rest.len())
    else {
        return Vec::new();
    };
    let Some(to) = upper.find(" TO ").filter(|to| *to > from && !upper.contains(" ON ")) else {
        return Vec::new();
    };
    let names = line[from..to].split(',').map(bare);
    names.filter(|name| !name.is_empty() && !name.contains([' ', '$', '%', ':', '{'])).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn granted_roles_are_created() {
        let found = |text: &str| super::unknown(text).len();
        let roles = "CREATE ROLE IF NOT EXISTS shop_reader, 'shop_writer'@'%';\n";
        for (text, count) in [
            ("GRANT shop_read TO 'ann'@'%';\n", 1),
            ("GRANT shop_reader, shop_writers TO ann;\n", 1),
            ("GRANT shop_reader, shop_writer TO ann;\n", 0),
            ("GRANT pg_read_all_data TO ann;\n", 0),
            ("GRANT shop TO ann;\n", 0),
            ("GRANT SELECT ON shop.* TO shop_reader;\n", 0),
            ("GRANT :role TO ann;\n", 0),
        ] {
            assert_eq!(found(&format!("{roles}{text}")), count, "{text}");
        }
        assert_eq!(found("GRANT shop_read TO ann;\n"), 0);
    }
}
