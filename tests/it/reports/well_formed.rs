//! A strict reader of the HTML we write: every tag closed in order, every attribute in quotes, no stray `<`.

const VOID: &[&str] = &["meta", "link", "br", "hr", "img", "input"];

/// The first fault, with some text around it.
pub fn check(page: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no doctype")?;
    while let Some(start) = rest.find('<') {
        let at: String = rest[start..].chars().take(80).collect();
        if rest[..start].contains('>') && !matches!(open.last(), Some(&"style" | &"script")) {
            return Err(format!("stray > before {at}"));
        }
        let tag = &rest[start + 1..];
        let end = tag_end(tag).ok_or(format!("unclosed tag {at}"))?;
        let (inside, after) = (&tag[..end], &tag[end + 1..]);
        let name = inside.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or("");
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(format!("no tag: {at}"));
        }
        if inside.starts_with('/') {
            if open.pop() != Some(name) {
                return Err(format!("closes what is not open: {at}"));
            }
        } else if !VOID.contains(&name) && !inside.ends_with('/') {
            open.push(name);
        }
        rest = after;
        // What these hold is no markup.
        if ["style", "script"].contains(&name) && !inside.starts_with('/') {
            rest = &rest[rest.find(&format!("</{name}>")).ok_or("style or script without end")?..];
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

/// The `>` that is not inside quotes; `None` if an attribute has no quotes or the tag no end.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quoted = false;
    let mut before = ' ';
    for (index, c) in tag.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => return Some(index),
            '<' => return None,
            _ if !quoted && before == '=' => return None,
            _ => {}
        }
        before = c;
    }
    None
}

#[test]
fn the_checker_finds_faults() {
    assert_eq!(check("<!DOCTYPE html><p class=\"a\">x<br>y</p>"), Ok(()));
    for bad in ["<p></b>", "<p>", "<p class=a></p>", "<p>a<b</p>", "<>", "</p>", "<p>a > b</p>"] {
        assert!(check(&format!("<!DOCTYPE html>{bad}")).is_err(), "{bad}");
    }
}
