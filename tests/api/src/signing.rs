//! Calls of AWS's JSON protocols without an SDK, signed as an SDK signs them.

use aws_sdk_dynamodb::config::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4::SigningParams;
use std::time::SystemTime;

/// Signs a call with the local credential.
pub fn signed(engines: &str, service: &str, target: &str, body: String) -> reqwest::RequestBuilder {
    let headers = [("content-type", "application/x-amz-json-1.1"), ("x-amz-target", target)];
    let identity = Credentials::new("local", "local", None, None, "tests").into();
    let params = SigningParams::builder()
        .identity(&identity)
        .region("us-east-1")
        .name(service)
        .time(SystemTime::now())
        .settings(SigningSettings::default())
        .build()
        .unwrap()
        .into();
    let address = format!("{engines}/");
    let bytes = SignableBody::Bytes(body.as_bytes());
    let request = SignableRequest::new("POST", &address, headers.into_iter(), bytes).unwrap();
    let (instructions, _) = sign(request, &params).unwrap().into_parts();
    let call = reqwest::Client::new().post(&address);
    let call = headers.into_iter().fold(call, |call, (name, value)| call.header(name, value));
    let call = instructions.headers().fold(call, |call, (name, value)| call.header(name, value));
    call.body(body)
}
