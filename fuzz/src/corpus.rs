//! Build script: fills `corpus/TARGET` with the seeds, so that a run needs no step before it. Inputs that earlier runs
//! found stay where they are. The seeds are made by the code that `cargo test` uses as well.

#[path = "../../tests/it/fuzz/seeds.rs"]
mod seeds;

use std::fs;
use std::io::Write;
use std::path::Path;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = folder.parent().expect("fuzz/ stands in the repository");
    for source in ["tests/data/parser", "tests/data/fuzz", "tests/data/cases.csv"] {
        // To cargo, not to people.
        let _ = writeln!(std::io::stdout(), "cargo::rerun-if-changed={}", root.join(source).display());
    }
    for target in seeds::TARGETS {
        let corpus = folder.join("corpus").join(target);
        fs::create_dir_all(&corpus).expect("the corpus folder can be made");
        for (number, seed) in seeds::seeds(root, target).iter().enumerate() {
            fs::write(corpus.join(format!("seed-{number:03}")), seed).expect("a seed can be written");
        }
    }
}
