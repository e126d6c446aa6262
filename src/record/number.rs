//! Floating-point numbers in JSON: JSON has no infinities, and a one-sided match has an infinite Elo. Infinite values are
//! written as the strings `"inf"` and `"-inf"`, undefined ones as `null`; all read back as what they were.

use serde::{Deserialize, Deserializer, Serializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(f64),
    Text(String),
}

impl Written {
    fn value(self) -> Result<f64, String> {
        match self {
            Written::Number(value) => Ok(value),
            Written::Text(text) => match text.as_str() {
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                _ => Err(format!("`{text}` is not a number, `inf` or `-inf`")),
            },
        }
    }
}

fn write<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_nan() {
        serializer.serialize_none()
    } else if value.is_infinite() {
        serializer.serialize_str(if value > 0.0 { "inf" } else { "-inf" })
    } else {
        serializer.serialize_f64(value)
    }
}

pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    write(*value, serializer)
}

/// `null` reads as not-a-number.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Option::<Written>::deserialize(deserializer)?
        .map_or(Ok(f64::NAN), |written| written.value().map_err(serde::de::Error::custom))
}

/// The same for optional numbers; not-a-number becomes none.
pub(super) mod option {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(
        value: &Option<f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => write(*value, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        Option::<Written>::deserialize(deserializer)?
            .map(|written| written.value().map_err(serde::de::Error::custom))
            .transpose()
    }
}
