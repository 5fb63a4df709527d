//! The built site on a host of its own.
//!
//! This is not the server of `cargo xtask serve`: the site has to work on any static host, so it is
//! tested on another one than ours.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Result;
use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::environment;

/// The strictest security policy under which wasm runs at all.
pub const STRICT_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
                                 style-src 'self'; img-src 'self'; connect-src 'self'";

/// How a host offers the site.
#[derive(Clone, Copy, Default)]
pub struct Hosting {
    /// The folder it stands in, such as `/blog/post`; nothing for the root.
    pub folder: Option<&'static str>,
    /// The content security policy sent with each file.
    pub policy: Option<&'static str>,
}

/// A running host, stopped when dropped.
pub struct Site {
    address: SocketAddr,
    folder: &'static str,
    server: JoinHandle<()>,
}

impl Site {
    /// Starts a host on a free port.
    ///
    /// # Errors
    /// When there is no built site, or no port to listen on.
    pub async fn start(hosting: Hosting) -> Result<Site> {
        let files = ServeDir::new(environment::dist()?);
        let mut router = match hosting.folder {
            None => Router::new().fallback_service(files),
            Some(folder) => Router::new().nest_service(folder, files),
        };
        if let Some(policy) = hosting.policy {
            let value = HeaderValue::from_static(policy);
            router = router.layer(SetResponseHeaderLayer::overriding(CONTENT_SECURITY_POLICY, value));
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let server = tokio::spawn(async move {
            axum::serve(listener, router).await.expect("a host of files runs until it is stopped");
        });
        Ok(Site { address, folder: hosting.folder.unwrap_or_default(), server })
    }

    /// The address of a file of the site, such as `index.html`; an empty name is the front page.
    pub fn url(&self, file: &str) -> String {
        format!("http://{}{}/{file}", self.address, self.folder)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}
