use crate::local::{Local, browser, options, soon};
use local_stack::{Functions, Stack};
use reqwest::StatusCode;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A built web application: the landing page, another public page, the application, and a script with a digest in its
/// name.
async fn start() -> Local {
    let data = TempDir::new().unwrap();
    let web = data.path().join("dist");
    std::fs::create_dir_all(web.join("assets")).unwrap();
    for (file, title) in [("index", "Landing"), ("pricing", "Pricing"), ("app", "Application")] {
        let page = format!("<!doctype html><title>{title}</title>");
        std::fs::write(web.join(file).with_extension("html"), page).unwrap();
    }
    std::fs::write(web.join("assets/app-1a2b3c.js"), "export const text = 'words ';".repeat(100))
        .unwrap();
    let mut options = options(data.path());
    options.web = web;
    Local::with_options(data, options, Functions::nothing()).await
}

/// The head of an answer as sent over the network: a client may silently decompress a body and remove its headers.
async fn head(local: &Local, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", local.clients.ports.site)).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    soon(stream.read_to_end(&mut answer)).await.unwrap();
    String::from_utf8_lossy(&answer).split("\r\n\r\n").next().unwrap().to_owned()
}

#[tokio::test]
async fn the_api_is_healthy_once_everything_is_ready() {
    let local = start().await;
    let health = browser().get(local.clients.site("/api/health")).send().await.unwrap();
    assert_eq!(health.status(), StatusCode::OK);
    assert!(health.headers().contains_key("x-amzn-requestid"));
}

#[tokio::test]
async fn public_pages_are_files_and_every_other_address_is_the_application() {
    let local = start().await;
    for (path, title) in [
        ("/", "Landing"),
        ("/index.html", "Landing"),
        ("/pricing", "Pricing"),
        ("/app", "Application"),
        ("/projects/7/execution", "Application"),
        ("/github-success?installation_id=1", "Application"),
    ] {
        let page = browser().get(local.clients.site(path)).send().await.unwrap();
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        assert_eq!(page.headers()["cache-control"], "no-cache");
        assert!(page.text().await.unwrap().contains(title), "{path}");
    }
}

#[tokio::test]
async fn a_page_has_its_security_headers() {
    let local = start().await;
    let page = browser().get(local.clients.site("/pricing")).send().await.unwrap();
    let header = |name: &str| page.headers()[name].to_str().unwrap().to_owned();
    let policy = header("content-security-policy");
    let port = local.clients.ports.site;
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; "), "{policy}");
    assert!(policy.contains(&format!("connect-src 'self' ws://localhost:{port};")), "{policy}");
    let frame = format!("frame-src http://localhost:{port}/_local/github/logout;");
    assert!(policy.contains(&frame), "{policy}");
    assert_eq!(header("cross-origin-opener-policy"), "same-origin");
    assert!(!page.headers().contains_key("strict-transport-security"), "this is plain http");
    // The page loads GitHub's sign-out page in a frame.
    let logout = browser().get(local.clients.site("/_local/github/logout")).send().await.unwrap();
    assert!(!logout.headers().contains_key("x-frame-options"));
}

#[tokio::test]
async fn hashed_files_are_cached_and_compressed_and_missing_ones_are_404() {
    let local = start().await;
    let head = head(&local, "/assets/app-1a2b3c.js").await;
    assert!(head.contains("cache-control: public, max-age=31536000, immutable"), "{head}");
    assert!(head.contains("content-encoding: gzip"), "{head}");
    let missing = browser().get(local.clients.site("/assets/app-old.js")).send().await.unwrap();
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_unknown_call_returns_no_page() {
    let local = start().await;
    let unknown = browser().get(local.clients.site("/api/nothing")).send().await.unwrap();
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
    let body: serde_json::Value = unknown.json().await.unwrap();
    assert_eq!(body["code"], "not_found");
}

#[tokio::test]
async fn a_second_stack_on_the_same_folder_is_refused() {
    let local = start().await;
    let listeners =
        local_stack::Listeners::bind(local_stack::environment::Ports { site: 0, engines: 0 })
            .await
            .unwrap();
    let second =
        Stack::start(&options(local.data.path()), listeners, async |_| Ok(Functions::nothing()))
            .await;
    let error = second.err().unwrap().to_string();
    assert!(error.contains("another stack is using"), "{error}");
}

#[tokio::test]
async fn a_page_of_another_site_cannot_read_the_local_stack_under_its_own_name() {
    let local = start().await;
    let ask = async |path: &str, host: &str| {
        let call = browser().get(local.clients.site(path)).header("host", host);
        call.send().await.unwrap().status()
    };
    for path in ["/", "/api/health", "/_local/mail", "/_local/github/settings/installations"] {
        for host in ["evil.example", "localhost.evil.example", "localhost."] {
            assert_eq!(ask(path, host).await, StatusCode::MISDIRECTED_REQUEST, "{path} as {host}");
        }
        assert_eq!(ask(path, "localhost:3000").await, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn a_page_of_another_site_sends_no_form_to_an_outside_party() {
    let local = start().await;
    let press = async |origin: Option<&str>| {
        let page = "/_local/github/settings/installations/50001/suspend";
        let call = browser().post(local.clients.site(page));
        let call = origin.into_iter().fold(call, |call, origin| call.header("origin", origin));
        call.send().await.unwrap().status()
    };
    for origin in ["https://evil.example", "null", "http://localhost.evil.example", "localhost"] {
        assert_eq!(press(Some(origin)).await, StatusCode::FORBIDDEN, "{origin}");
    }
    for origin in [None, Some("http://localhost:3000"), Some("http://127.0.0.1:3000")] {
        assert_eq!(press(origin).await, StatusCode::NOT_FOUND, "there is no such installation");
    }
}
