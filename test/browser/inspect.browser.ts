// The inspector in a real browser: every view, a change of the package, the keyboard, what is refused, and saved views.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, used, writeLog, writeLoop, writeRun } from '../../src/surfaces/stats/records.test-kit.ts';
import {
  makeCommits,
  makePlace,
  type Place,
  PROGRAM,
  type RunningInspector,
  startBrowser,
  startInspector,
} from './inspector.test-kit.ts';

const TASK = 'fix the race in refresh token';
const RUN = '20260204-110000-00000001';
const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
const TABS = ['Package', 'Why', 'Repository', 'Sessions', 'Runs and loop'];

let place: Place;
let inspector: RunningInspector;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const step = (at: number) => `export function step${at}(): number {\n  return ${at};\n}\n`;
  place = makePlace({
    'src/token.ts': `import { store } from './store.ts';\n// keeps the token\nexport function refreshToken(): string {\n  return store('${SECRET}');\n}\n${Array.from({ length: 40 }, (_, at) => step(at)).join('\n')}`,
    'src/store.ts': 'export function store(token: string): string {\n  return token;\n}\n',
    'test/token.test.ts': "import { refreshToken } from '../src/token.ts';\nrefreshToken();\n",
    'docs/other.md': '# Nothing about it\n',
  });
  makeCommits(place, [
    { path: 'src/token.ts', subject: 'Refresh the token once' },
    { path: 'src/store.ts', subject: 'Keep the token' },
  ]);
  const at = new Date().toISOString();
  writeLog(place.cache, place.repository, [
    answer({ at, prompt: 'Fix the token', places: ['src/token.ts:3-5'] }),
    used('edit', 'src/token.ts', [4, 4], { at }),
    answer({ at, characters: 0, places: [], reason: 'the prompt is no task', prompt: 'thanks' }),
  ]);
  writeRun(place.repository, RUN, [
    { type: 'run-start', role: 'coder', cli: 'claude', task: 'Fix the token' },
    { type: 'attempt-start', attempt: 1, mode: 'fresh' },
  ]);
  writeLoop(place.repository, ['passed']);
  inspector = await startInspector(place, [TASK]);
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
  await page.goto(inspector.address);
  await page.getByRole('table').waitFor();
});

afterAll(async () => {
  await browser?.close();
  await inspector?.stop();
  place?.remove();
});

const open = (name: string) => page.getByRole('tab', { name }).click();
const total = async () => (await page.locator('.total').textContent()) ?? '';
// The page forbids the eval with which the browser's own wait would look again.
const settled = () =>
  expect.poll(() => page.locator('#view > .status').textContent(), { timeout: 20_000 }).toBe('');
const formOf = (path: string) => page.locator('tr', { has: page.getByLabel(`Pin ${path}`) }).locator('.form');

describe('the view Package', () => {
  it('shows the files, and takes the token out of the address bar', async () => {
    expect(await page.getByRole('button', { name: 'src/token.ts', exact: true }).count()).toBe(1);
    expect(page.url()).not.toContain('token=');
    expect(await page.locator('.budget rect').count()).toBeGreaterThan(1);
    expect(await page.locator('.treemap .box').count()).toBeGreaterThan(0);
  });

  it('is built again when a file is pinned, excluded or gets another form, and the command line says so', async () => {
    const before = await total();
    await page.getByLabel('Form of src/token.ts').selectOption('signatures');
    await expect.poll(() => formOf('src/token.ts').textContent()).toBe('signatures');
    expect(await total()).not.toBe(before);
    await page.getByLabel('Pin src/store.ts').click();
    await page.getByLabel('Exclude test/token.test.ts').click();
    await page.getByText('excluded by you').waitFor();
    const command = (await page.locator('.command').textContent())!;
    expect(command).toBe(
      "loadout pack 'fix the race in refresh token' --target src/store.ts --form src/token.ts=signatures --exclude test/token.test.ts",
    );
    // The command is the truth: it builds the package that the page shows.
    const words = command.replace(/^loadout /, `"${process.execPath}" "${PROGRAM}" `);
    const made = execFileSync('sh', ['-c', `${words} --json`], { cwd: place.repository, env: place.env });
    const { items } = JSON.parse(String(made)) as { items: { path: string; form: string }[] };
    const shown = await page
      .locator('tbody tr:not(.out)')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('th')!.textContent!, row.querySelector('.form')!.textContent!]),
      );
    expect(Object.fromEntries(items.map(({ path, form }) => [path, form]))).toEqual(
      Object.fromEntries(shown),
    );
    await page.getByRole('button', { name: 'Undo your 3 changes' }).click();
    await expect.poll(total).toContain(before.split(' tokens')[0]!);
  });

  it('shows kept and left-out lines with colours, without secrets', async () => {
    await page.getByLabel('Form of src/token.ts').selectOption('excerpt');
    await settled();
    await page.getByRole('button', { name: 'src/token.ts', exact: true }).click();
    await page.locator('.code .kept .mark-keyword').first().waitFor();
    expect(await page.locator('.code .left').count()).toBeGreaterThan(0);
    const lines = await page.locator('.code').textContent();
    expect(lines).toContain('refreshToken');
    expect(lines).not.toContain(SECRET);
    await page.getByLabel('Only these').check();
    expect(await page.locator('.code .left').count()).toBe(0);
    await page.getByLabel('Form of src/token.ts').selectOption('');
    await settled();
  });

  it('copies and downloads the package', async () => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(readFileSync(await saved.path(), 'utf8')).toContain('# Context package');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as a command line' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^loadout pack /);
  });
});

describe('the other views', () => {
  it('says why a file ranks where it does, and why another does not', async () => {
    await open('Why');
    await page.getByText('Place 1').waitFor();
    await page.getByText('Refresh the token once').first().waitFor();
    expect(await page.locator('.node').count()).toBeGreaterThan(0);
    for (const [path, why] of [
      ['docs/other.md', 'its path has no word of the task'],
      ['none.ts', 'the index has no file none.ts'],
    ] as const) {
      await page.getByRole('textbox', { name: 'File' }).fill(path);
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('heading', { name: path }).waitFor();
      const text = (await page.locator('#view').textContent())!;
      expect(text.includes(why) || text.includes('nothing in it fits the task')).toBe(true);
    }
  });

  it('walks from neighbour to neighbour with the keyboard', async () => {
    await page.getByRole('textbox', { name: 'File' }).fill('src/token.ts');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'src/token.ts' }).waitFor();
    await page.getByRole('button', { name: 'imports src/store.ts' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'src/store.ts' }).waitFor();
  });

  it('shows the repository, and a session with what was used', async () => {
    await open('Repository');
    for (const name of ['Hot spots', 'Languages', 'Imports', 'Skipped files', 'Index'])
      await page.getByRole('heading', { name }).waitFor();
    await open('Sessions');
    await page.getByText('added 100 tokens').waitFor();
    await page.getByText('the prompt is no task').waitFor();
    expect(await page.locator('.use.edited').count()).toBe(1);
  });

  it('shows the events of a run as they come, and the loop', async () => {
    await open('Runs and loop');
    await page.getByText('Title of two').waitFor();
    await page.locator('.run-row').first().click();
    await page.getByText('It goes on').waitFor();
    const end = {
      run: RUN,
      seq: 3,
      at: new Date().toISOString(),
      type: 'run-end',
      outcome: 'passed',
      message: 'done',
    };
    appendFileSync(join(place.repository, '.loadout/runs', RUN, 'events.jsonl'), `${JSON.stringify(end)}\n`);
    await page.getByText('Ended: passed. done').waitFor();
  });
});

describe('the page', () => {
  it('is used with the keyboard alone', async () => {
    await page.getByRole('tab', { name: 'Runs and loop' }).focus();
    for (const [key, name] of [
      ['ArrowRight', 'Package'],
      ['ArrowLeft', 'Runs and loop'],
      ['Home', 'Package'],
      ['End', 'Runs and loop'],
      ['Home', 'Package'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await page.getByRole('tab', { name }).getAttribute('aria-selected')).toBe('true');
    }
    await page.getByRole('table').waitFor();
    // The Tab key reaches the form of a file, whose choice is changed with a key.
    const reached: string[] = [];
    for (let at = 0; at < 40 && !reached.at(-1)?.startsWith('Form of '); at++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"));
    }
    const path = reached.at(-1)!.slice('Form of '.length);
    expect(reached).toEqual(expect.arrayContaining([`Pin ${path}`, `Exclude ${path}`]));
    await page.keyboard.press('m');
    await expect.poll(() => formOf(path).textContent()).toBe('mention');
    await page.keyboard.press('Home');
    await expect.poll(() => formOf(path).textContent()).not.toBe('mention');
  });

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe in any view: %s',
    async (colorScheme) => {
      const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      await page.emulateMedia({ colorScheme });
      for (const name of TABS) {
        await open(name);
        await page.waitForTimeout(400);
        const found = await page.evaluate(`${axe}; axe.run().then(({ violations }) => violations)`);
        const serious = (found as { impact: string; id: string; nodes: { html: string }[] }[]).filter(
          ({ impact }) => /serious|critical/.test(impact),
        );
        expect(serious.map(({ id, nodes }) => [name, id, nodes[0]!.html])).toEqual([]);
      }
    },
  );

  it.each([1_000, 1_920])('does not scroll sideways at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    for (const name of TABS) {
      await open(name);
      await page.waitForTimeout(200);
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([name, await page.evaluate(wide)]).toEqual([name, 0]);
    }
    await open('Package');
  });

  it('refuses data without the token and from another origin', async () => {
    const { origin, hash } = new URL(inspector.address);
    const token = new URLSearchParams(hash.slice(1)).get('token');
    const ask = async (headers: Record<string, string>, path = '/inspect/data/package') => {
      const all = { 'content-type': 'application/json', ...headers };
      return (await fetch(`${origin}${path}`, { method: 'POST', headers: all, body: '{}' })).status;
    };
    const authorization = `Bearer ${token}`;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await ask({ authorization, origin: 'https://example.org' })).toBe(403);
    expect(await ask({ authorization, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await ask({ authorization })).toBe(200);
    expect(await ask({ authorization }, '/inspect/data/other')).toBe(404);
    const { headers } = await fetch(`${origin}/inspect`);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  });

  it('asks nobody but its own server, and breaks none of its rules', async () => {
    const other = await browser.newPage();
    const [asked, said]: [string[], string[]] = [[], []];
    other.on('request', (request) => asked.push(new URL(request.url()).origin));
    other.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
    await other.goto(inspector.address);
    await other.getByRole('table').waitFor();
    for (const name of TABS) await other.getByRole('tab', { name }).click();
    await other.waitForTimeout(300);
    expect(new Set(asked.filter((origin) => origin !== 'null'))).toEqual(
      new Set([new URL(inspector.address).origin]),
    );
    expect(said).toEqual([]);
    await other.close();
  });
});

describe('one file', () => {
  const openOffline = async (file: string) => {
    const context = await browser.newContext({ offline: true });
    const one = await context.newPage();
    await one.goto(`file://${file}`);
    return one;
  };
  const written = (view: string, more: readonly string[] = []) => {
    const file = join(place.home, `${view}.html`);
    const words = [PROGRAM, 'inspect', TASK, '--view', view, '--static', file, ...more];
    execFileSync(process.execPath, words, { cwd: place.repository, env: place.env });
    expect(readFileSync(file, 'utf8')).not.toContain(SECRET);
    return openOffline(file);
  };

  it.each([
    ['package', ['--file', 'src/token.ts'], '.code .kept'],
    ['why', ['--file', 'src/store.ts'], '.bars'],
    ['repository', [], '.treemap'],
    ['sessions', [], '.timeline'],
    ['runs', [], '.tree'],
  ] as const)('shows the view %s without a network', async (view, more, shown) => {
    const one = await written(view, more);
    await one.locator(shown).first().waitFor();
    expect(await one.getByRole('tab').count()).toBe(1);
    await one.context().close();
  });

  it('is saved from the page as it is shown', async () => {
    await page.getByLabel('Form of src/token.ts').selectOption('mention');
    await settled();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save this view as a file' }).click(),
    ]);
    const file = join(place.home, 'saved.html');
    await saved.saveAs(file);
    const one = await openOffline(file);
    await one.getByRole('table').waitFor();
    expect(await one.getByLabel('Form of src/token.ts').inputValue()).toBe('mention');
    expect(readFileSync(file, 'utf8')).not.toContain(SECRET);
    await one.context().close();
  });
});
