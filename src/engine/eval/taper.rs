//! Two scores in one word: middlegame and endgame, added together and blended by game phase at the end.
//! Source: page "Tapered Eval" of the seed documents.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Middlegame (low half) and endgame (high half), centipawns each, |value| < 32,768.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taper(i32);

impl Taper {
    pub const ZERO: Taper = Taper(0);

    #[inline(always)]
    pub const fn new(mg: i32, eg: i32) -> Taper {
        Taper((eg << 16).wrapping_add(mg))
    }

    #[inline(always)]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The half is added before the shift because a negative middlegame half has borrowed one from the upper half.
    #[inline(always)]
    pub const fn eg(self) -> i32 {
        self.0.wrapping_add(0x8000) >> 16
    }
}

impl Add for Taper {
    type Output = Taper;
    #[inline(always)]
    fn add(self, other: Taper) -> Taper {
        Taper(self.0.wrapping_add(other.0))
    }
}

impl Sub for Taper {
    type Output = Taper;
    #[inline(always)]
    fn sub(self, other: Taper) -> Taper {
        Taper(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Taper {
    type Output = Taper;
    #[inline(always)]
    fn neg(self) -> Taper {
        Taper(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Taper {
    type Output = Taper;
    #[inline(always)]
    fn mul(self, by: i32) -> Taper {
        Taper(self.0.wrapping_mul(by))
    }
}

impl AddAssign for Taper {
    #[inline(always)]
    fn add_assign(&mut self, other: Taper) {
        *self = *self + other;
    }
}

impl SubAssign for Taper {
    #[inline(always)]
    fn sub_assign(&mut self, other: Taper) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for mg in [-900, -1, 0, 1, 77, 1200] {
            for eg in [-800, -1, 0, 1, 55, 900] {
                let pair = Taper::new(mg, eg);
                assert_eq!((pair.mg(), pair.eg()), (mg, eg));
                let sum = pair + Taper::new(-3, 5) * 7 - pair * 2;
                assert_eq!((sum.mg(), sum.eg()), (-mg - 21, -eg + 35));
                assert_eq!(((-pair).mg(), (-pair).eg()), (-mg, -eg));
            }
        }
    }
}
