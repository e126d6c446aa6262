//! Plots as SVG: horizontal bars with intervals, values with error bars, lines, columns. Colours, fonts and line styles
//! come from the page's style sheet through classes, so one drawing serves light, dark and print.
//! Labels get their room from estimated text widths, so that none overlap. Knows numbers and labels, nothing of chess.

use super::figures::fixed;
use maud::{Markup, html};

/// Width of every plot in its own units; heights follow from what is shown.
pub(super) const WIDTH: f64 = 720.0;
const LINE: f64 = 26.0;
/// Of more bars than [`MANY`].
const NARROW_LINE: f64 = 19.0;
const MANY: usize = 15;

/// The height of a line of that many, and of its bar.
fn line_height(lines: usize) -> (f64, f64) {
    if lines > MANY { (NARROW_LINE, 12.0) } else { (LINE, 16.0) }
}

/// A coordinate: one decimal, no more digits than needed.
pub(super) fn n(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// Estimated width of a label at 13 px, on the wide side (DejaVu and Verdana are the widest of the fonts asked for).
pub(super) fn text_width(text: &str) -> f64 {
    text.chars()
        .map(|c| {
            if "ilI.,:;|!'()[] ".contains(c) {
                5.2
            } else if "mwMW@%=+−…".contains(c) {
                13.0
            } else {
                8.3
            }
        })
        .sum()
}

/// Not longer than `most` characters; the full text goes into a `<title>`.
pub(super) fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
    }
}

/// Round steps (1, 2 or 5 times a power of ten) that cover `low..high` with about `wanted` marks.
pub(super) fn ticks(low: f64, high: f64, wanted: f64) -> Vec<f64> {
    let span = (high - low).max(f64::MIN_POSITIVE);
    if !span.is_finite() {
        return Vec::new();
    }
    let raw = span / wanted;
    let power = 10f64.powf(raw.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].iter().map(|m| m * power).find(|s| *s >= raw * 0.999).unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).take(50).map(|i| i as f64 * step).collect()
}

/// As many decimals as these marks need.
pub(super) fn tick_label(value: f64, marks: &[f64]) -> String {
    let step = if marks.len() > 1 { (marks[1] - marks[0]).abs() } else { 1.0 };
    let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    if value.abs() >= 10_000.0 { super::figures::short(value) } else { fixed(value, decimals) }
}

/// A power of ten: `1`, `10k`, `100M`.
fn power_label(power: i32) -> String {
    let (suffix, rest) = match power {
        9.. => ("G", power - 9),
        6.. => ("M", power - 6),
        3.. => ("k", power - 3),
        _ => ("", power),
    };
    fixed(10f64.powi(rest), (-rest).clamp(0, 6) as usize) + suffix
}

/// One line of [`bars`] or [`error_bars`].
#[derive(Clone, Debug, Default)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    /// Interval or spread; drawn as a whisker.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// Written at the right edge.
    pub text: String,
    /// Index of the colour.
    pub series: usize,
}

/// Horizontal bars from zero. `unit` names the axis; `most` is the end of the scale if it has a natural one.
pub fn bars(title: &str, unit: &str, bars: &[Bar], most: Option<f64>) -> Markup {
    let greatest = bars
        .iter()
        .flat_map(|b| [b.value, b.high.unwrap_or(b.value)])
        .filter(|v| v.is_finite())
        .fold(0.0, f64::max);
    let top = most.unwrap_or(greatest * 1.02).max(1e-9);
    let thick = line_height(bars.len()).1;
    horizontal(title, unit, bars, 0.0, top, |x, bar, y| {
        let value = if bar.value.is_finite() { bar.value } else { 0.0 };
        html! {
            rect class=(format!("fill s{}", bar.series % 6)) x=(n(x(0.0))) y=(n(y - thick / 2.0)) width=(n((x(value) - x(0.0)).max(0.5))) height=(n(thick)) rx="2" {}
        }
    })
}

/// Values with error bars on a scale that holds zero; infinite ends run to the edge.
pub fn error_bars(title: &str, unit: &str, bars: &[Bar]) -> Markup {
    let all = || bars.iter().flat_map(|b| [Some(b.value), b.low, b.high]).flatten().filter(|v| v.is_finite());
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let pad = ((high - low) * 0.04).max(1.0);
    horizontal(title, unit, bars, low - pad, high + pad, |x, bar, y| {
        html! {
            @if bar.value.is_finite() { circle class=(format!("fill s{}", bar.series % 6)) cx=(n(x(bar.value))) cy=(n(y)) r="5" {} }
        }
    })
}

/// The frame of both: labels at the left, texts at the right, marks below.
fn horizontal(
    title: &str,
    unit: &str,
    bars: &[Bar],
    low: f64,
    high: f64,
    mark: impl Fn(&dyn Fn(f64) -> f64, &Bar, f64) -> Markup,
) -> Markup {
    let left = bars.iter().map(|b| text_width(&clipped(&b.label, 34))).fold(40.0, f64::max) + 12.0;
    let right = bars.iter().map(|b| text_width(&b.text)).fold(20.0, f64::max) + 16.0;
    let (x0, x1) = (left, (WIDTH - right).max(left + 60.0));
    let x = |value: f64| x0 + (x1 - x0) * ((value - low) / (high - low)).clamp(0.0, 1.0);
    let line = line_height(bars.len()).0;
    let bottom = line * bars.len() as f64 + 6.0;
    let marks = ticks(low, high, ((x1 - x0) / 80.0).max(2.0));
    html! {
        svg class="plot" viewBox=(format!("0 0 {} {}", n(WIDTH), n(bottom + 42.0))) role="img" aria-label=(title) {
            @for &at in &marks {
                line class=(if at == 0.0 { "axis" } else { "grid" }) x1=(n(x(at))) x2=(n(x(at))) y1="2" y2=(n(bottom)) {}
                text class="tick" x=(n(x(at))) y=(n(bottom + 15.0)) text-anchor="middle" { (tick_label(at, &marks)) }
            }
            text class="unit" x=(n((x0 + x1) / 2.0)) y=(n(bottom + 35.0)) text-anchor="middle" { (unit) }
            @for (index, bar) in bars.iter().enumerate() {
                @let y = line * index as f64 + line / 2.0 + 3.0;
                g {
                    title { (bar.label) ": " (bar.text) }
                    text class="label" x=(n(x0 - 9.0)) y=(n(y + 4.5)) text-anchor="end" { (clipped(&bar.label, 34)) }
                    (mark(&x, bar, y))
                    @if let (Some(from), Some(to)) = (bar.low, bar.high) {
                        @if !from.is_nan() && !to.is_nan() {
                            path class="whisker" d=(whisker((x(from), from.is_finite()), (x(to), to.is_finite()), y)) {}
                        }
                    }
                    text class="value" x=(n(WIDTH - 4.0)) y=(n(y + 4.5)) text-anchor="end" { (bar.text) }
                }
            }
        }
    }
}

/// A line with a bar across at its finite ends and an arrow's head at its infinite ones.
fn whisker(from: (f64, bool), to: (f64, bool), y: f64) -> String {
    let end = |(x, finite): (f64, bool), inwards: f64| {
        let back = if finite { x } else { x + inwards };
        format!("M{0} {1}L{2} {3}L{0} {4}", n(back), n(y - 4.0), n(x), n(y), n(y + 4.0))
    };
    format!("M{} {}H{}{}{}", n(from.0), n(y), n(to.0), end(from, 6.0), end(to, -6.0))
}

/// One line of a [`lines`] plot.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub name: String,
    /// x ascending.
    pub points: Vec<(f64, f64)>,
    pub series: usize,
    /// Whether each point gets a dot.
    pub dots: bool,
    /// Dots alone, without a line from one to the next.
    pub apart: bool,
    /// Interval of each point, drawn as a whisker; infinite ends run to the edge. Empty: none.
    pub ends: Vec<(f64, f64)>,
}

/// The frame of a [`lines`] plot.
#[derive(Clone, Debug, Default)]
pub struct Axes {
    pub title: String,
    pub x: String,
    pub y: String,
    /// Logarithmic y axis (values must be positive; others are left out).
    pub log_y: bool,
    /// Horizontal lines with their labels.
    pub levels: Vec<(f64, String)>,
    /// Marks of the x axis with their labels, ascending; empty: whole numbers.
    pub marks: Vec<(f64, String)>,
    /// Upright dashed lines: what lies left and right of them differs.
    pub breaks: Vec<f64>,
    pub height: f64,
}

/// Lines over a common x axis. Names of series stand in the legend ([`legend`]), not in the drawing.
pub fn lines(axes: &Axes, series: &[Series]) -> Markup {
    let to_y = |v: f64| if axes.log_y { v.log10() } else { v };
    let usable = |p: &(f64, f64)| p.0.is_finite() && to_y(p.1).is_finite();
    let points = || series.iter().flat_map(|s| &s.points).copied().filter(|p| usable(p));
    if points().next().is_none() {
        return html! { p class="none" { "Nothing to draw: " (super::figures::NONE) } };
    }
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let (x_low, x_high) = range(&mut points().map(|p| p.0));
    let levels = || axes.levels.iter().map(|l| to_y(l.0)).filter(|v| v.is_finite());
    let ends = || series.iter().flat_map(|s| &s.ends).flat_map(|e| [to_y(e.0), to_y(e.1)]);
    let (y_low, y_high) =
        range(&mut points().map(|p| to_y(p.1)).chain(levels()).chain(ends().filter(|v| v.is_finite())));
    let pad = if y_high > y_low { (y_high - y_low) * 0.08 } else { y_high.abs().max(1.0) * 0.1 };
    let (mut y_low, mut y_high) = (y_low - pad, y_high + pad);
    if axes.log_y {
        (y_low, y_high) = (y_low.floor(), y_high.ceil());
    }
    let height = if axes.height > 0.0 { axes.height } else { 260.0 };
    let y_marks = if axes.log_y {
        (y_low as i64..=y_high as i64).map(|d| d as f64).collect()
    } else {
        ticks(y_low, y_high, 5.0)
    };
    let y_label = |v: f64| if axes.log_y { power_label(v as i32) } else { tick_label(v, &y_marks) };
    let left = y_marks.iter().map(|&v| text_width(&y_label(v))).fold(24.0, f64::max) + 34.0;
    let last_mark = axes.marks.last().map_or(0.0, |mark| text_width(&mark.1) / 2.0 - 8.0);
    let right = axes.levels.iter().map(|l| text_width(&l.1)).fold(8.0f64.max(last_mark), f64::max) + 12.0;
    let (x0, x1, y0, y1) = (left, WIDTH - right, height - 44.0, 10.0);
    let x = |v: f64| {
        if x_high > x_low { x0 + (x1 - x0) * (v - x_low) / (x_high - x_low) } else { (x0 + x1) / 2.0 }
    };
    let y = |v: f64| y0 + (y1 - y0) * (v - y_low) / (y_high - y_low);
    let x_marks: Vec<(f64, String)> = if axes.marks.is_empty() {
        // What these lines run along is counted: depths, pairs.
        let whole: Vec<f64> =
            ticks(x_low, x_high, 8.0).into_iter().filter(|mark| mark.fract() == 0.0).collect();
        whole.iter().map(|&mark| (mark, tick_label(mark, &whole))).collect()
    } else {
        spaced(&axes.marks, x)
    };
    html! {
        svg class="plot" viewBox=(format!("0 0 {} {}", n(WIDTH), n(height))) role="img" aria-label=(axes.title) {
            @for &at in &y_marks {
                line class="grid" x1=(n(x0)) x2=(n(x1)) y1=(n(y(at))) y2=(n(y(at))) {}
                text class="tick" x=(n(x0 - 8.0)) y=(n(y(at) + 4.0)) text-anchor="end" { (y_label(at)) }
            }
            @for (at, label) in &x_marks {
                line class="grid" x1=(n(x(*at))) x2=(n(x(*at))) y1=(n(y0)) y2=(n(y0 + 4.0)) {}
                text class="tick" x=(n(x(*at))) y=(n(y0 + 18.0)) text-anchor="middle" { (label) }
            }
            line class="axis" x1=(n(x0)) x2=(n(x1)) y1=(n(y0)) y2=(n(y0)) {}
            text class="unit" x=(n((x0 + x1) / 2.0)) y=(n(height - 6.0)) text-anchor="middle" { (axes.x) }
            text class="unit" transform=(format!("translate(13 {}) rotate(-90)", n((y0 + y1) / 2.0))) text-anchor="middle" { (axes.y) }
            @for (level, label) in &axes.levels {
                @if to_y(*level).is_finite() {
                    @let at = y(to_y(*level));
                    line class="level" x1=(n(x0)) x2=(n(x1)) y1=(n(at)) y2=(n(at)) {}
                    @if !label.is_empty() { text class="label" x=(n(x1 + 6.0)) y=(n(at + 4.5)) { (label) } }
                }
            }
            @for &at in &axes.breaks { line class="level" x1=(n(x(at))) x2=(n(x(at))) y1=(n(y0)) y2=(n(y1)) {} }
            @for line in series {
                @let drawn: Vec<(f64, f64)> = line.points.iter().copied().filter(|p| usable(p)).map(|p| (x(p.0), y(to_y(p.1)))).collect();
                @let path: Vec<String> = drawn.iter().map(|p| format!("{} {}", n(p.0), n(p.1))).collect();
                g class=(format!("series s{}", line.series % 6)) {
                    title { (line.name) }
                    @for (point, ends) in line.points.iter().zip(&line.ends) {
                        @if let Some(d) = upright(x(point.0), [ends.0, ends.1].map(|end| y(to_y(end))), [y0, y1]) {
                            path class="whisker" d=(d) {}
                        }
                    }
                    @if !path.is_empty() && !line.apart { path class="stroke" d=(format!("M{}", path.join("L"))) {} }
                    @if line.dots { @for p in &drawn { circle class="fill" cx=(n(p.0)) cy=(n(p.1)) r="3.5" {} } }
                }
            }
        }
    }
}

/// Those marks whose labels do not run into the one before.
fn spaced(marks: &[(f64, String)], x: impl Fn(f64) -> f64) -> Vec<(f64, String)> {
    let mut kept: Vec<(f64, String)> = Vec::new();
    for (at, label) in marks {
        let room = |last: &(f64, String)| (text_width(&last.1) + text_width(label)) / 2.0 + 6.0;
        if kept.last().is_none_or(|last| x(*at) - x(last.0) >= room(last)) {
            kept.push((*at, label.clone()));
        }
    }
    kept
}

/// An upright whisker between two ends, cut off at the edges (bottom, top), with a bar across the ends that are not.
fn upright(x: f64, ends: [f64; 2], [bottom, top]: [f64; 2]) -> Option<String> {
    if !x.is_finite() || ends.iter().any(|end| end.is_nan()) {
        return None;
    }
    let bar = |end: f64| match end.is_finite() {
        true => format!("M{} {1}L{2} {1}", n(x - 4.0), n(end), n(x + 4.0)),
        false => String::new(),
    };
    let [from, to] = ends.map(|end| end.clamp(top, bottom));
    Some(format!("M{} {}V{}{}{}", n(x), n(from), n(to), bar(ends[0]), bar(ends[1])))
}

/// Columns with their counts on top.
pub fn columns(title: &str, unit: &str, columns: &[(String, u64)]) -> Markup {
    let (height, top, y0) = (210.0, 24.0, 160.0);
    let greatest = columns.iter().map(|c| c.1).max().unwrap_or(0).max(1) as f64;
    let step = (WIDTH - 40.0) / columns.len().max(1) as f64;
    html! {
        svg class="plot" viewBox=(format!("0 0 {} {}", n(WIDTH), n(height))) role="img" aria-label=(title) {
            line class="axis" x1="20" x2=(n(WIDTH - 20.0)) y1=(n(y0)) y2=(n(y0)) {}
            @for (index, (label, count)) in columns.iter().enumerate() {
                @let middle = 20.0 + step * (index as f64 + 0.5);
                @let tall = (y0 - top) * *count as f64 / greatest;
                rect class="fill s0" x=(n(middle - step * 0.3)) y=(n(y0 - tall)) width=(n(step * 0.6)) height=(n(tall)) rx="2" {}
                text class="value" x=(n(middle)) y=(n(y0 - tall - 7.0)) text-anchor="middle" { (super::figures::count(*count)) }
                text class="label" x=(n(middle)) y=(n(y0 + 18.0)) text-anchor="middle" { (label) }
            }
            text class="unit" x=(n(WIDTH / 2.0)) y=(n(height - 6.0)) text-anchor="middle" { (unit) }
        }
    }
}

/// Names of series with their colours; empty for a single one.
pub fn legend(names: &[String]) -> Markup {
    html! {
        @if names.len() > 1 {
            ul class="legend" {
                @for (index, name) in names.iter().enumerate() { li { span class=(format!("key s{}", index % 6)) {} (name) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_bounded() {
        assert_eq!(ticks(0.0, 100.0, 5.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(-3.1, 3.1, 6.0), [-2.0, 0.0, 2.0]);
        assert!(ticks(0.0, f64::INFINITY, 5.0).is_empty());
        assert!(ticks(5.0, 5.0, 5.0).len() <= 50);
    }

    #[test]
    fn marks_that_would_run_into_each_other_are_left_out() {
        let marks: Vec<(f64, String)> =
            (0..100).map(|at| (f64::from(at), format!("{}", at * 1000))).collect();
        let kept = spaced(&marks, |at| 5.0 * at);
        assert!(kept.len() > 3 && kept.windows(2).all(|two| two[1].0 - two[0].0 >= 3.0), "{kept:?}");
        let far = spaced(&marks, |at| 100.0 * at);
        assert_eq!(far.len(), marks.len());
    }

    #[test]
    fn undefined_values_leave_no_trace() {
        let bar = |value| Bar {
            label: "<b>".into(),
            value,
            low: Some(f64::NAN),
            high: Some(f64::INFINITY),
            ..Bar::default()
        };
        for drawing in [
            bars("t", "u", &[bar(f64::NAN), bar(1.0)], None),
            error_bars("t", "u", &[bar(f64::NEG_INFINITY), bar(0.0)]),
            lines(
                &Axes { log_y: true, ..Axes::default() },
                &[Series { points: vec![(1.0, 0.0), (2.0, 5.0)], ..Series::default() }],
            ),
            lines(&Axes::default(), &[Series { points: vec![(f64::NAN, 0.0)], ..Series::default() }]),
            lines(
                &Axes::default(),
                &[Series {
                    points: vec![(1.0, 5.0), (2.0, f64::INFINITY), (3.0, 6.0)],
                    ends: vec![(f64::NAN, 1.0), (3.0, f64::INFINITY), (f64::NEG_INFINITY, 7.0)],
                    ..Series::default()
                }],
            ),
            bars("t", "u", &[], None),
            columns("t", "u", &[]),
        ] {
            let text = drawing.into_string();
            assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("<b>"), "{text}");
        }
    }
}
