// The live page of a match in Debian's Chromium: it changes while games are played and nothing that is scrolled or focused is
// lost by that; at the end it is the report. Nothing on the console, nothing asked of anybody else, no violation that axe-core
// finds. `GAUNTLET`: the program (default: the debug build). Screenshots: shots/.
import { chromium } from 'playwright-core';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const program = resolve(process.env.GAUNTLET ?? join(here, '../../target/debug/gauntlet'));
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const shots = join(here, 'shots');
mkdirSync(shots, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'live-'));
const faults = [];
function check(truth, what) {
  if (!truth) {
    faults.push(what);
    console.log(`FAULT live: ${what}`);
  }
}

const children = [];
function start(...args) {
  const child = spawn(program, [...args, '--live', '0', '--out', 'run', '--quiet'], { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  const url = new Promise(function (found, failed) {
    let said = '';
    child.stderr.on('data', function (data) {
      said += data;
      const known = said.match(/^live: (\S+)$/m);
      if (known) found(known[1]);
    });
    child.on('exit', () => failed(new Error(said)));
  });
  const end = new Promise((over) => child.on('exit', over));
  return { child, url, end };
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-quic'] });
try {
  const match = start('match', '--engine', 'embedded:nodes=300', '--engine', 'embedded:nodes=100,name=weak', '--pairs', '1000000');
  const page = await browser.newPage({ viewport: { width: 1280, height: 700 } });
  page.on('console', (said) => check(false, `console: ${said.text()}`));
  page.on('pageerror', (error) => check(false, `error: ${error.message}`));
  const url = await match.url;
  page.on('request', (asked) => check(asked.url().startsWith(url) || asked.url().startsWith('data:'), `asks for ${asked.url()}`));
  await page.goto(url);
  await page.locator('section#games').waitFor();
  // An element that will be there all the time, some way down the page.
  await page.evaluate(function () {
    document.querySelector('nav a[href="#run"]').focus({ preventScroll: true });
    scrollTo(0, document.getElementById('games').offsetTop - 300);
  });
  const seen = () => page.evaluate(() => ({
    mark: document.body.dataset.mark,
    title: document.title,
    sentence: document.querySelector('.sentence').textContent,
    focus: document.activeElement.getAttribute('href'),
    // How far down the window the part is that is looked at.
    top: document.getElementById('games').getBoundingClientRect().top,
  }));
  const before = await seen();
  for (let times = 0; times < 3; times += 1) {
    const last = (await seen()).mark;
    await page.waitForFunction((last) => document.body.dataset.mark !== last, last);
  }
  const after = await seen();
  check(after.title !== before.title && after.sentence !== before.sentence, `it does not change: ${JSON.stringify([before, after])}`);
  check(after.focus === '#run', `the focus is lost: ${after.focus}`);
  check(Math.abs(after.top - before.top) < 60, `it scrolls by itself: ${before.top} ${after.top}`);
  await page.screenshot({ path: join(shots, 'live.png') });
  const found = await page.evaluate(async function (script) {
    // The page lets no foreign script in.
    (0, eval)(script);
    return (await window.axe.run({ runOnly: ['wcag2a', 'wcag2aa'] })).violations.map((each) => `${each.id}: ${each.nodes[0].html}`);
  }, readFileSync(axe, 'utf8')).catch((error) => [String(error)]);
  check(found.length === 0, `axe: ${found.join(' | ')}`);
  // Where axe-core has left it is its affair.
  await page.evaluate(() => scrollTo(0, document.getElementById('games').offsetTop - 300));
  match.child.kill('SIGINT');
  await match.end;
  await page.waitForFunction(() => document.querySelector('.verdict h1')?.textContent === 'INCOMPLETE' && !document.getElementById('live'));
  const over = await page.evaluate(() => ({ top: document.getElementById('games').getBoundingClientRect().top, parts: document.querySelectorAll('.part').length }));
  check(over.parts === 0, 'it is not the report at the end');
  check(Math.abs(over.top - before.top) < 60, `what was looked at is lost at the end: ${JSON.stringify(over)}`);
  await page.screenshot({ path: join(shots, 'live-over.png') });
} finally {
  children.forEach((child) => child.kill('SIGKILL'));
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
console.log(faults.length ? `live: ${faults.length} faults` : 'live: fine');
process.exit(faults.length ? 1 : 0);
