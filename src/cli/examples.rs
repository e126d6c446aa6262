//! Examples for the help of each verb, where its own file has none. Every one is read by a test as the command line it is.

/// The words behind `gauntlet`, and command lines of that verb.
const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "run",
        &[
            "gauntlet run --quick",
            "gauntlet run --engine cmd=./my-engine --junit run.xml",
            "gauntlet run --full --out reports/full",
        ],
    ),
    (
        "perft",
        &[
            "gauntlet perft --depth 6",
            "gauntlet perft --fen \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\" --depth 5 --divide",
            "gauntlet perft --suite standard.epd chess960.epd --max-nodes 10000000",
            "gauntlet perft --locate --engine cmd=./my-engine --depth 4",
        ],
    ),
    (
        "tactics",
        &[
            "gauntlet tactics bratko-kopec.epd --movetime 1000",
            "gauntlet tactics kaufman.epd --engine cmd=./new --engine cmd=./old --nodes 100000",
            "gauntlet tactics my-positions.epd --engine cmd=./my-engine --depth 12 --min-solved 20",
        ],
    ),
    (
        "symmetry",
        &[
            "gauntlet symmetry",
            "gauntlet symmetry --engine cmd=./my-engine --depth 6",
            "gauntlet symmetry my-positions.epd",
        ],
    ),
    (
        "bench",
        &[
            "gauntlet bench",
            "gauntlet bench --engine cmd=./my-engine --depth 10",
            "gauntlet bench --engine embedded:lmr=off --nodes 50000 --format json",
            "gauntlet bench --engine cmd=./new --against cmd=./old --rounds 20",
            "gauntlet bench --engine embedded:slider=magic-plain --against embedded",
        ],
    ),
    (
        "sliders",
        &[
            "gauntlet sliders",
            "gauntlet sliders --backends pext,fancy,hyperbola --metric throughput,latency --rounds 50",
            "gauntlet sliders --backends all --metric all",
        ],
    ),
    (
        "magics",
        &[
            "gauntlet magics --scheme plain --seconds 30",
            "gauntlet magics --scheme fancy --seed 7 --format csv",
        ],
    ),
    (
        "sprt",
        &[
            "gauntlet sprt --engine cmd=./new --engine cmd=./old --each tc=10+0.1 --openings file=noob_3moves_sample.epd,order=random",
            "gauntlet sprt --engine cmd=./new --engine cmd=./old --each nodes=20000 --elo0 -3 --elo1 1 --max-pairs 20000",
            "gauntlet sprt --engine cmd=./new --engine cmd=./old --each tc=10+0.1 --live 8080",
        ],
    ),
    (
        "stats elo",
        &["gauntlet stats elo --wdl 120,90,200", "gauntlet stats elo --penta 10,40,110,60,12 --format json"],
    ),
    (
        "stats llr",
        &[
            "gauntlet stats llr --penta 10,40,110,60,12 --elo0 0 --elo1 5",
            "gauntlet stats llr --wdl 120,90,200 --elo0 0 --elo1 5 --model bayeselo",
        ],
    ),
    (
        "stats length",
        &[
            "gauntlet stats length --elo0 0 --elo1 5 --elo 3",
            "gauntlet stats length --elo0 0 --elo1 5 --probs 0.02,0.23,0.48,0.25,0.02",
        ],
    ),
    (
        "stats validate",
        &["gauntlet stats validate --runs 1000", "gauntlet stats validate --scenario all --concurrency 4"],
    ),
    (
        "rate",
        &[
            "gauntlet rate games.pgn",
            "gauntlet rate a.pgn b.pgn --anchor Stockfish=3600 --white-advantage",
            "gauntlet rate games.pgn --crosstable table.csv --tiebreak sodos,wins",
        ],
    ),
    (
        "report",
        &[
            "gauntlet report reports/runs/my-run",
            "gauntlet report reports/runs/new reports/runs/old --out both",
        ],
    ),
    ("uci", &["gauntlet uci", "gauntlet uci --log traffic.log"]),
    ("list", &["gauntlet list backends", "gauntlet list techniques --format json", "gauntlet list suites"]),
    (
        "check",
        &[
            "gauntlet check --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"",
            "gauntlet check --pgn games.pgn --format json",
            "gauntlet check --epd positions.epd",
        ],
    ),
    (
        "moves",
        &[
            "gauntlet moves --from san --to uci e4 e5 Nf3",
            "gauntlet moves --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\" --from uci --to fan e1g1",
        ],
    ),
    (
        "init",
        &[
            "gauntlet init --engine ./my-engine",
            "gauntlet init --engine \"cmd=./my-engine,option.Hash=64,name=mine\" --force",
            "gauntlet init",
        ],
    ),
    (
        "completions",
        &[
            "gauntlet completions bash > ~/.local/share/bash-completion/completions/gauntlet",
            "gauntlet completions zsh > ~/.zfunc/_gauntlet",
            "gauntlet completions fish > ~/.config/fish/completions/gauntlet.fish",
        ],
    ),
    (
        "man",
        &[
            "gauntlet man | man -l -",
            "gauntlet man stats elo | man -l -",
            "gauntlet man --out ~/.local/share/man/man1",
        ],
    ),
];

/// The command with the examples of its verbs behind their help.
pub fn added(command: clap::Command) -> clap::Command {
    with_examples(command, "")
}

fn with_examples(command: clap::Command, path: &str) -> clap::Command {
    let command = command.mut_subcommands(|inner| {
        let path = format!("{path} {}", inner.get_name());
        with_examples(inner, path.trim_start())
    });
    let Some((_, lines)) = EXAMPLES.iter().find(|(known, _)| *known == path) else { return command };
    let mut text = format!("Examples:\n  {}", lines.join("\n  "));
    if let Some(more) = command.get_after_help() {
        text.push_str(&format!("\n\n{more}"));
    }
    command.after_help(text)
}

#[cfg(test)]
mod tests {
    use crate::cli::args::command;

    /// As a POSIX shell splits it, as far as examples go: words, and double quotes; what is behind `|` or `>` is not ours.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut is_quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => is_quoted = !is_quoted,
                '|' | '>' if !is_quoted => break,
                ' ' if !is_quoted => words.push(String::new()),
                c => words.last_mut().unwrap().push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    fn visit(command: &clap::Command, path: &str, seen: &mut usize) {
        for verb in command.get_subcommands() {
            let path = format!("{path} {}", verb.get_name());
            visit(verb, &path, seen);
            if verb.has_subcommands() {
                continue;
            }
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            let (_, examples) =
                help.split_once("Examples:\n").unwrap_or_else(|| panic!("{path}: no examples"));
            for line in examples.lines().take_while(|line| line.starts_with("  ")) {
                let words = words(line);
                assert!(words.join(" ").starts_with(&path), "{path}: {line}");
                if let Err(error) = super::super::args::command().try_get_matches_from(&words) {
                    panic!("{line}: {error}");
                }
                *seen += 1;
            }
        }
    }

    /// Headings stand at the left and end with a colon.
    fn headings(help: &str) -> Vec<&str> {
        help.lines().filter(|line| line.ends_with(':') && !line.starts_with(' ')).collect()
    }

    fn no_heading_twice(command: &mut clap::Command, seen: &mut usize) {
        for help in [command.render_help(), command.render_long_help()] {
            let help = help.to_string();
            let mut found = headings(&help);
            *seen += found.len();
            found.sort_unstable();
            let twice = found.windows(2).find(|pair| pair[0] == pair[1]);
            assert!(twice.is_none(), "{}: {twice:?}\n{help}", command.get_name());
        }
        command.get_subcommands_mut().for_each(|inner| no_heading_twice(inner, seen));
    }

    #[test]
    fn no_help_has_a_heading_twice() {
        let (mut seen, mut command) = (0, command());
        command.build();
        no_heading_twice(&mut command, &mut seen);
        assert!(seen > 100, "{seen}");
        assert_eq!(headings("Examples:\n  a:\n\nExamples:\nx"), ["Examples:", "Examples:"]);
    }

    #[test]
    fn every_verb_has_examples_and_each_can_be_typed() {
        let mut seen = 0;
        visit(&command(), "gauntlet", &mut seen);
        assert!(seen > 50, "{seen}");
        for (path, _) in super::EXAMPLES {
            let found =
                path.split(' ').try_fold(command(), |command, name| command.find_subcommand(name).cloned());
            assert!(found.is_some(), "no verb `{path}`");
        }
    }
}
