// Takes the pictures of the inspector for the documentation: docs/images/inspect-*.png. It needs a build and Chromium
// (LOADOUT_TEST_CHROMIUM, or /usr/bin/chromium). The records come from hooks and a run of this program on a copy of
// examples/sample; only the agent is a stand-in, and the loop is written as a loop writes it.
//
//   node scripts/screenshots.mjs [--width 1000] [--dark] [--out FOLDER]
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    width: { type: 'string', default: '1280' },
    dark: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'docs/images') },
  },
});
const TASK = 'Fix the race when two requests refresh the token at the same time';
const HEIGHT = 820;
const MAX_BYTES = 150_000;

const home = mkdtempSync(join(tmpdir(), 'loadout-screenshots-'));
const repository = join(home, 'sample');
const env = {
  ...process.env,
  HOME: home,
  XDG_CACHE_HOME: join(home, 'cache'),
  XDG_CONFIG_HOME: join(home, 'config'),
  PATH: `${join(home, 'bin')}:${process.env.PATH}`,
};
const loadout = (words, input = '') =>
  execFileSync(process.execPath, [join(root, 'bin/loadout.js'), ...words], {
    ...{ cwd: repository, env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] },
  });
const write = (path, text) => {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), typeof text === 'string' ? text : `${JSON.stringify(text)}\n`);
};

let server;
let browser;
// No server stays behind for the next hook.
mkdirSync(join(home, 'config/loadout'), { recursive: true });
writeFileSync(join(home, 'config/loadout/config.json'), JSON.stringify({ warmServer: 'running' }));

try {
  makeHistory();
  makeSession();
  makeRun();
  makeLoop();
  await takePictures();
} finally {
  await browser?.close();
  server?.kill('SIGINT');
  if (server?.exitCode === null) await new Promise((resolve) => server.once('exit', resolve));
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** A few commits, so that there are hot spots and commits behind a file. */
function makeHistory() {
  cpSync(join(root, 'examples/sample'), repository, { recursive: true });
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=Sample', '-c', 'user.email=sample@example.org', ...words], {
      ...{ cwd: repository, env, stdio: 'ignore' },
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'Add the client');
  const change = (path, subject) => {
    write(path, `${readFileSync(join(repository, path), 'utf8')}\n`);
    git('commit', '-qam', subject);
  };
  for (let at = 0; at < 4; at++)
    change('src/auth/token-refresher.ts', `Refresh the token earlier (${at + 1})`);
  change('src/auth/token-store.ts', 'Keep the token between requests');
  change('src/http/api-client.ts', 'Retry a request after a refresh');
  change('src/invoices/ledger.ts', 'Round amounts once');
}

/** A session of an agent, as its hooks tell it. */
function makeSession() {
  const hook = (event, more) =>
    loadout(
      ['hook', event, '--client', 'claude'],
      JSON.stringify({ session_id: 'sample', cwd: repository, hook_event_name: event, ...more }),
    );
  hook('user-prompt-submit', { prompt: 'thanks' });
  hook('user-prompt-submit', {
    prompt:
      'TokenRefresher.refresh sends two requests when it is called twice; share one between the callers',
  });
  const tool = (tool_name, tool_input) => hook('post-tool-use', { tool_name, tool_input, tool_response: {} });
  const file = (path) => ({ file_path: join(repository, path) });
  tool('Read', file('src/auth/token-refresher.ts'));
  tool('Read', file('src/settings.ts'));
  tool('Edit', {
    ...file('src/auth/token-refresher.ts'),
    old_string: 'const EXPIRY_MARGIN_MS = 30_000;',
    new_string: 'const EXPIRY_MARGIN_MS = 30_000;',
  });
}

/** A run whose first attempt fails at its gate. */
function makeRun() {
  const answer = JSON.stringify({
    status: 'SUCCESS',
    action_taken: 'One refresh at a time',
    next_step: null,
  });
  const result = JSON.stringify({
    ...{ type: 'result', subtype: 'success', is_error: false, session_id: 's1', total_cost_usd: 0.08 },
    result: `Done.\n\`\`\`json\n${answer}\n\`\`\``,
    usage: { input_tokens: 5200, output_tokens: 640 },
  });
  const program = join(home, 'bin/claude');
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(
    program,
    `#!/bin/sh
case "$1" in --version) echo "2.1.0 (Claude Code)"; exit 0;; esac
cat > /dev/null
if [ -f tried ]; then printf 'export const pending = new Map<string, Promise<string>>();\\n' > src/auth/pending.ts; fi
touch tried
printf '%s\\n' '${result}'
`,
  );
  chmodSync(program, 0o755);
  loadout(['run', TASK, '--role', 'implementer', '--cli', 'claude', '--gate', 'test -f src/auth/pending.ts']);
}

/** A loop in the middle of its work. */
function makeLoop() {
  const leaf = (id, title, passes, attempts) => ({
    ...{ id, order: 0, title, goal: `${title}.`, acceptance: ['npm test passes'], passes },
    ...{ attempts, max_attempts: 3, children: [] },
  });
  const folder = '.loadout/loop';
  write(`${folder}/state/tree.json`, {
    ...leaf('root', 'Tokens are refreshed once', false, 0),
    children: [
      leaf('lock', 'Share one refresh between requests', true, 1),
      leaf('retry', 'Retry a request with the new token', false, 1),
      leaf('docs', 'Describe the refresh', false, 0),
    ],
  });
  write(`${folder}/state/run_state.json`, {
    ...{ run_id: 'r1', next_iter: 3, last_status: null, last_summary: null, last_guard: null },
  });
  for (const [at, [node, outcome, summary]] of [
    ['lock', 'passed', 'One promise for all requests'],
    ['retry', 'failed', 'The test of the retry fails'],
  ].entries())
    write(`${folder}/iterations/r1/${at + 1}/meta.json`, {
      ...{ node, outcome, status: 'done', guard: outcome === 'passed' ? 'pass' : 'fail', summary },
      ...{ started_at: '2026-01-05T10:00:00Z', ended_at: '2026-01-05T10:04:00Z' },
    });
}

async function takePictures() {
  server = spawn(process.execPath, [join(root, 'bin/loadout.js'), 'inspect', TASK], {
    ...{ cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  const address = await new Promise((resolve) =>
    server.stdout.once('data', (data) => resolve(String(data).trim())),
  );
  const executablePath = process.env.LOADOUT_TEST_CHROMIUM ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({
    viewport: { width: Number(values.width), height: HEIGHT },
    colorScheme: values.dark ? 'dark' : 'light',
  });
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  page.setDefaultTimeout(15_000);
  await page.goto(address);
  mkdirSync(values.out, { recursive: true });
  const take = async (name) => {
    // A path of this machine does not belong into a picture.
    await page.evaluate((path) => {
      for (const element of document.querySelectorAll('h2.path'))
        if (element.textContent === path) element.textContent = '~/sample';
    }, repository);
    await page.mouse.move(0, 0);
    const path = join(values.out, `inspect-${name}.png`);
    await page.screenshot({ path });
    const { size } = statSync(path);
    console.log(`${path} ${Math.round(size / 1000)} kB`);
    if (size > MAX_BYTES) throw new Error(`${path} has more than ${MAX_BYTES} bytes`);
  };
  const open = (name) => page.getByRole('tab', { name }).click();
  await page.getByRole('table').waitFor();
  await take('package');
  await page.getByLabel('Form of src/auth/token-store.ts').selectOption('signatures');
  await page.getByRole('button', { name: 'src/auth/token-endpoint.ts', exact: true }).click();
  await page.locator('.code .kept').first().waitFor();
  await page.waitForTimeout(500);
  await page.locator('.panel').scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, document.querySelector('.columns').offsetTop - 20));
  await take('file');
  await open('Why');
  await page.getByRole('heading', { name: 'Neighbours' }).waitFor();
  await take('why');
  await open('Repository');
  await page.getByRole('heading', { name: 'Hot spots' }).waitFor();
  await take('repository');
  await open('Sessions');
  await page.getByRole('listitem').first().waitFor();
  await take('sessions');
  await open('Runs and loop');
  await page.locator('.run-row').first().click();
  await page.getByText('Ended:').waitFor();
  await take('runs');
}
