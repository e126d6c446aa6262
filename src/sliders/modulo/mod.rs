//! The two techniques that divide: congruent modulo bitboards and casting out 255, and what they share.

mod casting_out;
mod congruent;

pub use casting_out::CastingOut255;
pub use congruent::CongruentModulo;

/// Attacks on a line of eight squares from place `place`, as a byte, with this byte of occupied places.
const fn on_line(place: usize, occupied: u8) -> u8 {
    let mut attacks = 0;
    let mut step = place + 1;
    while step < 8 {
        attacks |= 1 << step;
        if occupied >> step & 1 != 0 {
            break;
        }
        step += 1;
    }
    let mut step = place;
    while step > 0 {
        step -= 1;
        attacks |= 1 << step;
        if occupied >> step & 1 != 0 {
            break;
        }
    }
    attacks
}

/// The places of a byte as bits `distance` apart.
const fn spread(places: u8, distance: u32) -> u64 {
    let mut set = 0;
    let mut place = 0;
    while place < 8 {
        if places >> place & 1 != 0 && place * distance < 64 {
            set |= 1 << (place * distance);
        }
        place += 1;
    }
    set
}
