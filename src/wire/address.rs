//! Where a server is: its address, parsed once, and what follows from it.

use std::fmt;

use reqwest::Url;

use super::error::WireError;

/// The ports on this machine where a Pulse server usually listens: the default, the launcher's and the desktop
/// application's.
pub const USUAL_PORTS: [u16; 3] = [8000, 18743, 45678];

/// The address of a server: scheme, host, port, and the path that it is mounted under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// Reads an address. Without a scheme it is `http`.
    ///
    /// # Errors
    /// When it is no http or https address, or carries a user, a query or a fragment.
    pub fn parse(text: &str) -> Result<Self, WireError> {
        let bad = |reason: &str| WireError::BadAddress {
            // A password in an address must not come back in a message.
            address: text.rsplit('@').next().unwrap_or_default().to_owned(),
            reason: reason.to_owned(),
        };
        let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let url = Url::parse(&with_scheme).map_err(|error| bad(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("only http and https are spoken"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(bad("it names no host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("it must not carry a user or a password; give a token instead"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(bad("it must not carry a query or a fragment"));
        }
        Ok(Self(url))
    }

    /// The address of this port on this machine.
    ///
    /// # Errors
    /// Never for a real port; kept so that nothing here can panic.
    pub fn local(port: u16) -> Result<Self, WireError> {
        Self::parse(&format!("http://127.0.0.1:{port}"))
    }

    /// Whether it is spoken to over TLS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether it is this machine, so that no proxy may stand between. `0.0.0.0` is, too: a server that listens
    /// everywhere prints it as its address.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default().trim_matches(['[', ']']);
        host.eq_ignore_ascii_case("localhost")
            || host.to_ascii_lowercase().ends_with(".localhost")
            || host
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.to_canonical().is_loopback() || address.is_unspecified())
    }

    /// Whether both are one server, as browsers tell servers apart: by scheme, host and port.
    #[must_use]
    pub fn has_origin_of(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }

    /// The full address of a path and query on this server.
    #[must_use]
    pub(crate) fn join(&self, path: &str) -> String {
        format!("{self}{path}")
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, shown) in [
            ("localhost:8000", "http://localhost:8000"),
            ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
            ("https://pulse.example.org/mounted/", "https://pulse.example.org/mounted"),
            ("[::1]:8000", "http://[::1]:8000"),
        ] {
            assert_eq!(Address::parse(text).map(|address| address.to_string()), Ok(shown.to_owned()));
        }
        assert!(Address::parse("localhost").is_ok_and(|address| address.is_loopback()));
        assert!(Address::parse("[::1]:1").is_ok_and(|address| address.is_loopback()));
        assert!(Address::parse("[::ffff:127.0.0.1]:1").is_ok_and(|address| address.is_loopback()));
        assert!(Address::parse("0.0.0.0:8000").is_ok_and(|address| address.is_loopback()));
        assert!(Address::parse("127.0.0.1.example.org").is_ok_and(|address| !address.is_loopback()));
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let address = |text| Address::parse(text).expect("it is an address");
        let one = address("https://pulse.example.org/mounted");
        assert!(one.has_origin_of(&address("https://PULSE.example.org:443")));
        for other in ["http://pulse.example.org", "https://pulse.example.org:8443", "https://example.org"] {
            assert!(!one.has_origin_of(&address(other)), "{other}");
        }
    }

    #[test]
    fn what_could_leak_or_mislead_is_refused() {
        for text in
            ["ftp://a", "http://", "http://u:geheim@a", "http://a?x=1", "http://a#x", "http://a:99999"]
        {
            let Err(error) = Address::parse(text) else { panic!("`{text}` was taken") };
            assert!(!error.to_string().contains("geheim"), "{error}");
        }
    }
}
