//! Our own rules: nothing public that was not asked for, no unpinned versions, no unintended destruction, no secrets in
//! the text.

mod anonymous;
mod applies;
mod asked;
mod barriers;
mod buckets;
mod cloudformation;
mod cluster_subjects;
mod conduct;
mod containers;
mod credentials;
mod destroy;
mod edited_lines;
mod empty_names;
mod endless_loops;
mod exposed;
mod fetched_code;
mod firewalls;
mod given_values;
mod half_networks;
mod ignored_failures;
mod injected;
mod listed_ports;
mod listening;
mod lockout;
mod networks;
mod opened_ports;
mod operator_pages;
mod part_order;
mod pinned;
mod piped_secrets;
mod placeholders;
mod plain_http;
mod plain_secrets;
mod ports;
mod principals;
mod printed_secrets;
mod providers;
mod public_addresses;
mod reading;
mod replaced_groups;
mod secrets;
mod shared_states;
mod tokens;
mod unverified_keys;
mod visible_secrets;
mod weak_settings;
mod wide_rights;
mod world_access;

use crate::Unit;
use domain::gate::Finding;

pub(crate) use applies::applies_plan;

pub(crate) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    ports::examine(unit, findings);
    operator_pages::examine(unit, findings);
    half_networks::examine(unit, findings);
    barriers::examine(unit, findings);
    plain_http::examine(unit, findings);
    unverified_keys::examine(unit, findings);
    containers::examine(unit, findings);
    edited_lines::examine(unit, findings);
    given_values::examine(unit, findings);
    opened_ports::examine(unit, findings);
    firewalls::examine(unit, findings);
    listed_ports::examine(unit, findings);
    listening::examine(unit, findings);
    buckets::examine(unit, findings);
    cloudformation::examine(unit, findings);
    principals::examine(unit, findings);
    cluster_subjects::examine(unit, findings);
    networks::examine(unit, findings);
    pinned::examine(unit, findings);
    fetched_code::examine(unit, findings);
    providers::examine(unit, findings);
    credentials::examine(unit, findings);
    destroy::examine(unit, findings);
    endless_loops::examine(unit, findings);
    anonymous::examine(unit, findings);
    applies::examine(unit, findings);
    secrets::examine(unit, findings);
    plain_secrets::examine(unit, findings);
    piped_secrets::examine(unit, findings);
    shared_states::examine(unit, findings);
    conduct::examine(unit, findings);
    ignored_failures::examine(unit, findings);
    exposed::examine(unit, findings);
    world_access::examine(unit, findings);
    printed_secrets::examine(unit, findings);
    public_addresses::examine(unit, findings);
    reading::examine(unit, findings);
    tokens::examine(unit, findings);
    placeholders::examine(unit, findings);
    visible_secrets::examine(unit, findings);
    weak_settings::examine(unit, findings);
    wide_rights::examine(unit, findings);
    lockout::examine(unit, findings);
    injected::examine(unit, findings);
    empty_names::examine(unit, findings);
    replaced_groups::examine(unit, findings);
    part_order::examine(unit, findings);
}

/// What a script changes, whatever its purpose.
pub(crate) fn changes(unit: &Unit, findings: &mut Vec<Finding>) {
    reading::changes(unit, findings);
}
