//! `--live ADDR:PORT`: the page of a run while its games are played, for any number of browsers on one thread of its own. Who plays
//! leaves each committed row in a list that this thread empties, and waits for nobody. Knows no verb; what the page shows is
//! drawn by `report::live`.
//!
//! Without a word about the address it is that of this machine alone: there is no authentication.

mod http;
mod server;
mod site;
mod visitor;

use super::exit::Failure;
use super::output::note;
use crate::record::{Header, Row};
use crate::report::live::Playing;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// An address that is taken, before anything is measured.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    /// `8080` and `:8080` are of this machine alone; port 0 is any that is free.
    pub fn new(flag: &str) -> Result<Bound, Failure> {
        let failed = |error| Failure::usage(format!("--live: {flag}: {error}; port 0 takes any free one"));
        let (host, port) = parts(flag)?;
        let listener = TcpListener::bind((host.as_str(), port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Bound { listener, address })
    }
}

/// Host and port of `PORT`, `:PORT` or `HOST:PORT`, an IPv6 host in brackets.
fn parts(flag: &str) -> Result<(String, u16), Failure> {
    let wrong =
        |why: &str| Failure::usage(format!("--live: `{flag}`: {why} (8080, 127.0.0.1:8080, [::1]:8080)"));
    let (host, port) = flag.rsplit_once(':').unwrap_or(("", flag));
    let host = match host.strip_prefix('[').map(|rest| rest.strip_suffix(']')) {
        Some(Some(inner)) => inner,
        None if !host.contains([':', ']']) => host,
        _ => return Err(wrong("an IPv6 address stands in brackets")),
    };
    let is_number = !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit());
    let port = port.parse().ok().filter(|_| is_number).ok_or_else(|| wrong("no port from 0 to 65535"))?;
    let host = if host.is_empty() { Ipv4Addr::LOCALHOST.to_string() } else { host.to_owned() };
    Ok((host, port))
}

/// What has happened since the server last looked.
#[derive(Debug, Default)]
struct News {
    rows: Vec<Row>,
    header: Option<Header>,
    end: Option<End>,
}

/// The run is over.
#[derive(Debug)]
struct End {
    /// The report as a page of its own.
    page: Option<String>,
}

type Feed = Mutex<News>;

fn take(feed: &Feed) -> News {
    std::mem::take(&mut *feed.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A running server. It ends with this value at the latest.
#[derive(Debug)]
pub struct Server {
    feed: Arc<Feed>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves from now on, and says where.
    pub fn start(bound: Bound, playing: Playing) -> Result<Server, Failure> {
        let Bound { address, .. } = bound;
        let feed: Arc<Feed> = Arc::default();
        let theirs = Arc::clone(&feed);
        let thread = thread::Builder::new().name("live".to_owned());
        let thread = thread.spawn(move || server::serve(&bound, playing, &theirs)).map_err(Failure::usage)?;
        note(format_args!("live: http://{address}/"));
        if !address.ip().is_loopback() {
            note(
                "warning: --live: whoever reaches this address can read the page; there is no authentication",
            );
        }
        Ok(Server { feed, thread: Some(thread) })
    }

    fn with(&self, change: impl FnOnce(&mut News)) {
        // After a bug there nobody empties the list any more.
        if self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            change(&mut self.feed.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    pub fn row(&self, row: &Row) {
        let row = row.clone();
        self.with(|news| news.rows.push(row));
    }

    pub fn header(&self, header: &Header) {
        let header = header.clone();
        self.with(|news| news.header = Some(header));
    }

    /// Shows the end to those who look on, as far as they read, and returns within two seconds.
    pub fn end(mut self, header: &Header, page: Option<String>) {
        self.header(header);
        self.close(page);
    }

    fn close(&mut self, page: Option<String>) {
        self.with(|news| news.end = Some(End { page }));
        if let Some(thread) = self.thread.take() {
            // A panic there was told of by the hook, and is no reason to lose the run.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_host_is_of_this_machine_alone() {
        let known = |flag| parts(flag).map_err(|failure| failure.line());
        let local = |port| Ok(("127.0.0.1".to_owned(), port));
        assert_eq!(known("8080"), local(8080));
        assert_eq!(known(":0"), local(0));
        assert_eq!(known("0.0.0.0:80"), Ok(("0.0.0.0".to_owned(), 80)));
        assert_eq!(known("[::1]:8080"), Ok(("::1".to_owned(), 8080)));
        assert_eq!(known("localhost:65535"), Ok(("localhost".to_owned(), 65535)));
        for wrong in
            ["", ":", "localhost", "localhost:", "::1:80", "1:65536", "a:-1", ":+80", "[::1:80", "::1]:80"]
        {
            assert!(known(wrong).is_err_and(|line| line.starts_with("--live: `")), "{wrong}");
        }
    }
}
