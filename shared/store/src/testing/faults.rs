//! Injects one fault into a series of calls: the caller dies before or after one of them.

use aws_sdk_dynamodb::config::interceptors::{
    BeforeTransmitInterceptorContextMut, FinalizerInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How the caller dies at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// The call never arrives.
    BeforeTheCall,
    /// The call is done, but its answer is lost.
    AfterTheCall,
}

/// Makes one of the calls that its interceptors see fail.
#[derive(Debug)]
pub struct Fault {
    armed: AtomicBool,
    calls: AtomicUsize,
    at: usize,
    death: Death,
    struck: AtomicBool,
}

impl Fault {
    /// A fault at the call with this number, counted from 0 once it is armed.
    pub fn at(call: usize, death: Death) -> Arc<Self> {
        Arc::new(Self {
            armed: AtomicBool::new(false),
            calls: AtomicUsize::new(0),
            at: call,
            death,
            struck: AtomicBool::new(false),
        })
    }

    /// An interceptor for an SDK client without retries.
    pub fn interceptor(self: &Arc<Self>) -> impl Intercept + 'static {
        Breaking(self.clone())
    }

    /// Starts counting calls.
    pub fn arm(&self) {
        self.calls.store(0, Ordering::SeqCst);
        self.armed.store(true, Ordering::SeqCst);
    }

    /// Ends the faults; returns whether this one happened.
    pub fn disarm(&self) -> bool {
        self.armed.store(false, Ordering::SeqCst);
        self.struck.load(Ordering::SeqCst)
    }

    fn strike(&self, death: Death, call: usize) -> Result<(), BoxError> {
        if self.armed.load(Ordering::SeqCst) && death == self.death && call == self.at {
            self.struck.store(true, Ordering::SeqCst);
            return Err("dead".into());
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Breaking(Arc<Fault>);

impl Intercept for Breaking {
    fn name(&self) -> &'static str {
        "one fault"
    }

    fn modify_before_transmit(
        &self,
        _: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.strike(Death::BeforeTheCall, self.0.calls.load(Ordering::SeqCst))
    }

    fn modify_before_completion(
        &self,
        _: &mut FinalizerInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.strike(Death::AfterTheCall, self.0.calls.fetch_add(1, Ordering::SeqCst))
    }
}
