// A repository, its history and its records try to run scripts in the page, in 200 ways. The policy of the page is switched off
// here, so that its own handling of text has to hold.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answer, used, writeLog, writeLoop, writeRun } from '../../src/surfaces/stats/records.test-kit.ts';
import {
  commitFiles,
  hasRun,
  makeCommits,
  makePlace,
  type Place,
  PROGRAM,
  type RunningInspector,
  startBrowser,
  startInspector,
} from './inspector.test-kit.ts';
import { XSS_CORPUS } from './xss-corpus.ts';

const TASK = 'change the token refresh';
const RUN = '20260204-110000-00000001';
const TOKEN_FILES = 20;

/** What a file system takes as a name. */
const asName = (attack: string) => attack.replaceAll(/[/\0]/g, '').slice(0, 60);

let place: Place;
let inspector: RunningInspector;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  const body = (attack: string, at: number) =>
    `/** ${attack} */\nexport function tokenRefresh${at}() {\n  return ${JSON.stringify(attack)};\n}\n${attack}\n`;
  const named = XSS_CORPUS.map(
    (attack, at) => [`src/token ${at} ${asName(attack)}.ts`, body(attack, at)] as const,
  );
  place = makePlace({
    ...Object.fromEntries(named),
    ...Object.fromEntries(
      Array.from({ length: TOKEN_FILES }, (_, at) => [
        `src/refresh${at}.ts`,
        `export const token${at} = 1;\n`,
      ]),
    ),
  });
  makeCommits(
    place,
    XSS_CORPUS.map((subject, at) => ({ path: `src/refresh${at % TOKEN_FILES}.ts`, subject })),
  );
  commitFiles(
    place,
    named.map(([path]) => path),
  );
  const at = new Date().toISOString();
  writeLog(
    place.cache,
    place.repository,
    XSS_CORPUS.flatMap((attack) => [
      answer({ at, prompt: attack, reason: attack, places: [`${attack}:1-2`], names: [attack] }),
      used('read', attack, null, { at }),
    ]),
  );
  writeRun(place.repository, RUN, [
    { type: 'run-start', role: XSS_CORPUS[0], cli: XSS_CORPUS[1], task: XSS_CORPUS[2] },
    ...XSS_CORPUS.map((message) => ({ type: 'note', message })),
  ]);
  writeLoop(place.repository, [XSS_CORPUS[3]!, XSS_CORPUS[4]!]);
  inspector = await startInspector(place, [TASK]);
  browser = await startBrowser();
  context = await browser.newContext({ bypassCSP: true });
  page = await context.newPage();
  await page.goto(inspector.address);
  await page.getByRole('table').waitFor();
});

afterAll(async () => {
  await browser?.close();
  await inspector?.stop();
  place?.remove();
});

it('would notice a script that runs', async () => {
  expect(XSS_CORPUS.length).toBe(200);
  const other = await context.newPage();
  await other.setContent(`<p>${XSS_CORPUS.find((attack) => attack.startsWith('<img src=x'))}</p>`);
  await expect.poll(() => hasRun(other)).toBe(true);
  await other.close();
});

it('runs nothing from file names, contents and reasons', async () => {
  const files = await page.locator('tbody th button').all();
  expect(files.length).toBeGreaterThan(20);
  for (const file of files.slice(0, 12)) {
    const name = await file.textContent();
    await file.click();
    await page.locator('.panel h2', { hasText: name!.slice(0, 20) }).waitFor();
    await page.locator('.code pre > div').first().waitFor();
  }
  expect(await hasRun(page)).toBe(false);
});

it('runs nothing from tasks', async () => {
  for (let at = 0; at < XSS_CORPUS.length; at += 40) {
    const task = XSS_CORPUS.slice(at, at + 40)
      .join(' ')
      .replaceAll(/[\n\r]/g, ' ');
    await page.getByRole('textbox', { name: 'Task' }).fill(task);
    await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/data/package')),
      page.getByRole('button', { name: 'Build' }).click(),
    ]);
    await page.locator('.command').waitFor();
  }
  expect(await hasRun(page)).toBe(false);
  await page.getByRole('textbox', { name: 'Task' }).fill(TASK);
  await page.getByRole('button', { name: 'Build' }).click();
});

it('runs nothing from commits, and from a path that is typed in', async () => {
  await page.getByRole('tab', { name: 'Why' }).click();
  let seen = '';
  const explain = async (path: string) => {
    await page.getByRole('textbox', { name: 'File' }).fill(path);
    await page.getByRole('button', { name: 'Explain' }).click();
    await expect.poll(() => page.locator('h2.path').textContent(), { timeout: 20_000 }).toBe(path.trim());
  };
  for (let at = 0; at < TOKEN_FILES; at++) {
    await explain(`src/refresh${at}.ts`);
    seen += await page.locator('#view').textContent();
  }
  expect(seen).toContain('<script>window.ran=1</script>');
  for (const attack of XSS_CORPUS.slice(0, 10)) await explain(attack.replaceAll(/[\n\r]/g, ' '));
  expect(await hasRun(page)).toBe(false);
});

it('runs nothing from hook records, runs and the loop', async () => {
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await page.getByText('<script>window.ran=1</script>').first().waitFor();
  expect(await page.locator('.timeline > li').count()).toBe(200);
  await page.getByRole('tab', { name: 'Runs and loop' }).click();
  await page.locator('.run-row').first().click();
  await page.locator('.events li').first().waitFor();
  expect(await page.locator('.events li').count()).toBe(200);
  await page.getByRole('tab', { name: 'Repository' }).click();
  await page.getByRole('heading', { name: 'Hot spots' }).waitFor();
  // Every file name is in the treemap.
  expect(await page.locator('.treemap title').count()).toBe(XSS_CORPUS.length + TOKEN_FILES);
  expect(await hasRun(page)).toBe(false);
});

it('runs nothing in a saved view, which has no server to refuse anything', async () => {
  for (const view of ['package', 'why', 'repository', 'sessions', 'runs']) {
    const file = join(place.home, `${view}.html`);
    const words = [PROGRAM, 'inspect', `${TASK} </script><script>window.ran=1</script>`, '--view', view];
    execFileSync(process.execPath, [...words, '--static', file], { cwd: place.repository, env: place.env });
    await page.goto(`file://${file}`);
    await page.getByRole('tab').waitFor();
    await page.waitForTimeout(200);
    expect(await hasRun(page)).toBe(false);
  }
});
