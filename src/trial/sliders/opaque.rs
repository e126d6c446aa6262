//! A value of which the compiler knows nothing, without a cost: it stays in its register. [`std::hint::black_box`] sends it through
//! memory, which is longer than some lookups take.
#![allow(unsafe_code)]

/// The same number. A loop with it in is not vectorised: its lookups are made one at a time.
#[inline(always)]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub fn opaque(mut number: u64) -> u64 {
    // SAFETY: no instruction at all; the register holds what it held.
    unsafe { std::arch::asm!("/* {0} */", inout(reg) number, options(nomem, nostack, preserves_flags)) };
    number
}

/// The same number.
#[inline(always)]
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub fn opaque(number: u64) -> u64 {
    std::hint::black_box(number)
}
