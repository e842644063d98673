import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { KnowledgeStore } from '../../src/model/knowledge-store.ts';
import { type ExchangeRequest, openHttpLine } from '../../src/platform/http-client.ts';
import {
  type Drafts,
  lexical,
  termsOf,
  updateOf,
} from '../../src/stores/knowledge-store/stored-file.test-kit.ts';
import { collectGarbage } from '../../src/stores/opensearch/collect-garbage.ts';
import { patienceOf } from '../../src/stores/opensearch/connection.ts';
import { SCALE } from '../support/scan-kit.ts';
import {
  clusterIsWhole,
  clusterUrls,
  controlNode,
  freshTeam,
  hasCluster,
  openTestStore,
  TEST_INDEX,
} from './cluster-kit.ts';
import { FILES, treeOf, versionsSeen } from './versioned-tree.ts';

const CLIENT_KILLS = SCALE > 1 ? 20 : 5;
const NODE_KILLS = SCALE > 1 ? 10 : 2;
const FAULTY_UPDATES = SCALE > 1 ? 20 : 1;
const PATIENCE = { timeout: 600_000 };

describe.skipIf(!hasCluster())('an update during faults', () => {
  it(
    `whose client is killed ${CLIENT_KILLS} times leaves old or new, and the next one completes`,
    PATIENCE,
    async () => {
      const team = freshTeam();
      const store = openTestStore(team);
      await store.update(updateOf(treeOf(0)));
      const writer = bundled('updating-client.ts');
      let killedEarly = 0;
      let version = 0;
      for (let round = 0; round < CLIENT_KILLS; round++) {
        const next = version + 1;
        const child = fork(writer, [clusterUrls().join(','), team, String(next)], {
          stdio: 'ignore',
        });
        const gone = new Promise((resolve) => child.once('exit', resolve));
        await new Promise((resolve) => child.once('message', resolve));
        // an update of this tree takes about this long; a reader looks on meanwhile
        const during = versionsSeen(store);
        await sleep(Math.random() * 700);
        child.kill('SIGKILL');
        await gone;
        expect([[version], [next]]).toContainEqual(await during);
        const seen = await versionsSeen(store);
        expect([[version], [next]]).toContainEqual(seen);
        if (seen[0] === version) killedEarly++;
        version = seen[0]!;
      }
      expect(killedEarly).toBeGreaterThan(0);
      await store.update(updateOf(treeOf(99)));
      expect(await versionsSeen(store)).toEqual([99]);
      const { files } = await collectGarbage(store.place, patienceOf(), -1000);
      expect(files).toBeGreaterThan(0);
      expect(await versionsSeen(store)).toEqual([99]);
      await store.close();
    },
  );

  it.skipIf(!hasCluster() || process.env.LOADOUT_TEST_STORE_URLS)(
    `while a node is killed, ${NODE_KILLS} times, shows old or new`,
    PATIENCE,
    async () => {
      const store = openTestStore(freshTeam());
      await store.update(updateOf(treeOf(0)));
      await clusterIsWhole(3);
      for (let round = 1; round <= NODE_KILLS; round++) {
        const number = 1 + (round % 3);
        const updating = store.update(updateOf(treeOf(round))).then(
          () => null,
          (error: unknown) => error,
        );
        await sleep(Math.random() * 500);
        await controlNode('kill', number);
        // the old one or the new one, as soon as there is an answer at all
        const seen = await patiently(() => versionsSeen(store));
        expect([[round - 1], [round]]).toContainEqual(seen);
        const failure = await updating;
        if (failure) expect(failure).toMatchObject({ code: 'store-unavailable' });
        await controlNode('start', number);
        await clusterIsWhole(3);
        await patiently(() => store.update(updateOf(treeOf(round))));
        expect(await versionsSeen(store)).toEqual([round]);
      }
      await store.close();
    },
  );

  it('loses nothing when a fifth of the requests and documents is refused', PATIENCE, async () => {
    const proxy = await unreliableProxy(0.2);
    const team = freshTeam();
    const store = openTestStore(team, { urls: [proxy.url], requestTimeoutMs: 1500 });
    const steps: number[] = [];
    await store.update(updateOf(treeOf(0), { onProgress: (sent) => steps.push(sent) }));
    let last = 0;
    // Chance decides what is turned away, so go on until a whole request was.
    while (last < FAULTY_UPDATES || (store.connection.retries === 0 && last < 10 * FAULTY_UPDATES)) {
      last += 1;
      await store.update(updateOf(treeOf(last)));
    }
    expect(proxy.refusals()).toBeGreaterThan(0);
    expect(store.connection.retries).toBeGreaterThan(0);
    expect(steps.at(-1)).toBe(FILES);
    const plain = openTestStore(team);
    expect(await versionsSeen(plain)).toEqual([last]);
    expect((await plain.snapshot('org/app', 'main'))?.generation).toBe(1 + last);
    await Promise.all([store.close(), plain.close()]);
  });

  it('whose requests are replayed three times changes nothing', async () => {
    const team = freshTeam();
    const line = openHttpLine();
    const sent: ExchangeRequest[] = [];
    const store = openTestStore(team, {
      line: {
        ...line,
        exchange: (request) => {
          if (request.method !== 'GET') sent.push(request);
          return line.exchange(request);
        },
      },
    });
    await store.update(updateOf(treeOf(0)));
    await store.update(updateOf(treeOf(1)));
    const snapshots = await store.snapshots();
    const seen = await contents(store);
    const bulks = sent.filter(({ url }) => url.includes('_bulk'));
    expect(bulks.length).toBeGreaterThan(1);
    const writes = sent.filter(({ url, method }) => method === 'PUT' || url.includes('_bulk'));
    for (let times = 0; times < 3; times++)
      for (const request of writes) await line.exchange({ ...request, timeoutMs: 30_000 });
    await fetch(`${clusterUrls()[0]}/${TEST_INDEX}/_refresh`, { method: 'POST' });
    expect(await store.snapshots()).toEqual(snapshots);
    expect(await contents(store)).toEqual(seen);
    expect(await versionsSeen(store)).toEqual([1]);
    await store.close();
  });

  it('that switches to a branch with 1 % other files sends at most 2 % of them', async () => {
    const store = openTestStore(freshTeam());
    await store.update(updateOf(treeOf(0)));
    const changed = Object.fromEntries(
      Object.entries(treeOf(0)).map(([path, draft], at) => [
        path,
        at % 100 === 0 ? { code: `other${at}` } : draft,
      ]),
    );
    const bytes = store.connection.bytesSent;
    const { sent, kept } = await store.update(updateOf(changed, { branch: 'feature' }));
    expect(sent).toBeLessThanOrEqual(FILES * 0.02);
    expect(sent + kept).toBe(FILES);
    expect(store.connection.bytesSent - bytes).toBeLessThan(bytes * 0.5);
    const back = await store.update(updateOf(treeOf(0), { branch: 'feature' }));
    expect(back.sent).toBe(0);
    expect(await versionsSeen(store)).toEqual([0]);
    await store.close();
  });

  it('continues beyond the number of layers that a snapshot keeps', PATIENCE, async () => {
    const store = openTestStore(freshTeam());
    const tree = (version: number): Drafts => ({ same: { code: 'same' }, a: { code: `v${version}` } });
    for (let version = 0; version < 45; version++) await store.update(updateOf(tree(version)));
    const [list] = await store.search([lexical(termsOf('v44', 'v43', 'same'))]);
    expect(list!.map(({ path }) => path).sort()).toEqual(['a', 'same']);
    expect((await store.search([lexical(termsOf('v43', 'v3'))]))[0]).toEqual([]);
    await store.close();
  });
});

/** A module as a program that Node can start. */
function bundled(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'client.mjs');
  const entry = fileURLToPath(new URL(name, import.meta.url));
  buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

async function contents(store: KnowledgeStore): Promise<unknown> {
  return store.search([lexical(termsOf('everywhere', 'version0', 'version1'), { limit: 1000 })]);
}

async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt >= 30) throw error;
      await sleep(1000);
    }
  }
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A proxy between client and cluster. It refuses a share of the requests, or loses the request or its answer. */
async function unreliableProxy(share: number) {
  let refused = 0;
  const faults = ['429', '503', 'lost', 'late', 'some'] as const;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const fault = Math.random() < share ? faults[Math.floor(Math.random() * faults.length)]! : null;
      if (fault) refused++;
      if (fault === '429' || fault === '503') {
        outgoing.writeHead(Number(fault)).end('{"error":{"type":"rejected_execution_exception"}}');
        return;
      }
      if (fault === 'lost') return void incoming.socket.destroy();
      const target = clusterUrls()[0] + incoming.url!;
      const { host: _, ...headers } = incoming.headers;
      const onward = send(
        target,
        { method: incoming.method!, headers: { ...headers, 'accept-encoding': 'identity' } },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () => {
            if (fault === 'late') return;
            let body = Buffer.concat(parts);
            // documents one by one: the server takes some and has no room for others
            if (fault === 'some' && incoming.url!.includes('_bulk')) {
              const value = JSON.parse(body.toString()) as { items: Record<string, { status: number }>[] };
              for (const item of value.items)
                if (Math.random() < share) for (const one of Object.values(item)) one.status = 429;
              body = Buffer.from(JSON.stringify(value));
            }
            outgoing.writeHead(answer.statusCode!, { 'content-type': 'application/json' }).end(body);
          });
        },
      );
      onward.on('error', () => incoming.socket.destroy());
      onward.end(Buffer.concat(chunks));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, refusals: () => refused };
}
