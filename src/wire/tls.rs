//! TLS by rustls with ring. Roots are loaded only for https, and the system's only where none were given:
//! loading them costs more than a whole request over http (performance, section 7).

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use super::address::Address;
use super::error::WireError;

/// The TLS settings for a server; `ca` is PEM text that replaces the system's roots.
pub(super) fn settings(address: &Address, ca: Option<&[u8]>) -> Result<ClientConfig, WireError> {
    let bad = |reason: String| WireError::BadCertificates { reason };
    let mut roots = RootCertStore::empty();
    if let Some(pem) = ca {
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|error| bad(error.to_string()))?;
            roots.add(certificate).map_err(|error| bad(error.to_string()))?;
        }
        if roots.is_empty() {
            return Err(bad("there is no certificate in PEM form in the file".to_owned()));
        }
    } else if address.is_secure() {
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            return Err(bad("this system has no root certificates; name some with --ca-cert".to_owned()));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut settings = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| bad(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    settings.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(settings)
}
