//! A scatter of values against sizes in bytes, as SVG: the sizes on a logarithmic axis, size 0 in a place of its own at its left.
//! Labels are set where nothing else is; where names find no room near their points, all points get numbers, and a key tells them.

use super::svg::{WIDTH, clipped, n, text_width, tick_label, ticks};
use maud::{Markup, html};

/// One thing: its size, its value (finite, not negative), its name, and what else is known of it.
#[derive(Clone, Debug)]
pub struct Point {
    pub name: String,
    pub bytes: u64,
    pub value: f64,
    pub about: String,
}

const HEIGHT: f64 = 440.0;
/// Plot area.
const LEFT: f64 = 64.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = HEIGHT - 46.0;
/// Width of the place of size 0.
const ZERO: f64 = 84.0;
const RADIUS: f64 = 4.5;
/// Height of a label with some air.
const TALL: f64 = 17.0;

/// Centre, width and height.
#[derive(Clone, Copy, Debug)]
struct Area {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

impl Area {
    fn meets(self, other: Area) -> bool {
        2.0 * (self.x - other.x).abs() < self.w + other.w && 2.0 * (self.y - other.y).abs() < self.h + other.h
    }

    fn is_inside(self) -> bool {
        let (dx, dy) = (self.w / 2.0, self.h / 2.0);
        self.x - dx >= LEFT + 2.0
            && self.x + dx <= WIDTH - 2.0
            && self.y - dy >= 1.0
            && self.y + dy <= BOTTOM - 1.0
    }
}

/// Room for each label next to its point, at most `furthest` away; `None` if one finds none.
fn places(points: &[(f64, f64)], labels: &[String], furthest: f64) -> Option<Vec<Area>> {
    // To the right first, then round in both directions.
    const TURNS: [f64; 16] =
        [0.0, 1.0, -1.0, 8.0, 2.0, -2.0, 7.0, -7.0, 3.0, -3.0, 6.0, -6.0, 4.0, -4.0, 5.0, -5.0];
    let dots: Vec<Area> =
        points.iter().map(|&(x, y)| Area { x, y, w: 2.0 * RADIUS + 2.0, h: 2.0 * RADIUS + 2.0 }).collect();
    let mut placed: Vec<Area> = Vec::new();
    for (&(x, y), label) in points.iter().zip(labels) {
        let w = text_width(label) + 4.0;
        let distances = (0..).map(|step| 7.0 + 4.0 * f64::from(step)).take_while(|&far| far <= furthest);
        let mut around = distances.flat_map(|far| {
            TURNS.iter().map(move |turn| {
                let (sin, cos) = (turn * std::f64::consts::PI / 8.0).sin_cos();
                Area { x: x + (far + w / 2.0) * cos, y: y - (far + TALL / 2.0) * sin, w, h: TALL }
            })
        });
        let free =
            |area: &Area| area.is_inside() && !dots.iter().chain(&placed).any(|other| area.meets(*other));
        placed.push(around.find(free)?);
    }
    Some(placed)
}

/// `1 kB`, `10 kB`, … of a power of ten.
fn size_label(power: i32) -> String {
    let (unit, rest) = match power {
        9.. => ("GB", power - 9),
        6.. => ("MB", power - 6),
        3.. => ("kB", power - 3),
        _ => ("B", power),
    };
    format!("{} {unit}", 10f64.powi(rest))
}

/// The drawing, and whether its points bear numbers (from 1, in the order given) in place of names.
pub fn scatter(title: &str, unit: &str, points: &[Point]) -> (Markup, bool) {
    let usable: Vec<(usize, &Point)> =
        points.iter().enumerate().filter(|(_, p)| p.value.is_finite() && p.value >= 0.0).collect();
    let sizes = || usable.iter().filter(|(_, p)| p.bytes > 0).map(|(_, p)| (p.bytes as f64).log10());
    let (low, high) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let (low, high) =
        if low.is_finite() { (low.floor(), high.ceil().max(low.floor() + 1.0)) } else { (0.0, 1.0) };
    let nothing = usable.iter().any(|(_, p)| p.bytes == 0);
    // With room for the labels of points at the ends.
    let (x0, x1) = (LEFT + if nothing { ZERO + 16.0 } else { 10.0 }, RIGHT - 24.0);
    let x = |bytes: u64| match bytes {
        0 => LEFT + ZERO / 3.0,
        bytes => x0 + (x1 - x0) * ((bytes as f64).log10() - low) / (high - low),
    };
    let top = usable.iter().map(|(_, p)| p.value).fold(0.0, f64::max).max(1e-9) * 1.06;
    let y = |value: f64| BOTTOM - (BOTTOM - TOP) * value / top;
    let at: Vec<(f64, f64)> = usable.iter().map(|(_, p)| (x(p.bytes), y(p.value))).collect();
    let names: Vec<String> = usable.iter().map(|(_, p)| clipped(&p.name, 34)).collect();
    let numbers: Vec<String> = usable.iter().map(|(index, _)| (index + 1).to_string()).collect();
    let named = places(&at, &names, 16.0);
    let numbered = named.is_none();
    let labels = if numbered { &numbers } else { &names };
    let areas = named.or_else(|| places(&at, &numbers, 200.0)).unwrap_or_default();
    let marks = ticks(0.0, top, 6.0);
    let drawing = html! {
        svg class="plot" viewBox=(format!("0 0 {} {}", n(WIDTH), n(HEIGHT))) role="img" aria-label=(title) {
            @for &mark in &marks {
                line class=(if mark == 0.0 { "axis" } else { "grid" }) x1=(n(LEFT)) x2=(n(RIGHT)) y1=(n(y(mark))) y2=(n(y(mark))) {}
                text class="tick" x=(n(LEFT - 8.0)) y=(n(y(mark) + 4.0)) text-anchor="end" { (tick_label(mark, &marks)) }
            }
            @if nothing {
                rect class="apart" x=(n(LEFT)) y=(n(TOP)) width=(n(ZERO)) height=(n(BOTTOM - TOP)) {}
                text class="tick" x=(n(LEFT + ZERO / 2.0)) y=(n(BOTTOM + 16.0)) text-anchor="middle" { "no table" }
            }
            @for power in low as i32..=high as i32 {
                @let mark = x0 + (x1 - x0) * (f64::from(power) - low) / (high - low);
                line class="grid" x1=(n(mark)) x2=(n(mark)) y1=(n(TOP)) y2=(n(BOTTOM + 4.0)) {}
                text class="tick" x=(n(mark)) y=(n(BOTTOM + 16.0)) text-anchor="middle" { (size_label(power)) }
            }
            text class="unit" x=(n((x0 + x1) / 2.0)) y=(n(HEIGHT - 8.0)) text-anchor="middle" { "size of the tables (logarithmic)" }
            text class="unit" transform=(format!("translate(13 {}) rotate(-90)", n((TOP + BOTTOM) / 2.0))) text-anchor="middle" { (unit) }
            @for (&(px, py), area) in at.iter().zip(&areas) {
                @if (area.x - px).abs() - area.w / 2.0 > 12.0 || (area.y - py).abs() - area.h / 2.0 > 12.0 {
                    line class="leader" x1=(n(px)) y1=(n(py)) x2=(n(px.clamp(area.x - area.w / 2.0, area.x + area.w / 2.0)))
                        y2=(n(py.clamp(area.y - area.h / 2.0 + 3.0, area.y + area.h / 2.0 - 3.0))) {}
                }
            }
            @for (index, ((_, point), &(px, py))) in usable.iter().zip(&at).enumerate() {
                g {
                    title { (point.name) ": " (point.about) }
                    circle class="fill s0" cx=(n(px)) cy=(n(py)) r=(n(RADIUS)) {}
                    @if let Some(area) = areas.get(index) {
                        text class="value" x=(n(area.x)) y=(n(area.y + 4.5)) text-anchor="middle" { (labels[index]) }
                    }
                }
            }
        }
    };
    (drawing, numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(count: u64) -> Vec<Point> {
        let point = |i: u64| Point {
            name: format!("technique-number-{i}"),
            bytes: if i.is_multiple_of(7) { 0 } else { 840_000 + i % 5 * 9_000 },
            value: 500.0 - i as f64,
            about: String::new(),
        };
        (0..count).map(point).collect()
    }

    #[test]
    fn labels_meet_neither_each_other_nor_the_points() {
        let points: Vec<(f64, f64)> =
            (0..45u32).map(|i| (500.0 + f64::from(i % 5), 100.0 + 1.5 * f64::from(i))).collect();
        let labels: Vec<String> = (1..=45).map(|i: u32| i.to_string()).collect();
        let areas = places(&points, &labels, 200.0).expect("room");
        for (index, area) in areas.iter().enumerate() {
            assert!(area.is_inside());
            assert!(!areas[index + 1..].iter().any(|other| area.meets(*other)));
            assert!(!points.iter().any(|&(x, y)| area.meets(Area { x, y, w: 1.0, h: 1.0 })));
        }
    }

    #[test]
    fn names_where_there_is_room_and_numbers_elsewhere() {
        let (few, many) = (scatter("t", "u", &many(3)), scatter("t", "u", &many(45)));
        assert!(!few.1 && many.1);
        assert!(few.0.into_string().contains(">technique-number-2</text>"));
        let many = many.0.into_string();
        assert!(many.contains(">45</text>") && many.contains(">no table</text>") && !many.contains("NaN"));
    }

    #[test]
    fn odd_points_leave_no_trace() {
        let odd = |bytes, value| Point { name: "<b>".into(), bytes, value, about: String::new() };
        for points in [
            vec![],
            vec![odd(0, 0.0)],
            vec![odd(1, f64::NAN), odd(u64::MAX, f64::INFINITY)],
            vec![odd(1, 5.0)],
        ] {
            let text = scatter("t", "u", &points).0.into_string();
            assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("<b>"), "{text}");
        }
    }
}
