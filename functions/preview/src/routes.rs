//! Handles a request on a preview's host.

use crate::App;
use crate::answer::{answer, guard};
use crate::pages::Missing;
use crate::request::headers;
use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::header::{HOST, LOCATION, UPGRADE};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use domain::Scope;
use domain::preview::{
    ENTRANCE, Preview, PreviewRequest, PreviewSite, REQUEST_BYTES, REQUESTS_PER_PROJECT,
};
use domain::report::Chain;
use domain::secret_token::SecretToken;
use domain::security::{About, SecurityEvent, record};
use http_kit::HeldPlace;
use std::time::Duration;
use store::StoreError;
use store::places::Whose;

/// The methods that are passed on.
const METHODS: [Method; 7] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// The longest that a request takes: then Lambda ends the function.
const LONGEST: Duration = Duration::from_secs(29);

/// The function's router: it answers every request of every host below the previews'.
pub fn routes(app: App) -> Router {
    Router::new().fallback(serve).with_state(app)
}

async fn serve(State(app): State<App>, request: Request) -> Response {
    guard(app.serve(request).await.unwrap_or_else(IntoResponse::into_response))
}

impl App {
    async fn serve(&self, request: Request) -> Result<Response, Missing> {
        let site = self.site.as_ref().ok_or(Missing::Ended)?;
        let host = host(request.headers(), request.uri()).to_owned();
        let name = site.name(&host).ok_or(Missing::Ended)?;
        if name == ENTRANCE {
            let (head, _) = request.into_parts();
            return self.enter(site, head.method, head.uri.path()).await;
        }
        let preview = self.opened_by(&SecretToken::presented(name)).await?;
        let own = site.of(name, "");
        self.pass_on(&preview, &own, request).await
    }

    /// Exchanges a ticket for a name.
    async fn enter(
        &self,
        site: &PreviewSite,
        method: Method,
        path: &str,
    ) -> Result<Response, Missing> {
        // Some programs check a link with HEAD before they open it.
        if method != Method::GET {
            return Err(Missing::Method);
        }
        let ticket = SecretToken::presented(path.trim_matches('/'));
        let preview = self.previews.redeem(&ticket).await.map_err(broken)?;
        let preview = self.while_signed_in(preview).await?.ok_or_else(|| {
            record(SecurityEvent::Refused, About::default(), "status=404 preview ticket");
            Missing::Spent
        })?;
        let name = self.previews.open(&preview).await.map_err(broken)?;
        let address = site.of(name.expose(), "/");
        Ok((StatusCode::SEE_OTHER, [(LOCATION, address)]).into_response())
    }

    async fn opened_by(&self, name: &SecretToken) -> Result<Preview, Missing> {
        let preview = self.previews.find(name).await.map_err(broken)?;
        self.while_signed_in(preview).await?.ok_or(Missing::Ended)
    }

    /// The preview, if the session that opened it is still open.
    async fn while_signed_in(&self, preview: Option<Preview>) -> Result<Option<Preview>, Missing> {
        let Some(preview) = preview else { return Ok(None) };
        let open = self.sessions.is_open(&preview.session).await.map_err(broken)?;
        Ok(open.then_some(preview))
    }

    async fn pass_on(
        &self,
        preview: &Preview,
        own: &str,
        request: Request,
    ) -> Result<Response, Missing> {
        let (head, body) = request.into_parts();
        if !METHODS.contains(&head.method) {
            return Err(Missing::Method);
        }
        if head.headers.contains_key(UPGRADE) {
            return Err(Missing::Socket);
        }
        let asked = PreviewRequest {
            port: preview.port,
            method: head.method.as_str().to_owned(),
            path: head.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
            headers: headers(&head.headers, own, preview.port),
        };
        let body = to_bytes(body, REQUEST_BYTES).await.map_err(|_| Missing::RequestTooLarge)?;
        let place = self.place(preview.scope).await?;
        let served = self.previewing.fetch(preview.scope, asked, body.to_vec()).await;
        place.give_back().await;
        let served = served.map_err(|error| {
            let missing = Missing::from(&error);
            if missing == Missing::Broken {
                tracing::error!(error = %Chain(&error), scope = %preview.scope, "a preview failed");
            }
            missing
        })?;
        answer(served, preview.port).ok_or(Missing::Failed(domain::preview::PreviewFailure::Broken))
    }
}

impl App {
    /// A place for a request, or an error page if all of the project's are taken.
    async fn place(&self, scope: Scope) -> Result<HeldPlace, Missing> {
        let whose = Whose::Previews(scope);
        let place = HeldPlace::take(&self.places, whose, REQUESTS_PER_PROJECT, LONGEST).await;
        place.map_err(broken)?.ok_or(Missing::Crowded)
    }
}

/// The host that a browser names, in the header or in the address of HTTP/2.
fn host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> &'a str {
    let named = headers.get(HOST).and_then(|host| host.to_str().ok());
    named.or_else(|| uri.host()).unwrap_or_default()
}

fn broken(error: StoreError) -> Missing {
    tracing::error!(error = %Chain(&error), "a preview could not be looked up");
    Missing::Broken
}
