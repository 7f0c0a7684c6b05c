//! Lists a function's calls, once for the router and once for the contract.
//!
//! A description of a call is large, and only the contract needs it. Lambda starts functions while users wait, and
//! building the descriptions at each start took longer than everything else. So a list of calls keeps functions that
//! make the descriptions, and calls them only when asked for the contract.

use axum::Router;
use axum::routing::MethodRouter;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// The calls of one path; [`routes!`](crate::routes) makes it.
pub struct Routes<S> {
    path: String,
    methods: MethodRouter<S>,
    described: fn() -> UtoipaMethodRouter<S>,
}

impl<S> Routes<S> {
    /// The path, its handlers, and its description.
    pub fn new(
        path: String,
        methods: MethodRouter<S>,
        described: fn() -> UtoipaMethodRouter<S>,
    ) -> Self {
        Self { path, methods, described }
    }
}

/// The calls of a function.
pub struct Api<S> {
    router: Router<S>,
    described: Vec<fn() -> UtoipaMethodRouter<S>>,
}

impl<S: Clone + Send + Sync + 'static> Api<S> {
    /// An API without calls.
    #[allow(clippy::new_without_default, reason = "an empty list of calls is not a useful default")]
    pub fn new() -> Self {
        Self { router: Router::new(), described: Vec::new() }
    }

    /// Adds the calls of one path.
    #[must_use]
    pub fn routes(mut self, routes: Routes<S>) -> Self {
        self.described.push(routes.described);
        Self { router: self.router.route(&routes.path, routes.methods), ..self }
    }

    /// The router that serves the calls.
    pub fn router(self, state: S) -> Router {
        self.router.with_state(state)
    }

    /// The calls' part of the contract.
    pub fn openapi(self) -> OpenApi {
        let described = self.described.into_iter();
        let api = OpenApiRouter::new();
        described.fold(api, |api, described| api.routes(described())).into_openapi()
    }
}

/// The handlers of one path, each with a `#[utoipa::path]`.
#[macro_export]
macro_rules! routes {
    ($first:path $(, $more:path)* $(,)?) => {{
        use $crate::utoipa_axum::PathItemExt as _;
        let path = $crate::utoipa_axum::paste! {
            $crate::utoipa_axum::routes!(@path [path()] of $first)
        };
        let methods = $crate::MethodRouter::new();
        let methods = $crate::routes!(@on methods: $first);
        $( let methods = $crate::routes!(@on methods: $more); )*
        $crate::Routes::new(path, methods, || $crate::utoipa_axum::routes!($first $(, $more)*))
    }};
    (@on $methods:ident: $handler:path) => {
        $crate::utoipa_axum::paste! {
            $crate::utoipa_axum::routes!(@path [methods()] of $handler)
        }
        .iter()
        .fold($methods, |methods, method| methods.on(method.to_method_filter(), $handler))
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::{Method, Request, StatusCode};
    use tower::ServiceExt;

    mod inner {
        #[utoipa::path(post, path = "/things/{id}", responses((status = 201)))]
        pub async fn make() -> axum::http::StatusCode {
            axum::http::StatusCode::CREATED
        }
    }

    #[utoipa::path(get, path = "/things/{id}", responses((status = 200)))]
    async fn look() -> &'static str {
        "a thing"
    }

    fn api() -> Api<()> {
        Api::new().routes(crate::routes!(look, inner::make))
    }

    #[tokio::test]
    async fn every_call_is_answered_and_described() {
        let ask = async |method: Method, path: &str| {
            let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
            api().router(()).oneshot(request).await.unwrap().status()
        };
        assert_eq!(ask(Method::GET, "/things/1").await, StatusCode::OK);
        assert_eq!(ask(Method::POST, "/things/1").await, StatusCode::CREATED);
        assert_eq!(ask(Method::PUT, "/things/1").await, StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(ask(Method::GET, "/others").await, StatusCode::NOT_FOUND);

        let document = api().openapi();
        let path = &document.paths.paths["/things/{id}"];
        assert!(path.get.is_some() && path.post.is_some() && path.put.is_none());
    }
}
