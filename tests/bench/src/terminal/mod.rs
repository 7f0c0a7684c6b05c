//! The terminal compared with terminado: the echo of a key, a flood of output, and interrupting a flood.

mod peer;
mod wire;

use crate::Bench;
use crate::figure::{Figure, Unit};
use crate::report::Report;
use crate::samples::Samples;
use api_tests::World;
use peer::Terminado;
use std::fmt::Write;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use wire::Wire;

/// Keys in a round.
const KEYS: usize = 200;
/// The time between two keys: a quick typist.
const BETWEEN_KEYS: Duration = Duration::from_millis(20);
/// Interrupted floods in a round.
const INTERRUPTS: usize = 10;
/// How much a flood has printed before it is interrupted, in bytes.
const WARM_BYTES: usize = 2_000_000;
/// How long the page stops drawing.
const STILL: Duration = Duration::from_millis(900);
/// The prompt, typed in a form whose echo cannot be mistaken for it.
const PROMPT: (&str, &str) = ("PS1='<re''ady>'", "<ready>");
const NAME: &str = "terminado";

/// The measurements of one side in all rounds.
#[derive(Default)]
struct Side {
    echo: Vec<Samples>,
    /// Megabytes per second, and how many floods arrived damaged.
    rate: Vec<f64>,
    wrong: f64,
    interrupt: Vec<Samples>,
    /// Kilobytes that arrived after the page stopped drawing.
    queued: Vec<f64>,
}

/// Measures both, round by round.
pub async fn measure(bench: &Bench, report: &mut Report) {
    let World { owner, app: _app, .. } = World::start().await;
    let project = owner.project("bench").await;
    project.sandbox_is_up().await;
    let mut terminal = project.terminal().await;
    terminal.attach().await;
    let mut ours = Wire::of(terminal);
    ours.prepare().await;
    let peer = match Terminado::start().await {
        Ok(peer) => Some(peer),
        Err(why) => {
            report.skip("terminado", &why);
            None
        }
    };
    let (mut our_side, mut their_side) = (Side::default(), None);
    let mut theirs = match &peer {
        Some(peer) => {
            let mut wire = peer.open().await;
            wire.prepare().await;
            their_side = Some(Side::default());
            Some(wire)
        }
        None => None,
    };
    let mut undrawn = Vec::new();
    for _ in 0..bench.rounds {
        our_side.round(&mut ours, bench.megabytes).await;
        undrawn.push(beyond_drawn(&mut ours).await);
        if let (Some(wire), Some(side)) = (&mut theirs, &mut their_side) {
            side.round(wire, bench.megabytes).await;
        }
    }
    let undrawn =
        Figure::new("terminal: sent to a page that stops drawing", Unit::Kilobytes, undrawn);
    let ours = our_side.figures(bench.megabytes);
    let theirs = their_side.map(|side| side.figures(bench.megabytes));
    let mut theirs = theirs.map(IntoIterator::into_iter);
    for figure in ours {
        let peer = theirs.as_mut().and_then(Iterator::next);
        report.add(figure.beside(NAME, peer));
    }
    report.add(undrawn.at_most(500.0));
}

impl Side {
    async fn round(&mut self, wire: &mut Wire, megabytes: usize) {
        self.echo.push(echo(wire).await);
        let (rate, exact) = flood(wire, megabytes * 1_000_000).await;
        self.rate.push(rate);
        self.wrong += f64::from(u8::from(!exact));
        let (took, queued) = interrupts(wire).await;
        self.interrupt.push(took);
        self.queued.push(queued);
    }

    fn figures(self, megabytes: usize) -> [Figure; 7] {
        let flood = format!("terminal: {megabytes} MB");
        let ctrl_c = "terminal: Ctrl-C in a flood to prompt";
        [
            Figure::quantile("terminal: key to echo, p50", 0.5, &self.echo).at_most(3.0),
            Figure::quantile("terminal: key to echo, p99", 0.99, &self.echo).at_most(10.0),
            Figure::new(flood.clone(), Unit::MegabytesPerSecond, self.rate).at_least(5.0),
            Figure::new(
                format!("{flood}, floods with a wrong byte"),
                Unit::Count,
                vec![self.wrong],
            )
            .at_most(0.0),
            Figure::quantile(format!("{ctrl_c}, p50"), 0.5, &self.interrupt),
            Figure::quantile(format!("{ctrl_c}, slowest"), 1.0, &self.interrupt).at_most(100.0),
            Figure::new("terminal: output after Ctrl-C, most", Unit::Kilobytes, self.queued)
                .at_most(500.0),
        ]
    }
}

/// The time from sending a key to its echo, after a silence.
async fn echo(wire: &mut Wire) -> Samples {
    let mut taken = Vec::new();
    wire.types("cat\r").await;
    wire.shows("cat\r\n").await;
    for number in 0..KEYS {
        sleep(BETWEEN_KEYS).await;
        let key = char::from(b'a' + u8::try_from(number % 26).unwrap());
        let begin = Instant::now();
        wire.types(&key.to_string()).await;
        wire.shows(&key.to_string()).await;
        taken.push(begin.elapsed());
    }
    wire.types("\u{3}").await;
    wire.shows(PROMPT.1).await;
    Samples::of(taken)
}

/// Prints this many bytes of numbers; returns megabytes per second, and whether they arrived as printed.
async fn flood(wire: &mut Wire, bytes: usize) -> (f64, bool) {
    let command = format!(
        "stty -onlcr; printf '<%s>' begin; seq 1 99999999 | head -c {bytes}; printf '<%s>' end; stty onlcr\r"
    );
    let begin = Instant::now();
    wire.types(&command).await;
    wire.shows("<begin>").await;
    let mut numbers = Numbers::default();
    let (mut left, mut exact) = (bytes, true);
    loop {
        let text = wire.take();
        let part = text.len().min(left);
        exact &= numbers.begin_with(&text.as_bytes()[..part]);
        left -= part;
        if left == 0 {
            wire.put_back(&text[part..]);
            break;
        }
        wire.reads().await;
    }
    wire.shows("<end>").await;
    let took = begin.elapsed().as_secs_f64();
    wire.shows(PROMPT.1).await;
    #[allow(clippy::cast_precision_loss, reason = "a size in megabytes")]
    let megabytes = bytes as f64 / 1e6;
    (megabytes / took, exact)
}

/// The output of `seq`.
#[derive(Default)]
struct Numbers {
    last: u64,
    ready: String,
}

impl Numbers {
    /// Whether the stream continues with this text; removes it.
    fn begin_with(&mut self, bytes: &[u8]) -> bool {
        while self.ready.len() < bytes.len() {
            self.last += 1;
            let _ = writeln!(self.ready, "{}", self.last);
        }
        let rest = self.ready.split_off(bytes.len());
        std::mem::replace(&mut self.ready, rest).as_bytes() == bytes
    }
}

/// The time from Ctrl-C in a flood to the prompt, and the most kilobytes that arrived in between.
async fn interrupts(wire: &mut Wire) -> (Samples, f64) {
    let (mut taken, mut most) = (Vec::new(), 0);
    for _ in 0..INTERRUPTS {
        flow(wire).await;
        let begin = Instant::now();
        wire.types("\u{3}").await;
        let came = wire.shows(PROMPT.1).await;
        taken.push(begin.elapsed());
        most = most.max(came);
    }
    (Samples::of(taken), kilobytes(most))
}

/// Starts a flood and reads the first of it.
async fn flow(wire: &mut Wire) {
    wire.types("yes 0123456789\r").await;
    let mut seen = 0;
    while seen < WARM_BYTES {
        wire.reads().await;
        seen += wire.take().len();
    }
}

/// How many kilobytes a flood still sends to a page that has stopped drawing.
async fn beyond_drawn(wire: &mut Wire) -> f64 {
    flow(wire).await;
    let mut came = 0;
    let still = Instant::now();
    while let Some(left) = STILL.checked_sub(still.elapsed()) {
        match timeout(left, wire.reads_without_drawing()).await {
            Ok(bytes) => came += bytes,
            Err(_) => break,
        }
    }
    wire.draws_again().await;
    wire.types("\u{3}").await;
    wire.shows(PROMPT.1).await;
    kilobytes(came)
}

#[allow(clippy::cast_precision_loss, reason = "a size in kilobytes")]
fn kilobytes(bytes: usize) -> f64 {
    bytes as f64 / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_match_seq_and_a_wrong_byte_is_noticed() {
        let mut numbers = Numbers::default();
        assert!(numbers.begin_with(b"1\n2\n3") && numbers.begin_with(b"\n4\n5\n6\n7\n8\n9\n10\n1"));
        assert!(!numbers.begin_with(b"1\n13\n"));
    }
}
