//! Our own rules: nothing public that was not asked for, no unpinned versions, no unintended destruction, no secrets in
//! the text.

mod anonymous;
mod applies;
mod asked;
mod barriers;
mod buckets;
mod cloudformation;
mod conduct;
mod containers;
mod credentials;
mod destroy;
mod edited;
mod endless;
mod exposed;
mod fetched;
mod firewalls;
mod given;
mod halves;
mod hidden;
mod ignored;
mod listed;
mod listening;
mod literals;
mod lockout;
mod networks;
mod opened;
mod order;
mod pinned;
mod piped;
mod plain;
mod ports;
mod principals;
mod providers;
mod reachable;
mod reading;
mod secrets;
mod states;
mod strangers;
mod subjects;
mod telling;
mod tokens;
mod trust;
mod unfilled;
mod visible;
mod weak;
mod wide;

use crate::Unit;
use domain::gate::Finding;

pub(crate) use applies::applies_plan;

pub(crate) fn examine(unit: &Unit, findings: &mut Vec<Finding>) {
    ports::examine(unit, findings);
    hidden::examine(unit, findings);
    halves::examine(unit, findings);
    barriers::examine(unit, findings);
    plain::examine(unit, findings);
    strangers::examine(unit, findings);
    containers::examine(unit, findings);
    edited::examine(unit, findings);
    given::examine(unit, findings);
    opened::examine(unit, findings);
    firewalls::examine(unit, findings);
    listed::examine(unit, findings);
    listening::examine(unit, findings);
    buckets::examine(unit, findings);
    cloudformation::examine(unit, findings);
    principals::examine(unit, findings);
    subjects::examine(unit, findings);
    networks::examine(unit, findings);
    pinned::examine(unit, findings);
    fetched::examine(unit, findings);
    providers::examine(unit, findings);
    credentials::examine(unit, findings);
    destroy::examine(unit, findings);
    endless::examine(unit, findings);
    anonymous::examine(unit, findings);
    applies::examine(unit, findings);
    secrets::examine(unit, findings);
    literals::examine(unit, findings);
    piped::examine(unit, findings);
    states::examine(unit, findings);
    conduct::examine(unit, findings);
    ignored::examine(unit, findings);
    exposed::examine(unit, findings);
    trust::examine(unit, findings);
    telling::examine(unit, findings);
    reachable::examine(unit, findings);
    reading::examine(unit, findings);
    tokens::examine(unit, findings);
    unfilled::examine(unit, findings);
    visible::examine(unit, findings);
    weak::examine(unit, findings);
    wide::examine(unit, findings);
    lockout::examine(unit, findings);
    order::examine(unit, findings);
}

/// What a script changes, whatever its purpose.
pub(crate) fn changes(unit: &Unit, findings: &mut Vec<Finding>) {
    reading::changes(unit, findings);
}
