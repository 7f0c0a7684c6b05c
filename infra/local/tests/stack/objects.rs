use crate::local::{Local, browser};
use aws_sdk_s3::presigning::PresigningConfig;
use std::time::Duration;

fn presigning() -> PresigningConfig {
    PresigningConfig::expires_in(Duration::from_secs(60)).unwrap()
}

#[tokio::test]
async fn an_object_travels_by_presigned_addresses() {
    let local = Local::start().await;
    let s3 = local.clients.s3();
    let put = s3
        .put_object()
        .bucket("groundcrew")
        .key("backups/1/workspace.zip")
        .presigned(presigning())
        .await
        .unwrap();
    let content = vec![7u8; 300_000];
    let stored = browser().put(put.uri()).body(content.clone()).send().await.unwrap();
    assert_eq!(stored.status(), 200);
    let get = s3
        .get_object()
        .bucket("groundcrew")
        .key("backups/1/workspace.zip")
        .presigned(presigning())
        .await
        .unwrap();
    let fetched = browser().get(get.uri()).send().await.unwrap();
    assert_eq!(fetched.status(), 200);
    assert_eq!(fetched.bytes().await.unwrap(), content);
}

#[tokio::test]
async fn a_presigned_address_is_valid_only_for_its_object() {
    let local = Local::start().await;
    let s3 = local.clients.s3();
    let get = s3
        .get_object()
        .bucket("groundcrew")
        .key("backups/1")
        .presigned(presigning())
        .await
        .unwrap();
    let other = get.uri().replace("backups/1", "backups/2");
    assert_eq!(browser().get(other).send().await.unwrap().status(), 403);
    let unsigned = format!("{}/groundcrew/backups/1", local.clients.engines());
    assert_eq!(browser().get(unsigned).send().await.unwrap().status(), 403);
}

#[tokio::test]
async fn the_sdk_stores_and_reads_objects() {
    let local = Local::start().await;
    let s3 = local.clients.s3();
    let body = aws_sdk_s3::primitives::ByteStream::from_static(b"output");
    s3.put_object()
        .bucket("groundcrew")
        .key("runs/1")
        .content_type("text/plain")
        .body(body)
        .send()
        .await
        .unwrap();
    let read = s3.get_object().bucket("groundcrew").key("runs/1").send().await.unwrap();
    assert_eq!(read.content_type(), Some("text/plain"));
    assert_eq!(read.body.collect().await.unwrap().into_bytes(), "output");
    let missing = s3.get_object().bucket("groundcrew").key("runs/2").send().await.unwrap_err();
    assert!(missing.into_service_error().is_no_such_key());
}
