//! Text of a few bytes without an allocation: a long match keeps and frees two of them for every move played.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// At most `N` bytes of UTF-8; made from a longer text it keeps the characters that fit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Short<const N: usize> {
    len: u8,
    bytes: [u8; N],
}

impl<const N: usize> Short<N> {
    pub fn as_str(&self) -> &str {
        self.bytes
            .get(..usize::from(self.len))
            .and_then(|text| std::str::from_utf8(text).ok())
            .unwrap_or_default()
    }
}

impl<const N: usize> Default for Short<N> {
    fn default() -> Short<N> {
        Short { len: 0, bytes: [0; N] }
    }
}

impl<const N: usize> From<&str> for Short<N> {
    fn from(text: &str) -> Short<N> {
        let most = N.min(usize::from(u8::MAX));
        let len = (0..=text.len().min(most)).rev().find(|&len| text.is_char_boundary(len)).unwrap_or(0);
        let mut short = Short { len: len as u8, bytes: [0; N] };
        short.bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        short
    }
}

/// Adds what fits, or nothing of it.
impl<const N: usize> fmt::Write for Short<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (from, to) = (usize::from(self.len), usize::from(self.len) + text.len());
        let len = u8::try_from(to).map_err(|_| fmt::Error)?;
        self.bytes.get_mut(from..to).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = len;
        Ok(())
    }
}

impl<const N: usize> From<String> for Short<N> {
    fn from(text: String) -> Short<N> {
        text.as_str().into()
    }
}

impl<const N: usize> Deref for Short<N> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> PartialEq<&str> for Short<N> {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

impl<const N: usize> fmt::Display for Short<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<const N: usize> fmt::Debug for Short<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const N: usize> Serialize for Short<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Short<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Short<N>, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        match text.len() <= N {
            true => Ok((*text).into()),
            false => Err(D::Error::custom(format_args!("`{text}` is longer than {N} bytes"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn what_fits_comes_back_and_no_character_is_cut() {
        for text in ["", "e2e4", "a7a8q", "ééé", "1234567"] {
            let short: Short<7> = text.into();
            assert_eq!(short.as_str(), text);
            let json = serde_json::to_string(&short).unwrap();
            assert_eq!(json, serde_json::to_string(text).unwrap());
            assert_eq!(serde_json::from_str::<Short<7>>(&json).unwrap(), short);
        }
        let mut written = Short::<7>::default();
        assert!(write!(written, "{}", 12345).is_ok() && write!(written, "678").is_err());
        assert_eq!(written, "12345");
        assert_eq!(Short::<7>::from("éééé").as_str(), "ééé");
        assert!(serde_json::from_str::<Short<7>>("\"12345678\"").unwrap_err().to_string().contains("longer"));
    }
}
