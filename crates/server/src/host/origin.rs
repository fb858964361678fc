//! Where a host is, in addresses.

/// Whether a text is what addresses of a server begin with: `https://` or `http://`, then a name or a number, and
/// maybe a port.
#[must_use]
pub fn is_origin(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    host.is_some_and(|host| (1..=255).contains(&host.len()) && host.bytes().all(is_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_no_path_and_nothing_that_is_markup() {
        for origin in [
            "https://games.example",
            "http://127.0.0.1:4480",
            "http://[::1]:4480",
        ] {
            assert!(is_origin(origin), "{origin}");
        }
        for other in [
            "games.example",
            "https://",
            "https://games.example/",
            "https://user@games.example",
            "https://games.example\"><script>",
            "javascript:alert(1)",
            &format!("https://{}", "a".repeat(256)),
        ] {
            assert!(!is_origin(other), "{other}");
        }
    }
}
