//! What the commands of a list may do, wherever they stand in it.

use super::Reader;
use super::commands::fails;
use crate::bash::Command;
use crate::bash::tree::{List, Node};

impl Reader<'_> {
    /// Whether `break` leaves a loop as soon as something is right.
    pub(super) fn breaks_off(&self, list: &List) -> bool {
        self.any(list, &|command| command.program() == Some("break"))
    }

    /// Whether anything in a list ends the script with a failure.
    pub(super) fn may_fail(&self, list: &List) -> bool {
        self.any(list, &|command| fails(command) || self.is_failing_function(command))
    }

    fn any(&self, list: &List, wanted: &dyn Fn(&Command) -> bool) -> bool {
        list.0.iter().any(|chain| {
            let rest = chain.rest.iter().map(|(_, part)| part);
            let mut nodes = std::iter::once(&chain.first).chain(rest).flat_map(|part| &part.parts);
            nodes.any(|node| match node {
                Node::Simple(_) => self.command(node).is_some_and(wanted),
                Node::If { branches, otherwise } => {
                    let mut bodies = branches.iter().map(|(_, body)| body).chain(otherwise);
                    bodies.any(|body| self.any(body, wanted))
                }
                Node::Case(arms) => arms.iter().any(|arm| self.any(arm, wanted)),
                Node::Group(list) | Node::Subshell(list) => self.any(list, wanted),
                _ => false,
            })
        })
    }
}
