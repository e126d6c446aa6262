//! pgn_cases
