//! Magic factors and the search that found them: sparse random numbers (three random words and-ed) are tried until one
//! maps all relevant occupancies of a square without a harmful collision.
//! Source: page "Looking for Magics" of the seed documents. The factors below are the first ones the search finds with
//! its seed; the search stands in the tests, which repeat it for every square.

#[rustfmt::skip]
pub(super) const ROOK: [u64; 64] = [
    0x0480008040002810, 0x0440100040002000, 0x1200204012008008, 0x0480100080080006,
    0x0200080402011020, 0x0b00010008121400, 0x0200046200008108, 0x8200008022041041,
    0x1002800082400120, 0x8041802000400284, 0x0000802000801000, 0x8c21000810002100,
    0x0021000800050012, 0x0000800200800400, 0x5005000200010004, 0x0052800080004100,
    0x4000888000400e20, 0x4000810040010024, 0x0000818030002000, 0x0000808008001000,
    0x4000808008000400, 0x0104008080020004, 0x0040808001000200, 0x04010200140c9045,
    0x0000400180122080, 0x1200400480200080, 0x4050200080801000, 0x0090100080080080,
    0x0424040080080082, 0x0602000200050810, 0x0000100402020008, 0x2042040200255281,
    0x0600400084800020, 0x000020100a400040, 0x0210080400200022, 0x0280080084801000,
    0x4020080080800400, 0x0082000401010008, 0x0080024124001028, 0x1111408102000044,
    0xc010802040008000, 0x3130004020004000, 0x20a0008010028022, 0x0028008070028008,
    0xa801000408010012, 0x0024000200048080, 0x0000280112040090, 0x040080c428820003,
    0x0020400280002180, 0x0001020089412a00, 0x012c801202204200, 0x4050801000780480,
    0x0100040080080080, 0x5002001004080200, 0x0000010850420400, 0x02000c1382610200,
    0x0000210040800011, 0x0000804000102109, 0x0010208200100842, 0x011004d001002049,
    0x1511004800301407, 0x0002000850010482, 0x1440010800e21004, 0x9820030080502c02,
];
#[rustfmt::skip]
pub(super) const BISHOP: [u64; 64] = [
    0x1208200c00420228, 0x0202084914008002, 0x0508080110204200, 0x1024404081028182,
    0x9004030819120231, 0x0041014841240aa0, 0x480400b270300040, 0x0040804108204202,
    0x00000a1001181100, 0x00b0088204440220, 0x0400100400902808, 0x414004040c80a028,
    0x848119104001404a, 0x9002820174210400, 0x1000048210822102, 0x0829002401080983,
    0x84400444b0020203, 0x0b84800204040c00, 0x00e4000800240a10, 0x8042002020204408,
    0x308a000c22011000, 0x0095000810480403, 0x06c0440411080804, 0x8803020050480400,
    0x0020a00908888105, 0x8014321014b00428, 0x0008020084240011, 0x0810040100401020,
    0x6200840114802000, 0x0000808001006020, 0x04050202041a0140, 0x000109002024a800,
    0x0208021040882101, 0x1014500810020201, 0x1006008204100034, 0x1001500820040400,
    0x08400101004a1040, 0x44020089000a0050, 0x03040800b0020082, 0x0080821200044101,
    0x182809300a003000, 0x405c022222041000, 0x1040104828021000, 0x1624452018000100,
    0x4000501200862810, 0x8208900080210200, 0x8050100502510108, 0x0812008115040200,
    0x0801820833402000, 0x0012210808048100, 0x0020228298210204, 0x20140000c2160098,
    0x0001004810340a04, 0xc834400204144000, 0x40c1100200a11010, 0x2043040802004020,
    0x0032190402024004, 0x0800409201012090, 0x110b400046009040, 0x4100480000460811,
    0x03a0000010020220, 0x02100821a0424080, 0x4000600410088118, 0x08400420e0820080,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::relevant::{Slider, mask, subsets};
    use crate::stats::SplitMix64;
    use crate::types::{Bitboard, Square};

    /// Seed of the search; each square draws its own sequence from it.
    const SEED: u64 = 20_261_130;

    /// The first factor in this square's sequence that maps its relevant occupancies into `2^bits` cells so that occupancies
    /// with different attacks never meet.
    fn search(slider: Slider, square: Square, seed: u64) -> u64 {
        let mask = mask(slider, square);
        let shift = 64 - mask.count();
        let sets: Vec<(u64, Bitboard)> = subsets(mask)
            .map(|occupied| {
                let attacks = slider.attacks(square, occupied);
                (occupied.0, attacks)
            })
            .collect();
        let mut words =
            SplitMix64::new(seed ^ (square.index() as u64) << 32 ^ u64::from(slider == Slider::Rook) << 48);
        // Cells carry the number of the try that filled them, so that they need no clearing.
        let mut cells = vec![(0u32, Bitboard::EMPTY); 1 << mask.count()];
        for attempt in 1.. {
            let factor = words.next_u64() & words.next_u64() & words.next_u64();
            // A factor that leaves the top byte of the full mask's product thin never works.
            if (mask.0.wrapping_mul(factor) >> 56).count_ones() < 6 {
                continue;
            }
            let fits = sets.iter().all(|&(occupied, attacks)| {
                let cell = &mut cells[(occupied.wrapping_mul(factor) >> shift) as usize];
                let free = cell.0 != attempt;
                *cell = if free { (attempt, attacks) } else { *cell };
                free || cell.1 == attacks
            });
            if fits {
                return factor;
            }
        }
        unreachable!("the sequence has no end")
    }

    #[test]
    fn the_search_finds_the_stored_factors_again() {
        for square in Square::all() {
            assert_eq!(search(Slider::Rook, square, SEED), ROOK[square.index()], "rook {square}");
            assert_eq!(search(Slider::Bishop, square, SEED), BISHOP[square.index()], "bishop {square}");
        }
    }
}
