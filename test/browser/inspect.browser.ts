// The inspector in a real browser, on a repository whose names and contents try to run scripts. Needs a build and Chromium.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../../bin/loadout.js');
const CHROMIUM = process.env.LOADOUT_TEST_CHROMIUM ?? '/usr/bin/chromium';
const ATTACKS = ['<img src=x onerror=window.ran=1>', '"><svg onload=window.ran=1>', "';window.ran=1;'"];

let folder: string;
let address: string;
let server: ChildProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inspect-'));
  const repository = join(folder, 'repository');
  mkdirSync(join(repository, 'src'), { recursive: true });
  ATTACKS.forEach((attack, at) => {
    const text = `// ${attack}\nexport function refreshToken${at}() {\n  return '${at}';\n}\n</script><script>window.ran=1</script>\n`;
    writeFileSync(join(repository, 'src', `token ${attack.replaceAll('/', '')}.ts`), text);
  });
  writeFileSync(join(repository, 'src/token.ts'), 'export function refreshToken() {\n  return 1;\n}\n');
  execFileSync('git', ['init', '-q'], { cwd: repository });
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
  const words = [PROGRAM, 'inspect', 'fix the race in refresh token', '--repo', repository];
  execFileSync(process.execPath, [...words, '--static', join(folder, 'out.html')], { env });
  server = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  address = await new Promise((resolve) =>
    server.stdout!.once('data', (data) => resolve(String(data).trim())),
  );
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  page = await browser.newPage();
  await page.goto(address);
  await page.getByRole('table').waitFor();
});

afterAll(async () => {
  await browser?.close();
  server?.kill('SIGINT');
  rmSync(folder, { recursive: true, force: true });
});

const ran = (one: Page) => one.evaluate(() => (globalThis as { ran?: number }).ran ?? 0);

it('shows the files of the package, and takes the token out of the address bar', async () => {
  expect(await page.getByRole('button', { name: 'src/token.ts', exact: true }).count()).toBe(1);
  expect(page.url()).not.toContain('token=');
});

it('leaves a file out when it is excluded, and runs nothing from names or contents', async () => {
  await page.getByRole('button', { name: 'Exclude src/token.ts' }).click();
  await page.getByText('excluded by you').waitFor();
  await page.locator('tbody th button').first().click();
  await page.locator('.file span').first().waitFor();
  expect(await ran(page)).toBe(0);
});

it('goes to the view Why with the keyboard', async () => {
  await page.getByRole('tab', { name: 'Package' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: /place 1/ }).waitFor();
  expect(await ran(page)).toBe(0);
});

it('has no serious finding of axe in either view', async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const name of ['Package', 'Why']) {
    await page.getByRole('tab', { name }).click();
    await page.waitForTimeout(300);
    const found = await page.evaluate(`${axe}; axe.run().then(({ violations }) => violations)`);
    const serious = (found as { impact: string; id: string }[]).filter(({ impact }) =>
      /serious|critical/.test(impact),
    );
    expect(serious.map(({ id }) => id)).toEqual([]);
  }
});

it('refuses data without the token and from another origin', async () => {
  const { origin } = new URL(address);
  const token = new URLSearchParams(new URL(address).hash.slice(1)).get('token');
  const statusWith = async (headers: Record<string, string>) => {
    const all = { 'content-type': 'application/json', ...headers };
    return (await fetch(`${origin}/inspect/data/package`, { method: 'POST', headers: all, body: '{}' }))
      .status;
  };
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ authorization: `Bearer ${token}`, origin: 'https://example.org' })).toBe(403);
});

it('writes one file that shows the package without a network', async () => {
  const context = await browser.newContext({ offline: true });
  const one = await context.newPage();
  await one.goto(`file://${join(folder, 'out.html')}`);
  await one.getByRole('table').waitFor();
  expect(await ran(one)).toBe(0);
  await context.close();
});
