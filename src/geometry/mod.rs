//! The geometry of the board: what two squares are to each other, whatever stands between them.
//!
//! Directions and angles, knight distances, the moves a piece has on an empty board and their numbers, the from-to
//! board. This room must not know occupancy, positions or rules.

pub mod butterfly;
mod direction;
pub mod influence;
mod knight_distance;

pub use direction::{Direction, begrees, degrees, difference_0x88, direction, direction_by_pair};
pub use knight_distance::{
    KNIGHT_DISTANCE, KnightDistance, knight_distance, knight_distance_by_0x88, knight_distance_by_absolute,
    knight_distance_by_fill, knight_set_distance,
};
