//! The page in a headless Chromium: no console message, no scrolling sideways, no labels over each other, at desk and phone width.

use super::{fixture, required, saved};
use gauntlet::report::html;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Measures the laid-out page and leaves what it found in the title, where `--dump-dom` shows it.
const PROBE: &str = r#"<script>
const faults = [];
const root = document.documentElement;
if (root.scrollWidth > innerWidth + 1) faults.push('page is ' + root.scrollWidth + ' wide in ' + innerWidth);
for (const plot of document.querySelectorAll('svg.plot')) {
  const frame = plot.getBoundingClientRect();
  const texts = [...plot.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
  texts.forEach(([a, p], i) => {
    if (p.left < frame.left - 1 || p.right > frame.right + 1 || p.top < frame.top - 1 || p.bottom > frame.bottom + 1) faults.push('cut off: ' + a);
    texts.slice(i + 1).forEach(([b, q]) => {
      if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1) faults.push('overlap: ' + a + ' and ' + b);
    });
  });
}
for (const use of document.querySelectorAll('use'))
  if (!document.querySelector(use.getAttribute('href'))) faults.push('no piece ' + use.getAttribute('href'));
const names = () => [...document.querySelectorAll('#sliders .sortable tbody th')].map(th => th.dataset.sort);
const [by_name, by_size, , , by_rate] = document.querySelectorAll('#sliders .sortable button');
const order = names();
if (order[0] !== 'pext' || order.at(-1) !== 'broken') faults.push('order ' + order);
by_size.click();
if (names()[0] !== 'fill') faults.push('by size ' + names());
by_rate.click();
if (names().slice(0, 9).join() !== order.slice(0, 9).join()) faults.push('by rate ' + names());
by_rate.click();
if (names()[0] === 'pext' || !['gfni', 'broken'].includes(names().at(-1))) faults.push('by rate, turned ' + names());
by_name.click();
if (names().indexOf('classical') > names().indexOf('gfni')) faults.push('by name ' + names());
location.hash = '#technique-hyperbola';
const card = document.getElementById('technique-hyperbola').closest('details');
card.open = false;
open_target();
if (!card.open) faults.push('the link opens no card');
document.title = 'probe: ' + (faults.length ? faults.slice(0, 5).join(' | ') : 'fine') + ' ' + innerWidth;
</script>"#;

fn chromium() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    })
}

/// The page's DOM and what was said on the console.
fn visit(browser: &str, page: &str, width: u32) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().expect("dir");
    let file = folder.path().join("page.html");
    fs::write(&file, page).expect("page");
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--hide-scrollbars",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
        ])
        .args(["--enable-logging=stderr", "--v=0", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--window-size={width},2000"))
        .arg(format!("file://{}", file.display()))
        .stdout(Stdio::piped())
        .stderr(fs::File::create(folder.path().join("log")).expect("log"))
        .spawn()
        .expect("browser");
    let mut stdout = child.stdout.take().expect("stdout");
    let reader = std::thread::spawn(move || {
        let mut dom = String::new();
        stdout.read_to_string(&mut dom).map(|_| dom)
    });
    let deadline = Instant::now() + Duration::from_secs(90);
    while child.try_wait().expect("wait").is_none() {
        if Instant::now() > deadline {
            child.kill().expect("kill");
            panic!("the browser did not end");
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
    let log = fs::read(folder.path().join("log")).expect("log");
    let said =
        String::from_utf8_lossy(&log).lines().filter(|l| l.contains("CONSOLE")).map(str::to_owned).collect();
    (reader.join().expect("reader").expect("dom"), said)
}

#[test]
fn a_browser_shows_the_page_without_complaint() {
    let Some(browser) = chromium() else {
        required("chromium");
        return;
    };
    let page = html::render(&[saved(fixture::run_rows())]);
    let (dom, said) = visit(browser, &page, 1280);
    assert_eq!(said, [""; 0], "console");
    for id in [
        "verdict",
        "perft",
        "positions",
        "symmetry",
        "bench",
        "speed",
        "sliders",
        "study",
        "ladder",
        "match",
        "games",
        "run",
        "reading",
    ] {
        assert!(dom.contains(&format!("id=\"{id}\"")), "section {id}");
    }
    for width in [1280, 500] {
        let (dom, _) = visit(browser, &page.replace("</body>", &format!("{PROBE}</body>")), width);
        let title = dom.split("<title>").nth(1).and_then(|t| t.split("</title>").next()).unwrap_or_default();
        assert_eq!(title, format!("probe: fine {width}"));
    }
    // The test itself would see a complaint.
    let (_, said) = visit(
        browser,
        &page.replace("</body>", "<img src=\"nowhere.png\"><script>nothing()</script></body>"),
        1280,
    );
    assert!(!said.is_empty());
}
