//! The properties of the fuzz targets (`fuzz/`), without a fuzzer: on their seeds, on every input that once broke one, and
//! on a few thousand damaged seeds.

mod properties;
mod seeds;

use gauntlet::stats::SplitMix64;
use std::path::Path;

/// Reproducible damage.
struct Random(SplitMix64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit.max(1) as u64) as usize
    }
}

/// A few random edits: a byte changed, a part cut, doubled or moved, a part of another seed.
fn damage(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    const SPICE: &[u8] = b"[](){}\";%$.*-+=#!?0/ \n\r\t\x00\xff\xc3\\KQNBRPkqx18aehO";
    let mut bytes = input.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes.insert(at, SPICE[random.below(SPICE.len())]),
            1 if !bytes.is_empty() => drop(bytes.remove(at)),
            2 if !bytes.is_empty() => bytes[at] = SPICE[random.below(SPICE.len())],
            3 => bytes.truncate(at),
            4 => {
                let from = random.below(other.len());
                let part = other[from..(from + random.below(30)).min(other.len())].to_vec();
                bytes.splice(at..at, part);
            }
            _ => {
                let part = bytes[at..(at + random.below(20)).min(bytes.len())].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, part);
            }
        }
    }
    bytes
}

/// Checks a property on the seeds of its target and on `rounds` damaged forms of each.
fn run(target: &str, rounds: usize, check: fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let seeds = seeds::seeds(root, target);
    assert!(seeds.len() >= 10, "{target}: {} seeds", seeds.len());
    let mut random = Random(SplitMix64::new(0x5eed));
    for (index, seed) in seeds.iter().enumerate() {
        check(seed);
        for _ in 0..rounds {
            let other = &seeds[(index + random.below(seeds.len())) % seeds.len()];
            check(&damage(seed, other, &mut random));
        }
    }
}

#[test]
fn fen() {
    run("fen", 1000, properties::fen::check);
}

#[test]
fn epd() {
    run("epd", 1000, properties::epd::check);
}

#[test]
fn pgn() {
    run("pgn", 1000, properties::pgn::check);
}

#[test]
fn san() {
    run("san", 2000, properties::san::check);
}

#[test]
fn uci_line() {
    run("uci_line", 2000, properties::uci_line::check);
}

#[test]
fn polyglot() {
    run("polyglot", 300, properties::polyglot::check);
}

/// Every target has its seeds, its property and its file in `fuzz/`.
#[test]
fn targets_are_complete() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for target in seeds::TARGETS {
        for file in [
            format!("tests/it/fuzz/properties/{target}.rs"),
            // Not in the published crate.
            format!("fuzz/fuzz_targets/{target}.rs"),
        ] {
            assert!(root.join(&file).exists() || !root.join("fuzz").exists(), "{file}");
        }
    }
}
