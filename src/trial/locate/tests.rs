//! The descent over engines made of functions: what they say is our count with something done to it.

use super::*;
use crate::rules;
use crate::sliders::Hyperbola;
use std::time::Duration;

fn place(text: &str) -> Place {
    let mode = super::super::castling_mode(false);
    let passed = fen::parse_setup(text, mode).unwrap().ep;
    Place { position: fen::parse(text, mode).unwrap(), passed }
}

/// Right answers in an engine's words.
fn right(&Question { position, depth, .. }: &Question<'_>) -> PerftAnswer {
    let divide = divide(position, depth);
    let divide: Vec<_> = divide.iter().map(|&(mv, n)| (uci_move::format(mv, false), n)).collect();
    PerftAnswer { total: Some(divide.iter().map(|(_, n)| n).sum()), divide, time: Duration::ZERO }
}

fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    rules::perft_divide(position, depth, Hyperbola)
}

fn find(start: &str, depth: u32, ask: &mut Ask<'_>) -> (Option<Fault>, u32) {
    find_after(0, start, depth, ask)
}

/// The same with so many questions asked before.
fn find_after(asked: u32, start: &str, depth: u32, ask: &mut Ask<'_>) -> (Option<Fault>, u32) {
    let place = place(start);
    let mut counts = 0;
    let mut count = |position: &Position, depth: u32| {
        counts += 1;
        Ok(divide(position, depth))
    };
    let mut search = Search { ask, count: &mut count, chess960: false, path: Vec::new(), questions: asked };
    let fault = search.first_fault(&place.position, place.passed, depth).unwrap();
    let questions = search.questions - asked;
    assert_eq!(counts, questions, "each question counts our tree once");
    (fault, questions)
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn a_right_engine_has_no_fault() {
    for depth in 0..4 {
        let (fault, questions) = find(KIWIPETE, depth, &mut |question| Ok(right(question)));
        assert_eq!(fault, None);
        assert!(questions <= 2);
    }
}

/// A hash table that mixes things up: the same question gets different answers, for ever.
#[test]
fn inconsistent_counts_end() {
    let mut calls = 0u64;
    let (fault, questions) = find("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, &mut |question| {
        calls += 1;
        let mut answer = right(&Question { depth: 1, ..*question });
        for (_, nodes) in answer.divide.iter_mut().filter(|_| question.depth > 1) {
            *nodes += 1000 + calls;
        }
        Ok(answer)
    });
    assert_eq!(fault.unwrap().kind, Kind::Count);
    assert!(questions <= MOST_QUESTIONS + 6);
}

/// A table that is right under a total that is not.
#[test]
fn a_total_that_contradicts_its_table_is_a_count_fault() {
    for depth in 1..4 {
        let (fault, _) = find(KIWIPETE, depth, &mut |question| {
            let mut answer = right(question);
            answer.total = answer.total.map(|total| total + u64::from(question.depth == depth));
            Ok(answer)
        });
        let fault = fault.unwrap();
        assert_eq!((fault.kind, fault.path.len()), (Kind::Count, 0), "{depth}");
        assert!(fault.note.contains("total"), "{}", fault.note);
    }
}

/// What was not asked is not called right: every count is one too high as long as it is asked with moves left to go down.
#[test]
fn a_note_does_not_claim_what_was_not_asked() {
    let wrong = |question: &Question<'_>| {
        let mut answer = right(question);
        answer.divide.iter_mut().for_each(|(_, nodes)| *nodes += u64::from(question.depth > 1));
        answer.total = Some(answer.divide.iter().map(|(_, nodes)| nodes).sum());
        Ok(answer)
    };
    let total = |question: &Question<'_>| Ok(PerftAnswer { divide: Vec::new(), ..wrong(question)? });
    let asks: [&mut Ask<'_>; 2] = [&mut { wrong }, &mut { total }];
    for ask in asks {
        // Two questions are the least; then there is nothing left, or enough.
        let notes = [MOST_QUESTIONS - 2, 0].map(|asked| find_after(asked, KIWIPETE, 2, ask).0.unwrap().note);
        assert!(notes[0].contains("2000 questions") && !notes[0].contains("alone"), "{}", notes[0]);
        assert!(notes[1].contains("alone") && !notes[1].contains("2000"), "{}", notes[1]);
    }
}

/// Totals alone: without en passant, one move is missing behind e2e4, and its count tells which.
#[test]
fn totals_alone_name_a_missing_move() {
    fn count(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = position.legal_moves();
        let kept = moves.iter().filter(|mv| mv.kind() != crate::types::MoveKind::EnPassant);
        kept.map(|&mv| {
            let mut after = *position;
            after.play_unchecked(mv);
            count(&after, depth - 1)
        })
        .sum()
    }
    let mut ask = |question: &Question<'_>| {
        Ok(PerftAnswer { total: Some(count(question.position, question.depth)), ..PerftAnswer::default() })
    };
    let fault = find("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", 3, &mut ask).0.unwrap();
    assert_eq!((fault.path.as_slice(), fault.kind), (&["e2e4".to_owned()][..], Kind::EnPassant));
    assert_eq!(fault.missing, ["d4e3"]);
    assert_eq!(fault.fen, "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
}

#[test]
fn names_in_other_notations_are_the_same_moves() {
    let start = "r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let printers: [fn(Move, &Position) -> String; 4] = [
        |mv, position| crate::notation::san::format(mv, position),
        |mv, _| uci_move::format(mv, false).to_uppercase(),
        |mv, _| uci_move::format(mv, true),
        |mv, _| {
            let promotion = mv.promotion_role().map(|role| format!("={}", role.upper_letter()));
            format!("{}-{}{}", mv.from(), mv.to(), promotion.unwrap_or_default())
        },
    ];
    for print in printers {
        let (fault, _) = find(start, 2, &mut |&Question { position, depth, .. }| {
            let divide = divide(position, depth);
            let divide = divide.iter().map(|&(mv, n)| (print(mv, position), n)).collect();
            Ok(PerftAnswer { divide, ..PerftAnswer::default() })
        });
        assert_eq!(fault, None);
    }
}

/// Surplus moves by name: position, what is listed beyond the legal moves, kind.
#[test]
fn kinds_of_surplus_moves() {
    for (start, name, kind) in [
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "d5e6", Kind::EnPassantPinned),
        ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "dxe6", Kind::EnPassantPinned),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1", "d5e6", Kind::EnPassant),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1", Kind::CastlingThroughCheck),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "O-O", Kind::CastlingThroughCheck),
        ("4kr2/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "e1c1", Kind::CastlingThroughCheck),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", Kind::Castling),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1", Kind::Castling),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", Kind::Promotion),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", Kind::Promotion),
        ("4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", "a2a4", Kind::DoublePush),
        ("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3a5", Kind::DoublePush),
        ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", Kind::PinnedPiece),
        ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", Kind::PinnedPiece),
        ("3r2k1/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1", Kind::KingIntoCheck),
        ("4r1k1/8/8/8/8/8/8/N3K3 w - - 0 1", "a1b3", Kind::CheckEvasion),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a1b3", Kind::ImpossibleMove),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b3", Kind::ImpossibleMove),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Qz9", Kind::Unknown),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2", Kind::Duplicate),
    ] {
        let fault = find(start, 1, &mut |question| {
            let mut answer = right(question);
            answer.divide.push((name.to_owned(), 1));
            Ok(answer)
        });
        let fault = fault.0.unwrap();
        assert_eq!((fault.kind, &fault.extra[..]), (kind, &[name.to_owned()][..]), "{start}");
        assert_eq!((fault.fen.as_str(), fault.path.len()), (start, 0));
    }
}

/// Missing moves: position, those left out, kind.
#[test]
fn kinds_of_missing_moves() {
    for (start, names, kind) in [
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", &["d5e6"][..], Kind::EnPassant),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["e1g1"], Kind::Castling),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", &["a7a8n"], Kind::UnderPromotion),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", &["a7a8q", "a7a8n", "a7a8r", "a7a8b"], Kind::Promotion),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", &["a2a4"], Kind::DoublePush),
        ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", &["e2e3", "e2e8"], Kind::PinnedPiece),
        ("4r1k1/8/8/8/8/8/8/N3KN2 w - - 0 1", &["f1e3"], Kind::CheckEvasion),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", &["e1d1"], Kind::KingMove),
        ("4k3/8/8/8/8/n7/8/R3K3 w - - 0 1", &["a1a3"], Kind::Capture),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["a1a3"], Kind::QuietMove),
        ("4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1", &["a2a4", "e1c1"], Kind::Mixed),
        // BR-003: the checking pawn may be taken in passing.
        ("4k3/3p4/8/5pP1/4K3/8/8/8 w - f6 0 1", &["g5f6"], Kind::EnPassant),
    ] {
        let fault = find(start, 1, &mut |question| {
            let mut answer = right(question);
            answer.divide.retain(|(name, _)| !names.contains(&name.as_str()));
            Ok(answer)
        });
        let fault = fault.0.unwrap();
        let mut missing = fault.missing.clone();
        missing.sort();
        let mut expected: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        expected.sort();
        assert_eq!((fault.kind, missing), (kind, expected), "{start}");
        assert!(fault.extra.is_empty());
    }
}

#[test]
fn every_kind_is_described() {
    for kind in Kind::ALL {
        assert!(kind.about().len() > 10 && !kind.about().starts_with(' '), "{}", kind.id());
        assert!(kind.id().chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    }
}
