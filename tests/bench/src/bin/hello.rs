//! The smallest function on the same runtime: `cargo dev bench` compares the functions' start, size and memory with it.

use lambda_runtime::{Error, LambdaEvent, run, service_fn};
use serde_json::Value;

#[tokio::main]
async fn main() -> Result<(), Error> {
    run(service_fn(async |event: LambdaEvent<Value>| Ok::<_, Error>(event.payload))).await
}
