//! Small things about text that every notation needs: bytes to text, and excerpts for messages.

/// Bytes to text: UTF-8 where it is valid, otherwise ISO 8859-1 (old PGN and EPD files), which every byte string is.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The same without a copy where the bytes are text.
pub fn decode_owned(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| decode(error.as_bytes()))
}

/// At most 40 characters of the input, for messages: bad input may be megabytes long.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Without byte order mark, surrounding white space and NUL bytes (public files have all three).
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\0' || c == '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_is_a_fallback() {
        assert_eq!(decode("Müller".as_bytes()), "Müller");
        assert_eq!(decode(b"M\xfcller"), "Müller");
    }

    #[test]
    fn excerpts_end_on_a_character() {
        assert_eq!(excerpt("Ke2"), "Ke2");
        let long = "ü".repeat(1000);
        assert_eq!(excerpt(&long).chars().count(), 41);
    }
}
