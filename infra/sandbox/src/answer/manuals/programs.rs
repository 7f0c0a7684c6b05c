//! Programs' own help texts.

use std::io;

use protocol::Topic;

use super::{Found, Shelf, TEXT_BYTES, is_installed};

/// The help of a program or of one of its commands.
pub(super) async fn help(shelf: &Shelf, topic: &Topic) -> io::Result<Found> {
    let name = topic.name();
    let Some(call) = topic.call() else {
        return Ok(Found::nothing("The help of this program cannot be shown."));
    };
    if !call.first().is_some_and(|program| is_installed(program)) {
        return Ok(Found::nothing(format!("`{name}` is not installed in this sandbox.")));
    }
    // The words contain no character that is special to bash.
    let ran = shelf.run(&format!("{} 2>&1", call.join(" ")), Vec::new(), TEXT_BYTES).await?;
    Ok(match ran.stdout.trim().is_empty() {
        false => Found::Text(ran.stdout),
        true => Found::nothing(format!("`{name}` prints no help.")),
    })
}
