//! What to type instead, for words that other tools of the field have taught: `-engine` and `-rounds` of cutechess and fastchess, numbers
//! where a flag is wanted. Knows words only; whether a command line is right is found elsewhere.

/// Flags of other tools, without their dashes, and what they are called here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("games", "--pairs N (a pair is two games, colours swapped)"),
    ("rounds", "--pairs N (a pair is two games, colours swapped)"),
    ("repeat", "nothing: games are always played in pairs with colours swapped"),
    ("pgnout", "--pgn FILE"),
    ("sprt", "the verb `sprt` with --elo0, --elo1, --alpha, --beta"),
    ("srand", "--seed N"),
    ("tb", "--syzygy DIR"),
    ("ratinginterval", "--rating-interval N"),
    ("use-affinity", "--affinity"),
    ("variant", "nothing: Chess960 positions are known by their castling rights"),
    ("st", "movetime=MS in the SPEC or in --each"),
    ("tc", "tc=40/60+0.6 in the SPEC or in --each"),
    ("event", "nothing: the PGN has the name of the run"),
];

/// A hint for a command line that was refused for a word nobody here knows; `args` without the program.
pub fn hint(args: &[String]) -> Option<String> {
    let verb = args.iter().find(|arg| !arg.starts_with('-'))?.as_str();
    let number = |arg: &str| arg.parse::<f64>().is_ok();
    let bare: Vec<&str> = args.iter().map(String::as_str).skip_while(|arg| *arg != verb).skip(1).collect();
    match (verb, bare.as_slice()) {
        ("perft", [depth, ..]) if number(depth) => return Some(format!("write --depth {depth}")),
        ("stats", ["elo" | "llr", w, d, l, ..]) if [w, d, l].iter().all(|n| number(n)) => {
            return Some(format!("write --wdl {w},{d},{l} (wins, draws, losses) or --penta LL,LD,M,WD,WW"));
        }
        _ => {}
    }
    args.iter().find_map(|arg| {
        let name = arg.trim_start_matches('-').split('=').next().unwrap_or_default();
        let dashes = arg.len() - arg.trim_start_matches('-').len();
        if dashes == 0 || name.len() < 2 {
            return None;
        }
        if verb == "sprt" && name == "pairs" {
            return Some("a test ends by itself: write --max-pairs N for the most there may be".to_owned());
        }
        if let Some((_, here)) = ELSEWHERE.iter().find(|(word, _)| *word == name) {
            return Some(format!("for {arg} there is {here}"));
        }
        // Two or more letters behind one dash are no flags of ours.
        (dashes == 1 && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'))
            .then(|| format!("flags have two dashes: --{name}"))
    })
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn words_of_other_tools_are_known() {
        for (line, words) in [
            ("match -engine cmd=a -engine cmd=b -rounds 10", "--engine"),
            ("match --engine a --engine b --games 10", "--pairs N"),
            ("match --engine a -rounds 10", "--pairs N"),
            ("sprt --engine a --engine b --pairs 10", "--max-pairs"),
            ("match --pgnout=x.pgn", "--pgn FILE"),
            ("perft 4", "--depth 4"),
            ("stats elo 10 20 30", "--wdl 10,20,30"),
        ] {
            let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert!(hint(&args).is_some_and(|hint| hint.contains(words)), "{line}: {:?}", hint(&args));
        }
        for line in ["", "--quiet", "match --engines a", "bench -x"] {
            let args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(hint(&args), None, "{line}");
        }
    }
}
