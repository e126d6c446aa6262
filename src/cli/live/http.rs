//! Requests and answers of HTTP/1.1, as far as a page and its events need them. A connection is good for one request.
//! Must not know sockets.

use httparse::{EMPTY_HEADER, Error, Request, Status};

/// A longer head is refused.
const MOST_BYTES: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// What a request is after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    Page,
    State,
    /// Events, those behind this mark.
    Events(Option<String>),
}

/// What the bytes so far come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// No request yet.
    Partly,
    For {
        wanted: Wanted,
        /// The head of the answer alone.
        only_head: bool,
    },
    Refused(Refusal),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    BadRequest,
    NotFound,
    WrongMethod,
    WrongHost,
    TooLong,
    TooMany,
}

/// Reads a request. `is_local`: served to this machine alone, so that a page of another host that a browser takes for this one
/// (its name having been pointed here) gets nothing.
pub fn asked(bytes: &[u8], is_local: bool) -> Asked {
    let mut headers = [EMPTY_HEADER; MOST_HEADERS];
    let mut request = Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(Status::Complete(_)) => {}
        Ok(Status::Partial) if bytes.len() < MOST_BYTES => return Asked::Partly,
        Ok(Status::Partial) | Err(Error::TooManyHeaders) => return Asked::Refused(Refusal::TooLong),
        Err(_) => return Asked::Refused(Refusal::BadRequest),
    }
    let header = |name: &str| {
        let found = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| String::from_utf8_lossy(header.value).trim().to_owned())
    };
    if is_local && header("host").is_some_and(|host| !is_here(&host)) {
        return Asked::Refused(Refusal::WrongHost);
    }
    let (path, query) =
        request.path.unwrap_or_default().split_once('?').unwrap_or((request.path.unwrap_or_default(), ""));
    let wanted = match path {
        "/" => Wanted::Page,
        "/report.json" => Wanted::State,
        "/events" => {
            // A browser that has lost us tells the last one it got; before that the page's own script tells what it shows.
            let of_page = || query.split('&').find_map(|pair| pair.strip_prefix("after=")).map(str::to_owned);
            Wanted::Events(header("last-event-id").or_else(of_page))
        }
        _ => return Asked::Refused(Refusal::NotFound),
    };
    match request.method {
        Some("GET") => Asked::For { wanted, only_head: false },
        Some("HEAD") => Asked::For { wanted, only_head: true },
        _ => Asked::Refused(Refusal::WrongMethod),
    }
}

/// Whether a Host header names this machine.
fn is_here(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let address = name.parse::<std::net::IpAddr>();
    address.map_or_else(|_| name.eq_ignore_ascii_case("localhost"), |address| address.is_loopback())
}

/// The head of an answer; `length` is none of events, which end with the connection.
pub fn head(status: &str, kind: &str, length: Option<usize>) -> String {
    let length = length.map_or_else(String::new, |length| format!("Content-Length: {length}\r\n"));
    // The page brings all it needs; nothing may be loaded from elsewhere, whatever an engine calls itself.
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{length}Cache-Control: no-store\r\nConnection: close\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'\r\n\r\n"
    )
}

/// The whole answer to a request that is refused.
pub fn refusal(why: Refusal) -> Vec<u8> {
    let (status, text) = match why {
        Refusal::BadRequest => ("400 Bad Request", "This is no HTTP request."),
        Refusal::NotFound => ("404 Not Found", "There are /, /events and /report.json."),
        Refusal::WrongMethod => ("405 Method Not Allowed", "The page can be read only."),
        Refusal::WrongHost => (
            "421 Misdirected Request",
            "The page is served to this machine alone, as localhost or 127.0.0.1.",
        ),
        Refusal::TooLong => ("431 Request Header Fields Too Large", "The head of the request is too long."),
        Refusal::TooMany => ("503 Service Unavailable", "Too many are looking on already."),
    };
    let allow = if why == Refusal::WrongMethod { "Allow: GET, HEAD\r\n" } else { "" };
    let body = format!("{text}\n");
    let head = head(status, "text/plain; charset=utf-8", Some(body.len()));
    // Behind the status line.
    let head = head.replacen("\r\n", &format!("\r\n{allow}"), 1);
    (head + &body).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Asked {
        asked(text.as_bytes(), true)
    }

    fn get(wanted: Wanted) -> Asked {
        Asked::For { wanted, only_head: false }
    }

    #[test]
    fn what_is_asked_for() {
        assert_eq!(of("GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"), get(Wanted::Page));
        assert_eq!(of("GET / HTTP/1.0\r\n\r\n"), get(Wanted::Page));
        assert_eq!(of("GET /?x HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"), get(Wanted::Page));
        assert_eq!(of("GET /report.json HTTP/1.1\r\n\r\n"), get(Wanted::State));
        assert_eq!(of("GET /events HTTP/1.1\r\n\r\n"), get(Wanted::Events(None)));
        let after = |mark: &str| get(Wanted::Events(Some(mark.to_owned())));
        assert_eq!(of("GET /events?after=a-1 HTTP/1.1\r\n\r\n"), after("a-1"));
        assert_eq!(of("GET /events?after=a-1 HTTP/1.1\r\nlast-event-id:  a-7 \r\n\r\n"), after("a-7"));
        let head = Asked::For { wanted: Wanted::Page, only_head: true };
        assert_eq!(of("HEAD / HTTP/1.1\r\n\r\n"), head);
    }

    #[test]
    fn what_is_refused() {
        let refused = |text: &str, why| assert_eq!(of(text), Asked::Refused(why), "{text}");
        refused("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", Refusal::WrongMethod);
        refused("GET /games.pgn HTTP/1.1\r\n\r\n", Refusal::NotFound);
        refused("GET /../etc/passwd HTTP/1.1\r\n\r\n", Refusal::NotFound);
        refused("\x16\x03\x01\x02", Refusal::BadRequest);
        refused("GET / HTTP/1.1\r\nno colon\r\n\r\n", Refusal::BadRequest);
        refused("GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n", Refusal::WrongHost);
        refused(&format!("GET / HTTP/1.1\r\nX: {}", "a".repeat(MOST_BYTES)), Refusal::TooLong);
        refused(&format!("GET / HTTP/1.1\r\n{}\r\n", "X: a\r\n".repeat(MOST_HEADERS + 1)), Refusal::TooLong);
        assert_eq!(of("GET / HT"), Asked::Partly);
        assert_eq!(asked(b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", false), get(Wanted::Page));
    }

    #[test]
    fn an_answer_has_the_length_it_tells() {
        let text = String::from_utf8(refusal(Refusal::WrongMethod)).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 405 ") && head.contains("\r\nAllow: GET, HEAD\r\n"));
        assert!(head.contains(&format!("\r\nContent-Length: {}\r\n", body.len())));
    }
}
