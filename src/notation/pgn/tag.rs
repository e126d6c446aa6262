//! One tag pair of PGN, `[Name "value"]`, and what the tags of a game say about its start.

use crate::notation::text::decode;

/// A tag as read.
#[derive(Debug)]
pub(super) struct ParsedTag {
    pub(super) name: String,
    pub(super) value: String,
    /// What had to be forgiven, if anything.
    pub(super) flaw: Option<&'static str>,
}

/// Reads a tag from the rest of a line behind `[`. Gives the tag and how many bytes it took; otherwise the name, if
/// at least that is there.
///
/// A quote ends the value only in front of `]` (or at the end of the line), so that unescaped quotes inside do no harm.
pub(super) fn parse(line: &[u8]) -> Result<(ParsedTag, usize), Option<String>> {
    let blanks = |from: usize| from + line[from..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let start = blanks(0);
    let is_name = |byte: &&u8| byte.is_ascii_graphic() && !b"\"[]{}()".contains(byte);
    let end = start + line[start..].iter().take_while(is_name).count();
    let name = match line.get(start) {
        Some(first) if first.is_ascii_alphanumeric() => decode(&line[start..end]),
        _ => return Err(None),
    };
    let open = blanks(end);
    if line.get(open) != Some(&b'"') {
        return Err(Some(name));
    }
    let tag =
        |value: &[u8], flaw| ParsedTag { name: name.clone(), value: decode(value).trim().to_owned(), flaw };
    let mut value = Vec::new();
    let mut flaw = None;
    let mut at = open + 1;
    while let Some(&byte) = line.get(at) {
        match byte {
            b'\\' if matches!(line.get(at + 1), Some(b'"' | b'\\')) => {
                value.push(line[at + 1]);
                at += 2;
                continue;
            }
            b'"' => {
                let after = blanks(at + 1);
                match line.get(after) {
                    Some(b']') => return Ok((tag(&value, flaw), after + 1)),
                    None => return Ok((tag(&value, Some("the closing bracket is missing")), after)),
                    Some(_) => flaw = Some("a quote inside the value is not escaped"),
                }
            }
            _ => {}
        }
        value.push(byte);
        at += 1;
    }
    // A value that ends in a lone backslash: `[Site "C:\"]`.
    match line.trim_ascii_end().strip_suffix(b"\"]") {
        Some(all) if all.len() > open => {
            Ok((tag(&all[open + 1..], Some("a backslash in the value is not escaped")), line.len()))
        }
        _ => Err(Some(name)),
    }
}

/// What a `Variant` tag means here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variant {
    Standard,
    Chess960,
    Other,
}

/// Spellings differ from program to program, so only letters and digits count.
pub(super) fn variant(value: &str) -> Variant {
    let letters: String =
        value.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    match letters.as_str() {
        "" | "standard" | "normal" | "chess" | "classic" | "classical" | "orthodox" | "regular"
        | "fromposition" => Variant::Standard,
        "960" | "frc" | "dfrc" | "freestyle" => Variant::Chess960,
        other if other.contains("960") || other.contains("fischer") && other.contains("random") => {
            Variant::Chess960
        }
        _ => Variant::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_quotes_and_brackets() {
        let value = |line: &str| parse(line.as_bytes()).map(|(tag, _)| tag.value).ok();
        assert_eq!(value(r#"Event "a \"b\" \\ c"]"#).as_deref(), Some(r#"a "b" \ c"#));
        assert_eq!(value(r#"Event "a "b" c"]"#).as_deref(), Some(r#"a "b" c"#));
        assert_eq!(value(r#"Event "[x] y"] 1. e4"#).as_deref(), Some("[x] y"));
        assert_eq!(value(r#"Site "C:\"]"#).as_deref(), Some("C:\\"));
        assert_eq!(value(r#"Event "x"#), None);
        assert_eq!(value(r#"%clk 0:01"#), None);
    }

    #[test]
    fn spellings_of_chess960() {
        for text in ["Chess960", "chess 960", "fischerandom", "Fischer Random Chess", "FRC"] {
            assert_eq!(variant(text), Variant::Chess960, "{text}");
        }
        assert_eq!(variant("Atomic"), Variant::Other);
    }
}
