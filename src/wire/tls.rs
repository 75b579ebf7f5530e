//! TLS by rustls with ring. Roots are loaded only for https, and the system's only where none were given:
//! loading them costs more than a whole request over http.

use std::error::Error as _;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{CertificateError, ClientConfig, RootCertStore};

use super::address::Address;
use super::error::{TlsFault, WireError, cut};

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
            let reason = found.errors.first().map(|error| format!(" ({error})")).unwrap_or_default();
            return Err(bad(format!(
                "this system has no root certificates{reason}; name some with --ca-cert"
            )));
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

/// What stood in the way of a secure connection, in words for whoever has to put it right; `None` where a request
/// failed by something else.
pub(super) fn fault(error: &reqwest::Error) -> Option<TlsFault> {
    root(error).map(explained)
}

/// The TLS library's error at the root of another, if it stands there. An input error wraps another error without
/// naming it as its source, at times several layers deep.
fn root(error: &reqwest::Error) -> Option<&rustls::Error> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = error.source();
    while let Some(inner) = cause {
        if let Some(found) = inner.downcast_ref::<rustls::Error>() {
            return Some(found);
        }
        let wrapped = inner.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        cause = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => inner.source(),
        };
    }
    None
}

fn explained(error: &rustls::Error) -> TlsFault {
    let certificate = match error {
        rustls::Error::InvalidCertificate(certificate) => certificate,
        rustls::Error::InvalidMessage(_) => return TlsFault::NoTls,
        other => return TlsFault::Other(other.to_string()),
    };
    match certificate {
        // A signature that does not fit is that of another authority with the same name.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => TlsFault::UnknownAuthority,
        CertificateError::NotValidForNameContext { expected, presented } => {
            TlsFault::OtherName { asked: expected.to_str().into_owned(), names: cut(&names(presented)) }
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => TlsFault::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => TlsFault::NotYetValid,
        _ => TlsFault::Other(error.to_string()),
    }
}

/// The names of a certificate; the library writes each as `DnsName("…")` or `IpAddress(…)`.
fn names(presented: &[String]) -> String {
    let bare = |name: &String| {
        let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name);
        format!("`{}`", inner.trim_matches('"'))
    };
    match presented {
        [] => "no name at all".to_owned(),
        names => names.iter().map(bare).collect::<Vec<_>>().join(", "),
    }
}
