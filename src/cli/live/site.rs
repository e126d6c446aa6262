//! What the server has to show: the page, its changes as events, the state as JSON. Drawn at most once a second and only for somebody
//! who looks; all get the same bytes. Must not know sockets.

use super::{Feed, take};
use crate::report::live::{self, Drawn, Playing};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Between two drawings.
const PAUSE: Duration = Duration::from_secs(1);

/// Drawing may take one part in so many of the time of one processor.
const SHARE: u32 = 20;

pub type Bytes = Arc<[u8]>;

#[derive(Debug)]
pub struct Site {
    playing: Playing,
    /// Marks of this run begin with it: another one on the same port has another page.
    run: String,
    /// Of what was drawn last; 0: nothing yet.
    version: u64,
    drawn: Drawn,
    /// The version that each part of `drawn` has been the same since.
    since: Vec<u64>,
    /// When the next may be drawn.
    next: Instant,
    is_dirty: bool,
    page: Option<Bytes>,
    state: Option<Bytes>,
    /// Changes since these versions.
    changes: HashMap<u64, Bytes>,
    /// The run is over: its report, if there is one.
    end: Option<Option<String>>,
}

impl Site {
    pub fn new(playing: Playing) -> Site {
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        Site {
            playing,
            run: format!("{:x}.{:x}", std::process::id(), nanos),
            version: 0,
            drawn: Drawn::default(),
            since: Vec::new(),
            next: Instant::now(),
            is_dirty: true,
            page: None,
            state: None,
            changes: HashMap::new(),
            end: None,
        }
    }

    /// Takes in what has happened.
    pub fn look(&mut self, feed: &Feed) {
        let news = take(feed);
        self.is_dirty |= !news.rows.is_empty() || news.header.is_some() || news.end.is_some();
        news.rows.iter().for_each(|row| self.playing.add(row));
        if let Some(header) = news.header {
            self.playing.header = header;
        }
        if let Some(end) = news.end {
            self.end = Some(end.page);
        }
    }

    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    /// Draws anew what has changed, if it is time.
    pub fn freshen(&mut self, now: Instant) {
        let is_due = self.version == 0 || self.is_over() || now >= self.next;
        if !self.is_dirty || !is_due {
            return;
        }
        let started = Instant::now();
        let drawn = self.playing.draw();
        let same_since = |name: &str, html: &str| {
            let place = self.drawn.parts.iter().position(|(known, _)| *known == name)?;
            (self.drawn.parts[place].1 == html).then(|| self.since[place])
        };
        let version = self.version + 1;
        self.since =
            drawn.parts.iter().map(|(name, html)| same_since(name, html).unwrap_or(version)).collect();
        (self.version, self.drawn, self.is_dirty) = (version, drawn, false);
        (self.page, self.state) = (None, None);
        self.changes.clear();
        self.next = now + PAUSE.max(started.elapsed() * SHARE);
    }

    fn mark(&self) -> String {
        format!("{}-{}", self.run, self.version)
    }

    /// The version of a mark; 0 of none, or one of another run.
    pub fn version_of(&self, mark: Option<&str>) -> u64 {
        let version = mark.and_then(|mark| mark.strip_prefix(&self.run)?.strip_prefix('-')?.parse().ok());
        version.filter(|version| *version <= self.version).unwrap_or(0)
    }

    pub fn page(&mut self) -> Bytes {
        let mark = self.mark();
        self.page.get_or_insert_with(|| live::page(&self.drawn, &mark).into_bytes().into()).clone()
    }

    pub fn state(&mut self) -> Bytes {
        self.state
            .get_or_insert_with(|| {
                let mut text = format!("{:#}", self.drawn.state);
                text.push('\n');
                text.into_bytes().into()
            })
            .clone()
    }

    /// What has changed since a version, as an event; after the last one that it is over.
    pub fn changes(&mut self, since: u64) -> Bytes {
        if let Some(known) = self.changes.get(&since) {
            return known.clone();
        }
        let order: Vec<&str> = self.drawn.parts.iter().map(|(name, _)| *name).collect();
        let parts = self.drawn.parts.iter().zip(&self.since).filter(|(_, at)| **at > since);
        let parts: Map<String, Value> =
            parts.map(|((name, html), _)| ((*name).to_owned(), Value::from(html.as_str()))).collect();
        let mut text = event(
            "update",
            &self.mark(),
            &json!({"title": self.drawn.title, "order": order, "parts": parts}),
        );
        if let Some(page) = &self.end {
            text.push_str(&event("done", &self.mark(), &json!({"page": page})));
        }
        let bytes: Bytes = text.into_bytes().into();
        self.changes.insert(since, bytes.clone());
        bytes
    }
}

/// JSON has no line ends, so that one line of data is enough.
fn event(name: &str, mark: &str, data: &Value) -> String {
    format!("id: {mark}\nevent: {name}\ndata: {data}\n\n")
}
