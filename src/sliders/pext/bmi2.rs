//! The two instructions of BMI2 that gather bits and deal them out.

#![allow(unsafe_code)] // two intrinsics

use crate::sliders::Needs;

/// There is one only where the processor has BMI2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bmi2(());

impl Bmi2 {
    /// Panics on other processors.
    pub(super) fn new() -> Bmi2 {
        Needs::Bmi2.must_be_met();
        Bmi2(())
    }

    /// The bits of `value` under `mask`, gathered at the low end.
    #[inline(always)]
    pub(super) fn extract(self, value: u64, mask: u64) -> usize {
        // SAFETY: there is a `self` only where the processor has BMI2.
        unsafe { instructions::extract(value, mask) as usize }
    }

    /// The inverse: deals the low bits of `value` out to the set bits of `mask`.
    #[inline(always)]
    pub(super) fn deposit(self, value: u64, mask: u64) -> u64 {
        // SAFETY: as in `extract`.
        unsafe { instructions::deposit(value, mask) }
    }
}

#[cfg(target_arch = "x86_64")]
mod instructions {
    pub(super) use core::arch::x86_64::{_pdep_u64 as deposit, _pext_u64 as extract};
}

#[cfg(not(target_arch = "x86_64"))]
mod instructions {
    crate::sliders::needs::not_on_this_architecture! {
        extract(u64, u64) -> u64;
        deposit(u64, u64) -> u64;
    }
}
