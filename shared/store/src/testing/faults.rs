//! One fault in a story of calls: whoever makes them dies before one of them, or after it.

use aws_sdk_dynamodb::config::interceptors::{
    BeforeTransmitInterceptorContextMut, FinalizerInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How somebody dies at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// It never arrives.
    BeforeTheCall,
    /// It is done, and its answer is lost.
    AfterTheCall,
}

/// Lets one call fail, of all that its interceptors see.
#[derive(Debug)]
pub struct Fault {
    armed: AtomicBool,
    calls: AtomicUsize,
    at: usize,
    death: Death,
    struck: AtomicBool,
}

impl Fault {
    /// One at the call of this number, from 0, once it is armed.
    pub fn at(call: usize, death: Death) -> Arc<Self> {
        Arc::new(Self {
            armed: AtomicBool::new(false),
            calls: AtomicUsize::new(0),
            at: call,
            death,
            struck: AtomicBool::new(false),
        })
    }

    /// What a client of the SDK is given, beside no retries of its own.
    pub fn interceptor(self: &Arc<Self>) -> impl Intercept + 'static {
        Breaking(self.clone())
    }

    /// Calls are counted from here on.
    pub fn arm(&self) {
        self.calls.store(0, Ordering::SeqCst);
        self.armed.store(true, Ordering::SeqCst);
    }

    /// Everything is well from here on; whether the fault came about.
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
