//! The one table of the engine: every technique a switch, every weight a number. From it come the struct, the text
//! interface of SPECs and of UCI options, and what `list` prints.
//!
//! Ids are kebab-case and permanent: they stand in saved records. Must not know: search, evaluation, UCI text.

use crate::sliders::Backend;
use thiserror::Error;

/// What kind of value a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// `on` or `off`.
    Switch,
    /// A whole number from `min` to `max`.
    Number { min: i32, max: i32 },
    /// One of [`ParamInfo::choices`].
    Choice,
}

/// Which part of the engine a parameter belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamGroup {
    Search,
    Evaluation,
    Time,
    Engine,
}

impl ParamGroup {
    pub const fn name(self) -> &'static str {
        match self {
            ParamGroup::Search => "search",
            ParamGroup::Evaluation => "evaluation",
            ParamGroup::Time => "time",
            ParamGroup::Engine => "engine",
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParamInfo {
    pub id: &'static str,
    pub group: ParamGroup,
    pub kind: ParamKind,
    /// As `Params::set` would take it.
    pub default: &'static str,
    pub doc: &'static str,
}

impl ParamInfo {
    /// The values that a choice has on this processor; `on`, `off` for a switch; empty for a number.
    pub fn choices(&self) -> Vec<&'static str> {
        match self.kind {
            ParamKind::Switch => vec!["on", "off"],
            ParamKind::Number { .. } => Vec::new(),
            ParamKind::Choice => {
                let here = Backend::ALL.iter().filter(|backend| backend.is_supported());
                std::iter::once("auto").chain(here.map(|backend| backend.id())).collect()
            }
        }
    }

    /// `on/off`, `0..300`, `auto/oracle/…`.
    pub fn range(&self) -> String {
        match self.kind {
            ParamKind::Number { min, max } => format!("{min}..{max}"),
            _ => self.choices().join("/"),
        }
    }

    /// A technique or a term: something that can be switched off.
    pub fn is_switch(&self) -> bool {
        self.kind == ParamKind::Switch
    }
}

/// A parameter that is not there, or a value it cannot take.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParamError {
    #[error("unknown parameter `{id}`{}", hint(.nearest))]
    Unknown { id: String, nearest: Option<&'static str> },
    #[error("parameter `{id}`: `{value}` is not one of {range}")]
    BadValue { id: String, value: String, range: String },
    #[error("parameter `{id}`: {why}")]
    Unsupported { id: String, why: String },
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |id| format!(" (did you mean `{id}`?)"))
}

macro_rules! param_type {
    (switch) => { bool };
    (number) => { i32 };
    (choice) => { Option<Backend> };
}

macro_rules! param_default {
    (switch on) => {
        true
    };
    (switch off) => {
        false
    };
    (number $value:literal in $min:literal to $max:literal) => {
        $value
    };
    (choice auto) => {
        None
    };
}

macro_rules! param_default_text {
    (switch $value:ident) => {
        stringify!($value)
    };
    (number $value:literal in $min:literal to $max:literal) => {
        stringify!($value)
    };
    (choice auto) => {
        "auto"
    };
}

macro_rules! param_kind {
    (switch $value:ident) => {
        ParamKind::Switch
    };
    (number $value:literal in $min:literal to $max:literal) => {
        ParamKind::Number { min: $min, max: $max }
    };
    (choice auto) => {
        ParamKind::Choice
    };
}

/// How each kind of value is read and written.
trait Value: Sized {
    fn read(text: &str, kind: ParamKind) -> Option<Self>;
    fn write(&self) -> String;
}

impl Value for bool {
    fn read(text: &str, _: ParamKind) -> Option<bool> {
        match text {
            "on" | "true" | "yes" | "1" => Some(true),
            "off" | "false" | "no" | "0" => Some(false),
            _ => None,
        }
    }

    fn write(&self) -> String {
        String::from(if *self { "on" } else { "off" })
    }
}

impl Value for i32 {
    fn read(text: &str, kind: ParamKind) -> Option<i32> {
        let ParamKind::Number { min, max } = kind else { return None };
        text.parse().ok().filter(|value| (min..=max).contains(value))
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Value for Option<Backend> {
    fn read(text: &str, _: ParamKind) -> Option<Option<Backend>> {
        match text {
            "auto" => Some(None),
            id => Backend::from_id(id).filter(|backend| backend.is_supported()).map(Some),
        }
    }

    fn write(&self) -> String {
        String::from(self.map_or("auto", |backend| backend.id()))
    }
}

macro_rules! params {
    ($( $group:ident { $( $id:literal $field:ident: $kind:ident ($($spec:tt)*) $doc:literal; )* } )*) => {
        /// All switches and numbers of one engine. The fields are documented in [`Params::table`].
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $( $( #[doc = $doc] pub $field: param_type!($kind), )* )*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $( $( $field: param_default!($kind $($spec)*), )* )* }
            }
        }

        static TABLE: &[ParamInfo] = &[ $( $( ParamInfo {
            id: $id,
            group: ParamGroup::$group,
            kind: param_kind!($kind $($spec)*),
            default: param_default_text!($kind $($spec)*),
            doc: $doc,
        }, )* )* ];

        impl Params {
            fn assign(&mut self, info: &ParamInfo, text: &str) -> Option<()> {
                match info.id {
                    $( $( $id => self.$field = Value::read(text, info.kind)?, )* )*
                    _ => return None,
                }
                Some(())
            }

            /// The value of this parameter, as [`Params::set`] would take it.
            pub fn value(&self, id: &str) -> Option<String> {
                match id {
                    $( $( $id => Some(self.$field.write()), )* )*
                    _ => None,
                }
            }
        }

        #[cfg(test)]
        const FIELDS: &[(&str, &str)] = &[ $( $( ($id, stringify!($field)), )* )* ];
    };
}

params! {
    Search {
        "aspiration" aspiration: switch(on) "Aspiration windows: search first in a narrow window around the last score";
        "aspiration-window" aspiration_window: number(18 in 1 to 500) "Half width of the first window, cp";
        "aspiration-depth" aspiration_depth: number(4 in 2 to 20) "First depth with a window";
        "pvs" pvs: switch(on) "Principal variation search: null windows after the first move";
        "tt" tt: switch(on) "Transposition table: cutoffs, stored move and stored evaluation";
        "quiescence" quiescence: switch(on) "Quiescence search of captures and promotions at the horizon; off: static evaluation";
        "quiescence-checks" quiescence_checks: switch(on) "Quiescence answers checks with every evasion; off: stands pat in check too";
        "delta-pruning" delta_pruning: switch(on) "Quiescence skips captures that cannot lift the score to alpha";
        "delta-margin" delta_margin: number(160 in 0 to 2000) "What a capture may win beyond its victim, cp";
        "see-pruning" see_pruning: switch(on) "Skip moves that lose material by static exchange evaluation";
        "see-capture-margin" see_capture_margin: number(90 in 0 to 500) "Loss allowed to a capture per ply of depth, cp";
        "see-quiet-margin" see_quiet_margin: number(60 in 0 to 500) "Loss allowed to a quiet move per ply of depth, cp";
        "see-ordering" see_ordering: switch(on) "Captures that lose material come after the quiet moves";
        "mvv-lva" mvv_lva: switch(on) "Captures ordered: most valuable victim, least valuable attacker";
        "killers" killers: switch(on) "Two killer moves per ply";
        "history" history: switch(on) "History heuristic for quiet moves";
        "history-max" history_max: number(1600 in 1 to 8000) "Largest single change of a history entry";
        "history-slope" history_slope: number(150 in 1 to 2000) "Change of a history entry per ply of depth";
        "continuation-history" continuation_history: switch(on) "History of quiet moves given the move before";
        "countermove" countermove: switch(on) "The quiet move that last refuted the opponent's move is tried early";
        "null-move" null_move: switch(on) "Null move pruning";
        "null-move-depth" null_move_depth: number(2 in 1 to 20) "Smallest depth of a null move";
        "null-move-margin" null_move_margin: number(0 in -500 to 500) "How far above beta the evaluation has to be, cp";
        "null-move-base" null_move_base: number(3 in 1 to 8) "Plies taken off the null move search";
        "null-move-divisor" null_move_divisor: number(5 in 1 to 20) "One more ply per so many plies of depth";
        "null-move-eval-divisor" null_move_eval_divisor: number(200 in 20 to 2000) "One more ply (up to 3) per so many cp above beta";
        "lmr" lmr: switch(on) "Late move reductions";
        "lmr-base" lmr_base: number(80 in -200 to 300) "Constant part of the reduction, hundredths of a ply";
        "lmr-divisor" lmr_divisor: number(190 in 100 to 1000) "Reduction: ln(depth) ln(move number) over this, hundredths";
        "lmr-moves" lmr_moves: number(2 in 1 to 20) "Moves searched at full depth";
        "lmr-depth" lmr_depth: number(2 in 1 to 20) "Smallest depth that is reduced";
        "lmr-history-divisor" lmr_history_divisor: number(8000 in 500 to 65536) "One ply less or more per so much history";
        "late-move-pruning" late_move_pruning: switch(on) "Near the horizon quiet moves late in the order are left out";
        "late-move-base" late_move_base: number(14 in 1 to 50) "Moves of any kind before quiet ones are left out, at depth 0; grows with the square of depth";
        "futility" futility: switch(on) "Futility pruning of quiet moves near the frontier";
        "futility-depth" futility_depth: number(5 in 1 to 12) "Largest (reduced) depth of futility pruning";
        "futility-base" futility_base: number(110 in 0 to 1000) "Constant part of the futility margin, cp";
        "futility-margin" futility_margin: number(85 in 0 to 1000) "Futility margin per ply, cp";
        "reverse-futility" reverse_futility: switch(on) "Reverse futility: cut if the evaluation is far above beta";
        "reverse-futility-depth" reverse_futility_depth: number(7 in 1 to 15) "Largest depth of reverse futility";
        "reverse-futility-margin" reverse_futility_margin: number(75 in 0 to 1000) "Margin per ply, cp";
        "razoring" razoring: switch(on) "Far below alpha near the horizon: quiescence decides";
        "razoring-depth" razoring_depth: number(2 in 1 to 8) "Largest depth of razoring";
        "razoring-margin" razoring_margin: number(280 in 0 to 2000) "Margin per ply, cp";
        "check-extension" check_extension: switch(on) "One more ply when in check";
        "internal-reduction" internal_reduction: switch(on) "One ply less where the table knows no move";
        "internal-reduction-depth" internal_reduction_depth: number(5 in 2 to 20) "Smallest depth of this reduction";
        "mate-distance" mate_distance: switch(on) "Bounds beyond the quickest mate already found are cut";
    }
    Evaluation {
        "material" material: switch(on) "Material values";
        "pawn-mg" pawn_mg: number(84 in 0 to 500) "Pawn, middlegame, cp";
        "pawn-eg" pawn_eg: number(108 in 0 to 500) "Pawn, endgame, cp";
        "knight-mg" knight_mg: number(335 in 0 to 1000) "Knight, middlegame, cp";
        "knight-eg" knight_eg: number(300 in 0 to 1000) "Knight, endgame, cp";
        "bishop-mg" bishop_mg: number(348 in 0 to 1000) "Bishop, middlegame, cp";
        "bishop-eg" bishop_eg: number(312 in 0 to 1000) "Bishop, endgame, cp";
        "rook-mg" rook_mg: number(470 in 0 to 1500) "Rook, middlegame, cp";
        "rook-eg" rook_eg: number(545 in 0 to 1500) "Rook, endgame, cp";
        "queen-mg" queen_mg: number(1000 in 0 to 2500) "Queen, middlegame, cp";
        "queen-eg" queen_eg: number(1000 in 0 to 2500) "Queen, endgame, cp";
        "psqt" psqt: switch(on) "Piece-square tables";
        "psqt-scale" psqt_scale: number(100 in 0 to 300) "Weight of the piece-square tables, per cent";
        "bishop-pair" bishop_pair: switch(on) "Bonus for two bishops";
        "bishop-pair-mg" bishop_pair_mg: number(28 in 0 to 200) "Bishop pair, middlegame, cp";
        "bishop-pair-eg" bishop_pair_eg: number(48 in 0 to 200) "Bishop pair, endgame, cp";
        "doubled-pawns" doubled_pawns: switch(on) "Penalty for pawns behind an own pawn";
        "doubled-mg" doubled_mg: number(8 in 0 to 200) "Doubled pawn, middlegame, cp";
        "doubled-eg" doubled_eg: number(20 in 0 to 200) "Doubled pawn, endgame, cp";
        "isolated-pawns" isolated_pawns: switch(on) "Penalty for pawns without neighbours";
        "isolated-mg" isolated_mg: number(12 in 0 to 200) "Isolated pawn, middlegame, cp";
        "isolated-eg" isolated_eg: number(13 in 0 to 200) "Isolated pawn, endgame, cp";
        "backward-pawns" backward_pawns: switch(on) "Penalty for pawns left behind whose advance is guarded";
        "backward-mg" backward_mg: number(9 in 0 to 200) "Backward pawn, middlegame, cp";
        "backward-eg" backward_eg: number(9 in 0 to 200) "Backward pawn, endgame, cp";
        "connected-pawns" connected_pawns: switch(on) "Bonus for pawns side by side or guarded by pawns";
        "connected-mg" connected_mg: number(6 in 0 to 100) "Connected pawn, middlegame, cp; more when advanced";
        "connected-eg" connected_eg: number(5 in 0 to 100) "Connected pawn, endgame, cp; more when advanced";
        "passed-pawns" passed_pawns: switch(on) "Bonus for passed pawns by rank, path and king distance";
        "passed-mg" passed_mg: number(100 in 0 to 400) "Weight of the middlegame bonus, per cent";
        "passed-eg" passed_eg: number(100 in 0 to 400) "Weight of the endgame bonus, per cent";
        "passed-king" passed_king: number(5 in 0 to 50) "King distance to an advanced passed pawn, endgame, cp per step and rank";
        "mobility" mobility: switch(on) "Squares each piece can go to";
        "mobility-scale" mobility_scale: number(100 in 0 to 400) "Weight of mobility, per cent";
        "king-shelter" king_shelter: switch(on) "Pawns in front of the king, and those storming it";
        "shelter-missing" shelter_missing: number(22 in 0 to 200) "No own pawn on a file beside the king, middlegame, cp";
        "shelter-step" shelter_step: number(9 in 0 to 100) "Per rank that the pawn has left its place, middlegame, cp";
        "storm-step" storm_step: number(7 in 0 to 100) "Per rank that an enemy pawn has come near, middlegame, cp";
        "king-attack" king_attack: switch(on) "Pieces that aim at the squares around the king";
        "king-attack-scale" king_attack_scale: number(100 in 0 to 400) "Weight of the attack, per cent";
        "rook-files" rook_files: switch(on) "Rooks on open and half-open files";
        "rook-open" rook_open: number(30 in 0 to 200) "Rook on an open file, middlegame, cp";
        "rook-half-open" rook_half_open: number(13 in 0 to 200) "Rook on a half-open file, middlegame, cp";
        "threats" threats: switch(on) "Pieces attacked by pawns or by lesser pieces";
        "threat-pawn" threat_pawn: number(42 in 0 to 300) "A piece attacked by a pawn, cp";
        "threat-minor" threat_minor: number(28 in 0 to 300) "A rook or queen attacked by a minor piece, cp";
        "tempo" tempo: switch(on) "Bonus for the side to move";
        "tempo-cp" tempo_cp: number(16 in 0 to 100) "The bonus, cp";
        "draw-scale" draw_scale: switch(on) "Less for drawish material: no pawns left, opposite bishops";
        "mop-up" mop_up: switch(on) "Drive a bare king to the edge";
        "eval-noise" eval_noise: number(0 in 0 to 1000) "Random part of the evaluation, cp; fixed by seed and position";
    }
    Time {
        "move-overhead" move_overhead: number(80 in 0 to 5000) "Time kept in reserve for the way to the clock, ms";
        "moves-left" moves_left: number(26 in 5 to 100) "Moves the remaining time is divided by";
        "increment-share" increment_share: number(70 in 0 to 100) "Part of the increment used for the move, per cent";
        "hard-factor" hard_factor: number(350 in 100 to 1000) "Most time for a move against the planned time, per cent";
    }
    Engine {
        "slider" slider: choice(auto) "Technique for rook and bishop attacks, auto for the fastest here; changes speed only";
    }
}

/// A named set of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    pub id: &'static str,
    pub doc: &'static str,
}

/// Search switches that stay on in the preset `plain`.
const PLAIN_KEEPS: [&str; 3] = ["quiescence", "quiescence-checks", "mvv-lva"];

impl Params {
    /// The named sets that `preset=` takes. A preset resets everything except `slider`.
    pub const PRESETS: [Preset; 3] = [
        Preset { id: "default", doc: "Everything on" },
        Preset { id: "plain", doc: "Alpha-beta with quiescence and MVV-LVA only; full evaluation" },
        Preset { id: "material", doc: "The full search; evaluation counts material and piece squares only" },
    ];

    /// The table: one row per parameter, in order.
    pub fn table() -> &'static [ParamInfo] {
        TABLE
    }

    /// The row of this parameter.
    pub fn info(id: &str) -> Option<&'static ParamInfo> {
        TABLE.iter().find(|info| info.id == id)
    }

    /// Sets a parameter from text: `set("lmr", "off")`, `set("lmr-base", "60")`, `set("preset", "plain")`.
    pub fn set(&mut self, id: &str, value: &str) -> Result<(), ParamError> {
        let bad =
            |range: String| ParamError::BadValue { id: id.to_string(), value: value.to_string(), range };
        if id == "preset" {
            *self = Params { slider: self.slider, ..Params::preset(value).ok_or_else(|| bad(preset_ids()))? };
            return Ok(());
        }
        let Some(info) = Params::info(id) else {
            return Err(ParamError::Unknown { id: id.to_string(), nearest: nearest(id) });
        };
        if info.kind == ParamKind::Choice
            && let Some(why) = Backend::from_id(value).and_then(Backend::unsupported)
        {
            return Err(ParamError::Unsupported { id: id.to_string(), why });
        }
        self.assign(info, value).ok_or_else(|| bad(info.range()))
    }

    /// The named set of values.
    pub fn preset(id: &str) -> Option<Params> {
        let mut params = Params::default();
        let off = |info: &ParamInfo| match id {
            "plain" => info.group == ParamGroup::Search && !PLAIN_KEEPS.contains(&info.id),
            "material" => info.group == ParamGroup::Evaluation && !["material", "psqt"].contains(&info.id),
            _ => false,
        };
        Params::PRESETS.iter().find(|preset| preset.id == id)?;
        for info in TABLE.iter().filter(|info| info.is_switch() && off(info)) {
            params.assign(info, "off")?;
        }
        Some(params)
    }

    /// The same without whatever leaves moves out or looks at them less deeply: for searches that must prove something.
    pub fn full_width(&self) -> Params {
        Params {
            null_move: false,
            reverse_futility: false,
            razoring: false,
            futility: false,
            late_move_pruning: false,
            lmr: false,
            see_pruning: false,
            delta_pruning: false,
            internal_reduction: false,
            ..self.clone()
        }
    }

    /// What differs from the defaults, as `(id, value)`.
    pub fn changes(&self) -> Vec<(&'static str, String)> {
        let value = |info: &ParamInfo| self.value(info.id).filter(|value| value != info.default);
        TABLE.iter().filter_map(|info| value(info).map(|value| (info.id, value))).collect()
    }

    /// The slider technique in force: the chosen one, or the [`fastest`](super::fastest) here.
    pub fn backend(&self) -> Backend {
        self.slider.unwrap_or_else(|| super::fastest().backend)
    }
}

fn preset_ids() -> String {
    Params::PRESETS.map(|preset| preset.id).join("/")
}

/// The known id most like this one, if any is near.
fn nearest(id: &str) -> Option<&'static str> {
    let likeness = |info: &ParamInfo| strsim::jaro_winkler(id, info.id);
    TABLE
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .filter(|info| likeness(info) > 0.8)
        .map(|info| info.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_the_field_names_in_kebab_case_and_unique() {
        for (index, (id, field)) in FIELDS.iter().enumerate() {
            assert_eq!(*id, field.replace('_', "-"));
            assert!(FIELDS[..index].iter().all(|(other, _)| other != id), "{id} twice");
        }
    }

    #[test]
    fn defaults_of_the_table_are_the_defaults_of_the_struct() {
        let mut params = Params::preset("plain").expect("a preset");
        for info in Params::table() {
            assert!(!info.doc.is_empty());
            params.set(info.id, info.default).unwrap_or_else(|error| panic!("{error}"));
        }
        assert_eq!(params, Params::default());
        assert!(params.changes().is_empty());
    }

    #[test]
    fn values_are_checked() {
        let mut params = Params::default();
        assert_eq!(params.set("lmr", "off"), Ok(()));
        assert!(!params.lmr);
        assert_eq!(params.changes(), [("lmr", String::from("off"))]);
        assert_eq!(
            params.set("lmr", "perhaps").unwrap_err().to_string(),
            "parameter `lmr`: `perhaps` is not one of on/off"
        );
        assert!(params.set("lmr-divisor", "0").is_err(), "outside its range");
        assert!(params.set("slider", "nothing").is_err());
        let unknown = params.set("null-mov", "off").unwrap_err().to_string();
        assert_eq!(unknown, "unknown parameter `null-mov` (did you mean `null-move`?)");
        assert_eq!(params.set("preset", "default"), Ok(()));
        assert_eq!(params, Params::default());
    }

    #[test]
    fn presets_exist() {
        for preset in Params::PRESETS {
            assert!(Params::preset(preset.id).is_some(), "{}", preset.id);
        }
        assert!(Params::preset("other").is_none());
        let plain = Params::preset("plain").expect("a preset");
        assert!(plain.quiescence && plain.mobility && !plain.lmr && !plain.tt);
    }
}
