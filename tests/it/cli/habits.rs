//! What one gets used to: a settings file for one's engine, completions, manual pages, colours where they belong.

use super::{gauntlet, refused_in, text};
use std::path::Path;
use std::process::{Command, Stdio};

/// Our own server as an engine of somebody else.
const ENGINE: &str = concat!("cmd=", env!("CARGO_BIN_EXE_gauntlet"), ",arg=uci,name=mine");

fn settings(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("gauntlet.toml")).unwrap()
}

#[test]
fn a_settings_file_knows_the_engine_and_every_verb_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = gauntlet(folder.path(), &["init", "--engine", ENGINE]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let said = text(&out.stdout);
    let (next, line) = said.trim_end().rsplit_once('\n').unwrap();
    assert!(next.starts_with("next: gauntlet compliance"), "{next}");
    assert!(line.starts_with("init: file=gauntlet.toml engine=\"Gauntlet"), "{line}");
    // What it says over UCI.
    let file = settings(folder.path());
    assert!(file.contains("# The engine: Gauntlet"), "{file}");
    assert!(file.contains("#   Hash: 1 to "), "{file}");
    let options = file.lines().filter(|line| line.starts_with("#   ")).count();
    assert!(line.ends_with(&format!(" options={options}")) && options > 3, "{line}");
    // Verbs that take the engine from it, and all others: none complains of the file.
    let run = |args: &[&str]| {
        let out = gauntlet(folder.path(), &[args, &["--out", "none"]].concat());
        let stderr = text(&out.stderr);
        assert!(!stderr.contains("gauntlet.toml"), "{args:?}: {stderr}");
        (out.status.code(), text(&out.stdout))
    };
    let (code, bench) = run(&["bench", "--depth", "2"]);
    assert_eq!(code, Some(0), "{bench}");
    assert!(bench.contains("mine"), "{bench}");
    let (code, tactics) = run(&["tactics", "bratko-kopec.epd", "--nodes", "50"]);
    assert!(code == Some(0) && tactics.contains("engine=mine "), "{tactics}");
    let games = ["match", "--pairs", "1", "--each", "nodes=50", "--maxmoves", "10", "--quiet"];
    let (code, games) = run(&games);
    assert!(code == Some(0) && games.starts_with("match: games=2 "), "{games}");
    for args in [
        &["perft", "--depth", "2"][..],
        &["compliance", "--check", "quit"],
        &["stats", "elo", "--wdl", "1,2,3"],
        &["stats", "llr", "--wdl", "10,20,30"],
        &["stats", "length", "--elo", "2"],
        &["list", "suites"],
        &["gate", "--base", "embedded", "--stages", "signature"],
        &["check", "--fen", "8/8/8/8/8/8/8/K1k5 w - - 0 1"],
        &["moves", "e4"],
        &["sprt", "--max-pairs", "1", "--each", "nodes=50", "--maxmoves", "10"],
        // They lack something, but not because of the file.
        &["rate"],
        &["report"],
        &["study"],
        &["magics", "--scheme", "nonsense"],
        &["sliders", "--backends", "nonsense"],
        &["symmetry", "missing.epd"],
        &["stats", "validate", "--runs", "0"],
    ] {
        run(args);
    }
    // It is not overwritten unless that is wanted.
    refused_in(folder.path(), &["init"], 2, &["gauntlet.toml", "--force"]);
    assert_eq!(settings(folder.path()), file);
    assert_eq!(gauntlet(folder.path(), &["init", "--force"]).status.code(), Some(0));
    assert!(settings(folder.path()).contains("engine = \"embedded\""));
    // Also where the one that is there is broken.
    std::fs::write(folder.path().join("gauntlet.toml"), "[perft\n").unwrap();
    assert_eq!(gauntlet(folder.path(), &["init", "--force"]).status.code(), Some(0));
    assert_eq!(gauntlet(folder.path(), &["list", "suites"]).status.code(), Some(0));
}

#[test]
fn an_engine_that_does_not_start_leaves_no_settings_file() {
    let folder = tempfile::tempdir().unwrap();
    refused_in(folder.path(), &["init", "--engine", "./nowhere"], 4, &["nowhere"]);
    refused_in(folder.path(), &["init", "--engine", "embedded:lmx=off"], 2, &["lmx", "lmr"]);
    refused_in(folder.path(), &["init", "--engine", "embedded:depth=3"], 2, &["depth=3", "each"]);
    assert!(!folder.path().join("gauntlet.toml").exists());
}

#[test]
fn completions_are_scripts_of_their_shell() {
    let folder = tempfile::tempdir().unwrap();
    // A broken settings file is no reason to go without.
    std::fs::write(folder.path().join("gauntlet.toml"), "[perft\n").unwrap();
    for (shell, word) in
        [("bash", "complete -F"), ("zsh", "#compdef gauntlet"), ("fish", "complete -c gauntlet")]
    {
        let out = gauntlet(folder.path(), &["completions", shell]);
        assert_eq!(out.status.code(), Some(0), "{shell}");
        let script = text(&out.stdout);
        for wanted in [word, "perft", "locate", "openings", "live"] {
            assert!(script.contains(wanted), "{shell}: {wanted}");
        }
        std::fs::write(folder.path().join(shell), script).unwrap();
        // As far as the shell is there.
        let read = Command::new(shell).arg("-n").arg(shell).current_dir(folder.path()).output();
        assert!(read.is_ok_and(|read| read.status.success()) || shell != "bash", "{shell}");
    }
    let ask = "source ./bash; COMP_WORDS=(gauntlet per); COMP_CWORD=1; _gauntlet gauntlet per gauntlet; echo ${COMPREPLY[@]}; \
               COMP_WORDS=(gauntlet perft --loc); COMP_CWORD=2; _gauntlet gauntlet --loc perft; echo ${COMPREPLY[@]}";
    let out = Command::new("bash").args(["-c", ask]).current_dir(folder.path()).output().unwrap();
    assert_eq!(text(&out.stdout), "perft\n--locate\n", "{}", text(&out.stderr));
    refused_in(folder.path(), &["completions", "tcsh"], 2, &["tcsh", "bash", "zsh", "fish"]);
    refused_in(folder.path(), &["completions"], 2, &["SHELL"]);
}

#[test]
fn there_is_a_manual_page_for_the_program_and_each_verb() {
    let folder = tempfile::tempdir().unwrap();
    let page = |args: &[&str]| {
        let out = gauntlet(folder.path(), &[&["man"], args].concat());
        assert_eq!(out.status.code(), Some(0), "{args:?}: {}", text(&out.stderr));
        text(&out.stdout)
    };
    assert!(page(&[]).contains(".TH gauntlet 1"));
    let perft = page(&["perft"]);
    for word in [".TH gauntlet\\-perft 1", "locate", "seed", "Examples", ".SH SYNOPSIS"] {
        assert!(perft.contains(word) || perft.contains(&word.replace("\\-", "-")), "{word}: {perft}");
    }
    assert!(page(&["stats", "elo"]).contains("wdl"));
    refused_in(folder.path(), &["man", "perfd"], 2, &["perfd", "perft"]);
    assert_eq!(gauntlet(folder.path(), &["man", "--out", "pages"]).status.code(), Some(0));
    let pages: Vec<String> = std::fs::read_dir(folder.path().join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in ["gauntlet.1", "gauntlet-perft.1", "gauntlet-stats-elo.1", "gauntlet-init.1"] {
        assert!(pages.iter().any(|page| page == name), "{name}: {pages:?}");
    }
    refused_in(folder.path(), &["man", "perft", "--out", "pages"], 2, &["--out"]);
}

/// `gauntlet --help` with stdout a terminal or a pipe: whether there are colours in it.
#[cfg(target_os = "linux")]
fn is_coloured(on_terminal: bool, variables: &[(&str, &str)]) -> bool {
    let program = env!("CARGO_BIN_EXE_gauntlet");
    let mut command = if on_terminal {
        // From util-linux: gives a command a terminal.
        let mut command = Command::new("script");
        command.args(["-qec", &format!("'{program}' --help"), "/dev/null"]);
        command
    } else {
        let mut command = Command::new(program);
        command.arg("--help");
        command
    };
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color").envs(variables.iter().copied()).stdin(Stdio::null());
    let out = command.output().unwrap();
    assert!(text(&out.stdout).contains("perft"), "{}", text(&out.stderr));
    out.stdout.contains(&0x1b)
}

#[cfg(target_os = "linux")]
#[test]
fn colours_are_for_terminals_and_for_those_who_want_them() {
    assert!(!is_coloured(false, &[]));
    assert!(!is_coloured(false, &[("NO_COLOR", "1")]));
    assert!(is_coloured(false, &[("CLICOLOR_FORCE", "1")]));
    if Command::new("script").arg("--version").output().is_ok() {
        assert!(is_coloured(true, &[]));
        assert!(!is_coloured(true, &[("NO_COLOR", "1")]));
        assert!(!is_coloured(true, &[("TERM", "dumb")]));
    }
}

/// A run has the name that its user gives it, in its record and in what is drawn from it; a repetition has a name of its own.
#[test]
fn a_label_names_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let out = gauntlet(folder.path(), args);
        assert_eq!(out.status.code(), Some(0), "{args:?}: {}", text(&out.stderr));
    };
    for (name, label) in [("a", "v1"), ("b", "<b>v2</b>")] {
        run(&["bench", "--depth", "2", "--label", label, "--out", &format!("all/{name}")]);
    }
    run(&["report", "all/a", "all/b", "--out", "side"]);
    run(&["report", "--history", "all", "--out", "history"]);
    run(&["bench", "--plan", "all/a/plan.toml", "--out", "again"]);
    for (label, word) in [
        ("", "empty"),
        ("  ", "empty"),
        ("a\nb", "control"),
        ("\u{1b}[31m", "control"),
        (&"x".repeat(81), "80"),
    ] {
        refused_in(folder.path(), &["bench", "--depth", "1", "--label", label], 2, &["--label", word]);
    }
    std::fs::write(folder.path().join("l.toml"), "[common]\nlabel = 'x'\n").unwrap();
    refused_in(folder.path(), &["bench", "--depth", "1", "--config", "l.toml"], 2, &["l.toml:2: ", "label"]);
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    assert!(read("all/a/header.json").contains("\"label\": \"v1\""));
    assert!(!read("again/header.json").contains("\"label\""));
    for page in ["all/b", "side", "history"] {
        let page = read(&format!("{page}/report.html"));
        assert!(page.contains("&lt;b&gt;v2&lt;/b&gt;") && !page.contains("<b>v2"), "{page}");
    }
}
