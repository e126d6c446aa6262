// The reports of the built program in Debian's Chromium: nothing on the console, nothing asked of a network, no violation
// that axe-core finds, in light and dark, at desk and phone width; tables sort, and the viewer steps through games to the
// positions that `gauntlet check --pgn` tells. `GAUNTLET`: the program (default: the debug build). Screenshots: shots/.
import { chromium } from 'playwright-core';
import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const program = resolve(process.env.GAUNTLET ?? join(root, 'target/debug/gauntlet'));
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const shots = join(here, 'shots');
const work = mkdtempSync(join(tmpdir(), 'reports-'));
const wanted = process.argv.slice(2);
// What breaks what does not escape: CSV, spreadsheets, HTML, scripts, lines.
const HOSTILE = 'a"b\' =1+1 <b>x</b>\n&amp; </script><script>alert(1)</script> ]]>';

let faults = [];
function fault(page, what) {
  faults.push(what);
  console.log(`FAULT ${page}: ${what}`);
}
function check(page, truth, what) {
  if (!truth) fault(page, what);
}

function gauntlet(...args) {
  // A check that fails (1) or an answer that is open (3) is a report all the same.
  const done = spawnSync(program, args, { cwd: work, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (![0, 1, 3].includes(done.status)) throw new Error(`gauntlet ${args.join(' ')}: ${done.status}\n${done.stderr}`);
  return done.stdout.trimEnd().split('\n').at(-1);
}

const openings = `file=${join(root, 'suites/openings/noob_3moves_sample.epd')},order=random`;
const wrong_suite = join(work, 'wrong.epd');
writeFileSync(wrong_suite, [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401 ;D3 8902',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 47',
].join('\n') + '\n');
const study = join(work, 'study.toml');
const studied = readFileSync(join(root, 'suites/studies/depth-ladder.toml'), 'utf8');
writeFileSync(study, studied.replace(/^pairs = \d+$/m, 'pairs = 6'));

// Name of the page, and how its run is made; the report is `NAME/report.html`.
const runs = {
  run: () => gauntlet('run', '--quick', '--out', 'run'),
  match: () => gauntlet('match', '--engine', 'embedded:nodes=2000', '--engine', 'embedded:nodes=700,name=weak', '--pairs', '8', '--openings', openings, '--out', 'match'),
  clock: () => gauntlet('match', '--engine', `cmd=${program},arg=uci,name=child,tc=0.3+0.01`, '--engine', 'embedded:tc=0.3+0.01', '--pairs', '2', '--openings', openings, '--out', 'clock'),
  sprt: () => gauntlet('sprt', '--engine', 'embedded:nodes=1500', '--engine', 'embedded:nodes=400,name=weak', '--elo0', '0', '--elo1', '60', '--max-pairs', '60', '--openings', openings, '--out', 'sprt'),
  tournament: () => gauntlet('match', ...['600', '300', '150'].flatMap((n) => ['--engine', `embedded:nodes=${n},name=n${n}`]), '--pairs', '2', '--openings', openings, '--out', 'tournament'),
  // No SPEC may give such a name; a record may have it all the same.
  hostile: () => {
    gauntlet('match', '--engine', 'embedded:nodes=300,name=plainname', '--engine', 'embedded:nodes=200,name=second', '--pairs', '1', '--openings', openings, '--out', 'hostile');
    const rows = join(work, 'hostile/rows.jsonl');
    writeFileSync(rows, readFileSync(rows, 'utf8').replaceAll('"plainname"', JSON.stringify(HOSTILE)).replaceAll('.epd #', `.epd ${JSON.stringify(HOSTILE).slice(1, -1)} #`));
    return gauntlet('report', 'hostile');
  },
  chess960: () => gauntlet('match', '--engine', 'embedded:nodes=900', '--engine', 'embedded:nodes=300,name=weak', '--pairs', '4', '--openings', `file=${join(root, 'suites/openings/FRC_openings.epd')},order=random`, '--out', 'chess960'),
  sliders: () => gauntlet('sliders', '--backends', 'pext,classical', '--metric', 'throughput,latency', '--rounds', '3', '--out', 'sliders'),
  study: () => gauntlet('study', study, '--out', 'study'),
  tactics: () => gauntlet('tactics', join(root, 'suites/positions/wac.epd'), '--nodes', '300', '--engine', 'embedded', '--engine', 'embedded:name=bare,lmr=off,null-move=off', '--out', 'tactics'),
  perft: () => gauntlet('perft', '--suite', wrong_suite, '--out', 'perft'),
  bench: () => gauntlet('bench', '--depth', '6', '--out', 'bench'),
  symmetry: () => gauntlet('symmetry', '--eval', '--out', 'symmetry'),
  compliance: () => gauntlet('compliance', '--engine', `cmd=${program},arg=uci,name=child`, '--out', 'compliance'),
  several: () => gauntlet('report', 'bench', 'match', 'sprt', 'tactics', 'bench', '--out', 'several'),
  history: () => gauntlet('report', '--history', '.', '--out', 'history'),
};

async function open(browser, name, options) {
  const file = join(work, name, 'report.html');
  const address = pathToFileURL(file).href;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.on('console', (message) => fault(name, `console: ${message.text()}`));
  page.on('pageerror', (error) => fault(name, `error: ${error.message}`));
  page.on('dialog', (dialog) => { fault(name, `dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => {
    if (request.url() !== address && !request.url().startsWith('data:')) fault(name, `asks for ${request.url()}`);
  });
  await page.goto(address);
  return [page, context];
}

/// Everything that holds of every page.
async function sound(browser, name) {
  const size = statSync(join(work, name, 'report.html')).size;
  check(name, size < 2_000_000, `${size} bytes`);
  for (const colorScheme of ['light', 'dark']) {
    const [page, context] = await open(browser, name, { colorScheme });
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`), fullPage: true });
    await page.evaluate(() => document.querySelectorAll('details').forEach((each) => { each.open = true; }));
    await page.addScriptTag({ path: axe });
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
      runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] },
    }));
    for (const { id, nodes } of violations) fault(name, `axe, ${colorScheme}: ${id} ×${nodes.length}: ${nodes[0].html.slice(0, 200)}`);
    await context.close();
  }
  const [page, context] = await open(browser, name, { viewport: { width: 390, height: 800 } });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check(name, width <= 391, `scrolls sideways on a phone: ${width}`);
  await page.screenshot({ path: join(shots, `${name}-phone.png`), fullPage: true });
  await page.emulateMedia({ media: 'print' });
  check(name, !(await page.locator('.player').first().isVisible().catch(() => false)), 'the viewer is printed');
  await context.close();
}

/// Each heading of each sortable table, twice.
async function sorting(browser, name) {
  const [page, context] = await open(browser, name, {});
  const found = await page.evaluate(() => {
    const wrong = [];
    let headings = 0;
    for (const table of document.querySelectorAll('table.sortable')) {
      Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
        const turns = [];
        for (let turn = 0; turn < 2; turn++) {
          head.querySelector('button').click();
          headings += 1;
          const order = head.getAttribute('aria-sort');
          turns.push(order);
          const keys = Array.from(table.tBodies[0].rows, (row) => row.cells[column].dataset.sort).filter((key) => key !== undefined);
          const sign = order === 'ascending' ? 1 : -1;
          const sorted = keys.every((key, index) => !index || sign * (isNaN(keys[index - 1] - key) ? keys[index - 1].localeCompare(key, 'en') : keys[index - 1] - key) <= 0);
          if (!sorted) wrong.push(`${head.textContent}, ${order}: ${keys.slice(0, 6)}`);
        }
        if (new Set(turns).size !== 2) wrong.push(`${head.textContent}: ${turns}`);
      });
      if (table.querySelectorAll('[aria-sort]').length !== 1) wrong.push('aria-sort on several headings');
    }
    return { wrong, headings };
  });
  check(name, found.headings > 0, 'no sortable table');
  found.wrong.forEach((what) => fault(name, `sorting: ${what}`));
  await context.close();
}

/// What tells a game of a run from all others: rounds begin anew in each match of a run. Names lose their blanks, as in PGN.
const key_of = (round, white, black) => [round, white, black].map((text) => text.replace(/\s/g, '')).join(' | ');

/// The games as `check` reads them from games.pgn.
function games_of(name) {
  const path = join(work, name, 'games.pgn');
  const text = readFileSync(path, 'utf8');
  const flags = text.includes('Variant "Chess960"') ? ['--chess960'] : [];
  const done = spawnSync(program, ['check', '--pgn', path, '--format', 'json', ...flags], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const tags = (tag) => [...text.matchAll(new RegExp(`^\\[${tag} "(.*)"\\]`, 'gm'))].map((match) => match[1].replace(/\\(.)/g, '$1'));
  const [rounds, white, black] = ['Round', 'White', 'Black'].map(tags);
  const items = JSON.parse(done.stdout).items;
  return new Map(rounds.map((round, index) => [key_of(round, white[index], black[index]), items[index]]));
}

async function viewing(browser, name) {
  const [page, context] = await open(browser, name, {});
  const known = games_of(name);
  const viewer = page.locator('.viewer').first();
  const fen = () => viewer.locator('.fen').inputValue();
  const rows = viewer.locator('[data-game]');
  const shown = await rows.count();
  check(name, shown === Math.min(known.size, 200), `${shown} of ${known.size} games`);
  check(name, (await viewer.textContent()).includes(`${shown} of ${known.size} games`), 'does not say n of N');
  const key_at = async (index) => key_of(...(await rows.nth(index).locator('td').allTextContents()).slice(0, 3));
  // The first dozen, and of the others every tenth.
  for (let index = 0; index < shown; index += index < 12 ? 1 : 10) {
    await rows.nth(index).locator('button.choose').click();
    const round = await key_at(index);
    const game = known.get(round);
    if (!game) { fault(name, `game ${round} is not in games.pgn`); continue; }
    const start = await fen();
    await page.keyboard.press('End');
    check(name, await fen() === game.final_fen, `${round} ends with ${await fen()}, not ${game.final_fen}`);
    check(name, await viewer.locator('button.move').count() === game.plies, `${round}: not ${game.plies} moves`);
    check(name, (await viewer.locator('.now').textContent()).includes(game.result), `${round}: the end is not announced`);
    await page.keyboard.press('Home');
    check(name, await fen() === start, `${round}: Home does not lead back`);
  }
  // Step by step through the first one: button forth, key back, click in the list, in the graph.
  await rows.first().locator('button.choose').click();
  const total = await viewer.locator('button.move').count();
  const there = [];
  for (let ply = 0; ply < total; ply++) {
    await viewer.getByRole('button', { name: 'Next move' }).click();
    there.push(await fen());
  }
  check(name, there.at(-1) === known.get(await key_at(0)).final_fen, 'stepping leads elsewhere');
  check(name, new Set(there).size > total / 2, 'the position does not change');
  check(name, await viewer.getByRole('button', { name: 'Next move' }).getAttribute('aria-disabled') === 'true', 'there is a move behind the last');
  for (let ply = total - 1; ply > 0; ply--) {
    await page.keyboard.press('ArrowLeft');
    check(name, await fen() === there[ply - 1], `back to ply ${ply}: ${await fen()}`);
  }
  await viewer.locator('button.move').nth(2).click();
  check(name, await fen() === there[2], 'a click on a move leads elsewhere');
  check(name, await viewer.locator('button.move[aria-current=step]').count() === 1, 'not one move is the current one');
  // Keys without a focus, the pieces drawn, the board turned.
  await page.evaluate(() => document.activeElement.blur());
  await viewer.locator('.stage').scrollIntoViewIfNeeded();
  await page.keyboard.press('ArrowRight');
  check(name, await fen() === there[3], 'a key without focus does nothing');
  const pieces = () => viewer.locator('.stage use').evaluateAll((all) => all.map((use) => [use.getAttribute('href'), +use.getAttribute('x'), +use.getAttribute('y')]));
  const drawn = await pieces();
  const placed = (fen_text, turned) => fen_text.split(' ')[0].split('/').flatMap((rank, row) => {
    let file = 0;
    return Array.from(rank).flatMap((letter) => {
      if (letter >= '1' && letter <= '8') { file += +letter; return []; }
      const [x, y] = turned ? [7 - file, 7 - row] : [file, row];
      file += 1;
      const lower = letter.toLowerCase();
      return [`#p-${letter === lower ? 'b' : 'w'}${lower} ${15.5 + 40 * x} ${1.5 + 40 * y}`];
    });
  }).sort().join();
  check(name, drawn.map((piece) => piece.join(' ')).sort().join() === placed(there[3], false), 'the board shows something else');
  await viewer.getByRole('button', { name: 'Flip' }).click();
  check(name, (await pieces()).map((piece) => piece.join(' ')).sort().join() === placed(there[3], true), 'the turned board shows something else');
  const box = await viewer.locator('.graph').boundingBox();
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height / 2);
  const at = there.indexOf(await fen());
  check(name, Math.abs(at / total - 0.58) < 0.1, `the graph leads to ply ${at} of ${total}`);
  await viewer.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction((before) => document.querySelector('.fen').value !== before, there[at], { timeout: 10_000 });
  await viewer.getByRole('button', { name: 'Pause' }).click();
  await viewer.screenshot({ path: join(shots, `${name}-viewer.png`) });
  await context.close();
}

if (!existsSync(program)) throw new Error(`${program} is not there: cargo build`);
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  for (const [name, make] of Object.entries(runs)) {
    if (wanted.length && !wanted.includes(name)) continue;
    const began = Date.now();
    const last = make();
    const made = Date.now();
    await sound(browser, name);
    if (['sliders', 'match'].includes(name)) await sorting(browser, name);
    if (['run', 'match', 'clock', 'tournament', 'hostile', 'chess960'].includes(name)) await viewing(browser, name);
    console.log(`${name}: ${last.split(' ').slice(0, 4).join(' ')} · made in ${((made - began) / 1000).toFixed(1)} s, looked at in ${((Date.now() - made) / 1000).toFixed(1)} s`);
  }
  // The checks themselves see what is wrong.
  if (!wanted.length || wanted.includes('match')) {
    const path = join(work, 'match/report.html');
    const planted = readFileSync(path, 'utf8')
      .replace('</main>', '<p style="color:#aaa;background:#fff">pale</p><img src="http://127.0.0.1:9/x.png"></main>')
      // The last man that moved in the first game is gone.
      .replace(/("squares":"[^"]*)[a-h][1-8][PpNnBbRrQqKk]/, '$1');
    mkdirSync(join(work, 'planted'));
    writeFileSync(join(work, 'planted/report.html'), planted);
    writeFileSync(join(work, 'planted/games.pgn'), readFileSync(join(work, 'match/games.pgn')));
    console.log('planted faults, which must be found:');
    const found = faults;
    faults = [];
    await sound(browser, 'planted');
    await viewing(browser, 'planted');
    const seen = faults.join('\n');
    faults = found;
    for (const word of ['console: ', 'asks for http', 'color-contrast', 'image-alt', 'ends with']) {
      if (!seen.includes(word)) fault('planted', `not found: ${word}`);
    }
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
console.log(`browser: faults=${faults.length}`);
process.exit(faults.length ? 1 : 0);
