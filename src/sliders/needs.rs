//! The instructions that a technique stands on, beside those of any 64-bit machine: whether the processor at hand has them,
//! and code compiled for them in builds that may not use them everywhere. Must not know any technique.

#![allow(unsafe_code)] // calls of functions that are compiled for instructions which were asked for before

use super::Sliders;

/// The instructions that a technique stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    Nothing,
    Bmi2,
    Avx2,
    Avx512,
    Gfni,
}

impl Needs {
    /// As the vendors call the extension; `-` for none.
    pub const fn name(self) -> &'static str {
        match self {
            Needs::Nothing => "-",
            Needs::Bmi2 => "BMI2",
            Needs::Avx2 => "AVX2",
            Needs::Avx512 => "AVX-512",
            Needs::Gfni => "GFNI",
        }
    }

    /// Whether every processor that this build is made for has them.
    pub const fn are_in_build(self) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Bmi2 => cfg!(target_feature = "bmi2"),
            Needs::Avx2 => cfg!(target_feature = "avx2"),
            Needs::Avx512 => cfg!(all(
                target_feature = "avx512f",
                target_feature = "avx512cd",
                target_feature = "avx512vl"
            )),
            Needs::Gfni => cfg!(all(target_feature = "gfni", target_feature = "avx2")),
        }
    }

    /// Whether the processor at hand has them. Known without asking where the build has them.
    #[cfg(target_arch = "x86_64")]
    pub fn are_met(self) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Bmi2 => is_x86_feature_detected!("bmi2"),
            Needs::Avx2 => is_x86_feature_detected!("avx2"),
            Needs::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512vl")
            }
            Needs::Gfni => is_x86_feature_detected!("gfni") && is_x86_feature_detected!("avx2"),
        }
    }

    /// Whether the processor at hand has them.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn are_met(self) -> bool {
        self == Needs::Nothing
    }

    /// For the makers of values whose methods use the instructions.
    ///
    /// # Panics
    /// Where the processor does not have them: the caller has not asked [`Backend::is_supported`](super::Backend::is_supported).
    pub(super) fn must_be_met(self) {
        assert!(
            self.are_met(),
            "a technique that needs {} was asked for on a processor without it",
            self.name()
        );
    }
}

/// Does the work in code that is compiled for the instructions that the technique needs. In a build that has them everywhere
/// that is the code around the call. In a portable one it is a function of its own: there lookups are inlined as in the
/// other build, whereas anywhere else each is a call. So it belongs around whole loops.
///
/// # Panics
/// Where the processor does not have the instructions.
#[inline(always)]
pub fn compiled_for<S: Sliders, R>(work: impl FnOnce() -> R) -> R {
    // `if const`: what cannot be reached is not even compiled.
    if const { S::CARD.needs.are_in_build() } { work() } else { compiled_apart::<S, R>(work) }
}

#[cfg(not(target_arch = "x86_64"))]
fn compiled_apart<S: Sliders, R>(work: impl FnOnce() -> R) -> R {
    S::CARD.needs.must_be_met();
    work()
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn compiled_apart<S: Sliders, R>(work: impl FnOnce() -> R) -> R {
    S::CARD.needs.must_be_met();
    if const { matches!(S::CARD.needs, Needs::Bmi2) } {
        // SAFETY: here and below, the processor has just been asked.
        unsafe { with_bmi2(work) }
    } else if const { matches!(S::CARD.needs, Needs::Avx2) } {
        unsafe { with_avx2(work) }
    } else if const { matches!(S::CARD.needs, Needs::Avx512) } {
        unsafe { with_avx512(work) }
    } else if const { matches!(S::CARD.needs, Needs::Gfni) } {
        unsafe { with_gfni(work) }
    } else {
        work()
    }
}

/// Each hands its instructions to what is inlined into it.
#[cfg(target_arch = "x86_64")]
macro_rules! functions_with {
    ($($name:ident $features:literal)*) => {
        $(
            #[target_feature(enable = $features)]
            #[inline]
            fn $name<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
functions_with! {
    with_bmi2 "bmi2"
    with_avx2 "avx2"
    with_avx512 "avx512f,avx512cd,avx512vl"
    with_gfni "gfni,avx2"
}

/// What stands for the lookups of a technique on architectures that have not its instructions. Nobody gets there: a value of
/// the technique would have to be made first.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! not_on_this_architecture {
    ($($name:ident $(<$($parameter:ident: $kind:ty),*>)? ($($argument:ty),*) -> $result:ty;)*) => {
        $(
            pub(super) unsafe fn $name $(<$(const $parameter: $kind),*>)? ($(_: $argument),*) -> $result {
                unreachable!("there is no value of this technique here")
            }
        )*
    };
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) use not_on_this_architecture;

#[cfg(test)]
mod tests {
    use super::super::Backend;
    use super::*;
    use crate::types::{Bitboard, Square};
    use crate::with_backend;

    /// A lookup in code compiled for the technique.
    fn looked_up<S: Sliders>(sliders: S) -> Bitboard {
        compiled_for::<S, _>(|| sliders.queen(Square::D4, Bitboard::square(Square::D6)))
    }

    #[test]
    fn code_compiled_for_a_technique_finds_what_other_code_finds() {
        for &backend in Backend::ALL.iter().filter(|backend| backend.is_supported()) {
            let found = with_backend!(backend, |sliders| looked_up(sliders));
            assert_eq!(found.count(), 27 - 2, "{}", backend.id());
        }
    }

    #[test]
    fn what_the_build_has_the_processor_has_and_who_is_unsupported_is_told_why() {
        for &backend in Backend::ALL {
            let needs = backend.card().needs;
            assert!(!needs.are_in_build() || needs.are_met(), "{}", backend.id());
            assert_eq!(backend.unsupported().is_none(), needs.are_met());
            assert_eq!(backend.table_bytes().is_some(), needs.are_met());
            assert!(
                backend
                    .unsupported()
                    .is_none_or(|why| why.contains(backend.id()) && why.contains(needs.name()))
            );
        }
        assert!(Backend::default_backend().is_supported() && Backend::default_backend().may_be_default());
    }
}
