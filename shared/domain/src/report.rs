//! Formats errors for operators.

use std::error::Error;
use std::fmt;

/// An error and its causes on one line; the SDK's own message is at the end of the chain.
pub struct Chain<'a>(pub &'a (dyn Error + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = self.0.to_string();
        f.write_str(&said)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            // A transparent error repeats its source's message.
            let words = error.to_string();
            if words != said {
                write!(f, ": {words}")?;
            }
            said = words;
            cause = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the call failed")]
    struct Outer(#[source] Middle);

    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    struct Middle(#[from] Inner);

    #[derive(Debug, thiserror::Error)]
    #[error("access denied")]
    struct Inner;

    #[test]
    fn every_cause_is_reported_once() {
        assert_eq!(Chain(&Outer(Middle(Inner))).to_string(), "the call failed: access denied");
    }
}
