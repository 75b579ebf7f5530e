//! The TLS side of the test server.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::serve::Listener;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// A file of `tests/fixtures/tls`; `make.sh` there says what each is.
pub(crate) fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tls").join(name)
}

/// Takes connections that begin with a TLS handshake; one that does not is dropped.
pub(crate) struct SecureListener {
    listener: TcpListener,
    acceptor: TlsAcceptor,
}

impl SecureListener {
    /// Shows this certificate, such as `server.pem`.
    pub(crate) fn new(listener: TcpListener, certificate: &str) -> Self {
        let read = |name: &str| fs::read(self::certificate(name)).expect("the fixture is committed");
        let chain = CertificateDer::pem_slice_iter(&read(certificate))
            .collect::<Result<_, _>>()
            .expect("the fixture is in PEM form");
        let key = PrivateKeyDer::from_pem_slice(&read("server.key")).expect("the fixture is in PEM form");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let settings = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring speaks them")
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .expect("the key is the certificate's");
        Self { listener, acceptor: TlsAcceptor::from(Arc::new(settings)) }
    }
}

impl Listener for SecureListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        loop {
            let Ok((stream, address)) = self.listener.accept().await else { continue };
            if let Ok(stream) = self.acceptor.accept(stream).await {
                return (stream, address);
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}
