// How quick the inspector is in a real browser: first paint, a change of the package, interactions, and the weight of the page.
// It needs a build and Chromium (LOADOUT_TEST_CHROMIUM, or /usr/bin/chromium).
//
//   node bench/inspect.mjs [--repo PATH] [--files 27000] [--task TEXT] [--rounds 12] [--json]
//
// Without --repo it makes a repository of so many small files.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    files: { type: 'string', default: '27000' },
    task: { type: 'string', default: 'Fix the order in which queue 12 retries a message' },
    rounds: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
  },
});
const FILES_IN_FOLDER = 100;
const WORDS = ['queue', 'message', 'retry', 'order', 'ledger', 'token', 'route', 'cache', 'price', 'label'];

const home = mkdtempSync(join(tmpdir(), 'loadout-bench-inspect-'));
let server;
let browser;
try {
  const repository = values.repo ? resolve(values.repo) : makeRepository(Number(values.files));
  const results = await measure(repository);
  if (values.json) console.log(JSON.stringify(results));
  else for (const [name, value] of Object.entries(results)) console.log(`${name.padEnd(28)} ${value}`);
} finally {
  await browser?.close();
  server?.kill('SIGINT');
  if (server?.exitCode === null) await new Promise((done) => server.once('exit', done));
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** Small files that import each other and share words. */
function makeRepository(count) {
  const repository = join(home, 'repository');
  for (let file = 0; file < count; file++) {
    const folder = join(repository, `part${Math.floor(file / FILES_IN_FOLDER)}`);
    if (file % FILES_IN_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const [word, other] = [WORDS[file % WORDS.length], WORDS[(file * 7 + 3) % WORDS.length]];
    const before =
      file % FILES_IN_FOLDER === 0 ? '' : `import { ${word}${file - 1} } from './file${file - 1}.ts';\n`;
    const body = `  return ${file};\n`;
    writeFileSync(
      join(folder, `file${file}.ts`),
      `${before}/** The ${other} of a ${word}. */\nexport function ${WORDS[(file + 1) % WORDS.length]}${file}(${other}: number): number {\n${body}}\n`,
    );
  }
  return repository;
}

async function measure(repository) {
  const env = { ...process.env, XDG_CACHE_HOME: join(home, 'cache') };
  const words = [join(root, 'bin/loadout.js'), 'inspect', values.task, '--repo', repository];
  server = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((done) =>
    server.stdout.once('data', (data) => done(String(data).trim())),
  );
  const executablePath = process.env.LOADOUT_TEST_CHROMIUM ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(120_000);
  const began = performance.now();
  await page.goto(address);
  await page.locator('tbody tr').first().waitFor();
  const firstPackage = performance.now() - began;
  const firstPaint = await leastFirstPaint(address);
  const rounds = Number(values.rounds);

  // A change of the package, from the click to the new numbers; then it is undone, which is remembered.
  const refits = { exclude: [], pin: [], form: [] };
  const labels = await page.locator('tbody [aria-label^="Exclude "]').all();
  const paths = await Promise.all(
    labels
      .slice(0, rounds)
      .map(async (one) => (await one.getAttribute('aria-label')).slice('Exclude '.length)),
  );
  for (const path of paths) {
    refits.exclude.push(await refit(page, `Exclude ${path}`));
    await refit(page, `Exclude ${path}`);
    refits.pin.push(await refit(page, `Pin ${path}`));
    await refit(page, `Pin ${path}`);
    refits.form.push(await refit(page, `Form of ${path}`, 'signatures'));
    await refit(page, `Form of ${path}`, '');
  }

  // Interactions, from the event to the next frame.
  const frames = {};
  const frame = async (name, action, argument) => {
    frames[name] = await page.evaluate(
      async ([code, given]) => {
        const act = new Function('given', code);
        const start = performance.now();
        act(given);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        return performance.now() - start;
      },
      [action, argument],
    );
  };
  await frame('open a file', 'document.querySelector("tbody th button").click()');
  await page.locator('.code .kept, .code .left').first().waitFor();
  await frame('scroll a file', 'document.querySelector(".code").scrollTop = 4000');
  await frame(
    'filter the table',
    'const box = document.querySelector("[type=search]"); box.value = "1"; box.dispatchEvent(new Event("input", { bubbles: true }))',
  );
  for (const tab of ['why', 'repository', 'sessions', 'runs', 'package']) {
    await frame(`open the view ${tab}`, 'document.getElementById("tab-" + given).click()', tab);
    await page.waitForTimeout(800);
  }
  const rows = await page.locator('tbody tr').count();
  const weight = ['app.js', 'app.css'].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(root, 'dist/inspect', name))).length,
    0,
  );
  const ms = (value) => Math.round(value);
  return {
    'first paint, ms': ms(firstPaint),
    'first package, ms': ms(firstPackage),
    ...Object.fromEntries(
      Object.entries(refits).flatMap(([name, times]) => {
        const median = (key) => times.map((one) => one[key]).sort((a, b) => a - b)[times.length >> 1];
        return [
          [`${name}, median ms`, ms(median('ms'))],
          [`${name}, processor ms`, ms(median('processor'))],
        ];
      }),
    ),
    ...Object.fromEntries(Object.entries(frames).map(([name, time]) => [`${name}, ms`, ms(time)])),
    'rows in the page': rows,
    'page, bytes gzip': weight,
  };
}

/** The least of several, because other work on the machine only adds to it. */
async function leastFirstPaint(address) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const page = await browser.newPage();
    await page.goto(address);
    const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    await page.waitForFunction(painted);
    least = Math.min(least, await page.evaluate(painted));
    await page.close();
  }
  return least;
}

/** Processor time of the server; where it cannot be read, not a number. A busy machine changes it little. */
function serverMs() {
  try {
    const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/** The time from a change to the new numbers. */
async function refit(page, label, form = null) {
  const before = serverMs();
  const ms = await page.evaluate(
    async ([name, wanted]) => {
      const control = [...document.querySelectorAll('[aria-label]')].find(
        (one) => one.getAttribute('aria-label') === name,
      );
      const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
      const start = performance.now();
      if (wanted === null) control.click();
      else {
        control.value = wanted;
        control.dispatchEvent(new Event('change', { bubbles: true }));
      }
      const status = () => document.querySelector('#view > .status').textContent;
      for (let at = 0; at < 10 && status() === ''; at++) await frame();
      while (status() !== '') await frame();
      return performance.now() - start;
    },
    [label, form],
  );
  return { ms, processor: serverMs() - before };
}
