// The recipes of docs/ as a reader would use them, word for word: the shell script of ci.md and the steps of github-actions.yml, on a
// repository of an engine with a `main` and a change. The engine is the built program behind a script; what GitHub's own actions do
// is done here by hand. `GAUNTLET`: the program (default: the release build).
import { parseDocument } from 'yaml';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const program = resolve(process.env.GAUNTLET ?? join(root, 'target/release/gauntlet'));
const work = mkdtempSync(join(tmpdir(), 'recipes-'));
const bin = join(work, 'bin');
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };

class Fault extends Error {}
function check(truth, what) {
  if (!truth) throw new Fault(what);
}

function git(folder, ...args) {
  const who = ['-c', 'user.name=author', '-c', 'user.email=author@example.org'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

// A repository whose `make -C src` builds `my-engine`, or what EXE says; each branch is `main` with another last commit.
function engine() {
  const folder = join(work, 'origin');
  mkdirSync(join(folder, 'src'), { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const commit = (what, options) => {
    writeFileSync(join(folder, 'src/engine.sh'), `#!/bin/sh\n# ${what}\nexec '${program}' uci ${options}\n`);
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message', what);
  };
  writeFileSync(join(folder, 'src/Makefile'), 'EXE = my-engine\nall:\n\tcp engine.sh $(EXE)\n\tchmod +x $(EXE)\n');
  commit('the engine', '');
  for (const [branch, options] of [['clean-up', ''], ['mistake', '--fault asymmetric']]) {
    git(folder, 'checkout', '--quiet', '-b', branch, 'main');
    commit(branch, options);
  }
  // As GitHub makes it for a pull request: its merge into what it goes into.
  git(folder, 'checkout', '--quiet', '-b', 'merged', 'main');
  git(folder, 'merge', '--quiet', '--no-ff', '--message', 'Merge clean-up', 'clean-up');
  git(folder, 'checkout', '--quiet', 'main');
  return folder;
}

function run(shell, script, folder, more = {}) {
  const done = spawnSync(shell[0], [...shell.slice(1), script], { cwd: folder, encoding: 'utf8', env: { ...env, ...more }, timeout: 600_000 });
  if (done.error) throw done.error;
  return { status: done.status, told: `${done.stdout}\n${done.stderr}` };
}

function holds(folder, ...files) {
  for (const file of files) {
    const path = join(folder, file);
    check(existsSync(path) && statSync(path).size > 0, `${file} is not there, or empty`);
  }
}

// The script of ci.md on a branch: its exit code is what is told, the files are there.
function shell_recipe(origin, branch, status, stage) {
  const text = readFileSync(join(root, 'docs/ci.md'), 'utf8');
  const script = /^## Any CI system: a shell recipe\n+```sh\n([^]*?)^```$/m.exec(text)?.[1];
  check(script, 'docs/ci.md: no shell recipe');
  const folder = join(work, branch, 'engine');
  git(work, 'clone', '--quiet', '--branch', branch, origin, folder);
  const done = run(['sh', '-c'], script, folder);
  check(done.status === status, `exit code ${done.status} instead of ${status}:\n${done.told}`);
  holds(folder, 'gate/report.html', 'gate.xml', 'gate.md');
  const failed = readFileSync(join(folder, 'gate/verdicts.csv'), 'utf8').split('\n').filter((line) => /^[a-z]+,fail,/.test(line));
  check(failed.map((line) => line.split(',')[0]).join() === stage, `failed stages: ${failed.join('\n')}`);
}

// What the actions do that the workflow uses; `with` as it stands there.
const actions = {
  'actions/checkout': ({ path, repository, 'fetch-depth': depth }, place) => {
    // Another repository is the one of the program, which is built already.
    if (repository) return symlinkSync(root, join(place.folder, path));
    const only = depth ? ['--depth', String(depth)] : ['--depth', '1'];
    git(work, 'clone', '--quiet', ...only, '--branch', 'merged', `file://${place.origin}`, join(place.folder, path));
  },
  'actions/cache': ({ path, key }) => check(path && key, 'actions/cache: no path or key'),
  'actions/upload-artifact': ({ name, path }, place) => {
    check(name, 'actions/upload-artifact: no name');
    holds(place.folder, ...path.trim().split('\n'));
  },
};

// Variables as the workflow's own comment asks for them.
const vars = { GAUNTLET_REPOSITORY: 'owner/gauntlet', GAUNTLET_REF: 'main' };
const filled = (text) => String(text).replace(/\$\{\{ *vars\.(\w+) *\}\}/g, (_, name) => vars[name] ?? '');

function workflow(origin) {
  const document = parseDocument(readFileSync(join(root, 'docs/github-actions.yml'), 'utf8'), { strict: true });
  check(document.errors.length === 0, document.errors.join('\n'));
  const { on, jobs } = document.toJS();
  check(on === 'pull_request', `on: ${on}`);
  const place = { origin, folder: join(work, 'runner') };
  mkdirSync(place.folder);
  const summary = join(work, 'summary.md');
  for (const job of Object.values(jobs)) {
    check(job['runs-on'] && job['timeout-minutes'], 'a job needs a machine and an end');
    for (const step of job.steps) {
      const name = step.name ?? step.uses ?? step.run;
      if (step.uses) {
        const [action, version] = step.uses.split('@');
        check(version && actions[action], `step ${name}: ${step.uses} is not known here`);
        actions[action](step.with ?? {}, place);
        continue;
      }
      // The shell that GitHub gives a step where none is named.
      const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)]));
      const done = run(['bash', '-e', '-c'], step.run, join(place.folder, step['working-directory'] ?? '.'), { GITHUB_STEP_SUMMARY: summary, ...own });
      check(done.status === 0, `step ${name}: exit code ${done.status}\n${done.told}`);
    }
  }
  holds(work, 'summary.md');
  check(/PASS/.test(readFileSync(summary, 'utf8')), 'the summary of the job does not tell the verdict');
}

let code = 0;
try {
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'gauntlet'));
  // By its own path and with its own settings the project is not built again.
  const cargo = execFileSync('sh', ['-c', 'command -v cargo'], { encoding: 'utf8' }).trim();
  writeFileSync(join(bin, 'cargo'), `#!/bin/sh\nset -- $(for word in "$@"; do [ -e "$word" ] && realpath "$word" || echo "$word"; done)\ncd '${root}'\nexec '${cargo}' "$@"\n`, { mode: 0o755 });
  const origin = engine();
  const recipes = {
    'shell recipe, a change that alters nothing': () => shell_recipe(origin, 'clean-up', 0, ''),
    'shell recipe, a mistake': () => shell_recipe(origin, 'mistake', 1, 'symmetry'),
    workflow: () => workflow(origin),
  };
  for (const [name, recipe] of Object.entries(recipes)) {
    const start = Date.now();
    try {
      recipe();
      console.log(`recipes: ${name}: fine, ${((Date.now() - start) / 1000).toFixed(0)} s`);
    } catch (error) {
      code = 1;
      console.log(`recipes: FAILED ${name}: ${error instanceof Fault ? error.message : error.stack}`);
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = code;
