//! What the factors of every study must be: each has levels, and none of them twice.
//! Must not know what any factor means.

use super::TrialError;

/// A factor and the ids of its levels.
pub(crate) type Levels<'a> = (&'a str, Vec<String>);

/// Looks the levels over.
pub(crate) fn check(factors: &[Levels<'_>]) -> Result<(), TrialError> {
    for (name, levels) in factors {
        let key = format!("factors.{name}");
        if levels.is_empty() {
            return Err(TrialError::setting(key, "no level given"));
        }
        let twice = levels.iter().enumerate().find(|(index, level)| levels[..*index].contains(level));
        if let Some((index, level)) = twice {
            return Err(TrialError::level(key, index, format!("{level} stands there twice")));
        }
    }
    Ok(())
}
