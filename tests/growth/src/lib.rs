//! Measures how the time of a reader grows with its input. Tests of several crates use it.
//!
//! Untrusted text must not be able to buy much time with few bytes, so each reader is tried with its worst shapes. The
//! tests compare the processor time of one thread within one process, for an input and one that is four times as long:
//! other work on the machine and the speed of the machine do not count.

use std::time::Duration;

/// How much longer a text may take if it is twice as long: a little more than twice, for noise and cache misses.
const TWICE: f64 = 2.6;
/// The longer input has this many times the length of the shorter one.
pub const TIMES: usize = 4;
/// The least time that is measured at once; shorter readings are repeated.
const LEAST: Duration = Duration::from_millis(2);
/// Readings of each length in one round, of which the shortest counts.
const READINGS: usize = 4;
/// A disturbed measurement is made again, up to this many times in all.
const ROUNDS: usize = 12;

/// Processor time that this thread has used.
fn spent() -> Duration {
    // The kernel brings the count up to date when tasks change, and yielding is such a change.
    std::thread::yield_now();
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = counted.split(' ').next().and_then(|time| time.parse().ok());
    assert!(nanoseconds.is_some(), "the kernel counts each thread's time: {counted:?}");
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// The time of so many readings.
fn time<T>(read: &impl Fn(&T), input: &T, times: u32) -> Duration {
    let start = spent();
    for _ in 0..times {
        read(std::hint::black_box(input));
    }
    spent() - start
}

/// Asserts that reading an input of `TIMES * size` takes at most as much longer as is allowed for doubling it twice.
pub fn assert_linear<T>(what: &str, size: usize, make: impl Fn(usize) -> T, read: impl Fn(&T)) {
    let inputs = [make(size), make(size * TIMES)];
    let once = time(&read, &inputs[0], 1).max(Duration::from_nanos(1));
    let times =
        u32::try_from(LEAST.as_nanos().div_ceil(once.as_nanos())).unwrap_or(u32::MAX).min(10_000);
    let mut least = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for _ in 0..READINGS {
            for (least, input) in least.iter_mut().zip(&inputs) {
                *least = (*least).min(time(&read, input, times));
            }
        }
        if grown(least) <= TWICE || only_scans(least[1] / times, size * TIMES) {
            break;
        }
    }
    println!(
        "{what}: {:?} for {size}, {:?} for {}",
        least[0] / times,
        least[1] / times,
        size * TIMES
    );
    let (grown, scans) = (grown(least), only_scans(least[1] / times, size * TIMES));
    assert!(
        grown <= TWICE || scans,
        "{what}: twice the input takes {grown:.2} times as long: {least:?}"
    );
}

/// Whether a reading takes less than a nanosecond for each part of its input. Nothing but a search for a byte is that
/// fast, and its time grows where the input no longer fits into the fastest cache.
fn only_scans(reading: Duration, size: usize) -> bool {
    usize::try_from(reading.as_nanos()).is_ok_and(|nanoseconds| nanoseconds < size)
}

/// By what factor the time grows if the input is doubled.
fn grown([short, long]: [Duration; 2]) -> f64 {
    (long.as_secs_f64() / short.as_secs_f64()).sqrt()
}

/// A piece repeated up to this many bytes.
pub fn repeated(piece: &str, bytes: usize) -> String {
    let mut text = piece.repeat(bytes.div_ceil(piece.len()));
    text.truncate(text.floor_char_boundary(bytes));
    text
}
