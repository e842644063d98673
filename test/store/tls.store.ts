import { writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storesKind } from '../../src/config/stores-kind.ts';
import { lexical, termsOf, updateOf } from '../../src/stores/knowledge-store/stored-file.test-kit.ts';
import { chooseTeamStore } from '../../src/stores/team/team-store.ts';
import { temporaryFolder } from '../support/temporary-repository.ts';
import { clusterUrls, freshTeam, hasCluster, TEST_INDEX } from './cluster-kit.ts';
import { type Certificate, hasOpenssl, privateAuthority } from './private-authority.ts';

const ENV = { SEARCH_USER: 'ann', SEARCH_PASSWORD: 'hush-hush' };

/** The cluster behind TLS. It requires the credentials, and counts the requests that reach it. */
async function secureFront(certificate: Certificate) {
  const seen = { requests: 0 };
  const wanted = `Basic ${Buffer.from('ann:hush-hush').toString('base64')}`;
  const server = createServer({ ...certificate }, (incoming, outgoing) => {
    seen.requests++;
    if (incoming.headers.authorization !== wanted) return void outgoing.writeHead(401).end('{}');
    const { host: _, authorization: __, ...headers } = incoming.headers;
    const onward = send(clusterUrls()[0] + incoming.url!, { method: incoming.method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function open(url: string, caFile: string) {
  const setting = { url, team: freshTeam(), caFile, userEnv: 'SEARCH_USER', passwordEnv: 'SEARCH_PASSWORD' };
  const stores = storesKind.fromFile({ team: { ...setting, index: TEST_INDEX } })!;
  return chooseTeamStore({ store: 'team', stores }, ENV);
}

describe.skipIf(!hasCluster() || !hasOpenssl())('a cluster behind TLS', () => {
  const query = [lexical(termsOf('word'))];

  it('with a certificate of the authority in caFile is filled and asked', async () => {
    const authority = privateAuthority('ours');
    const { url, seen } = await secureFront(authority.certify('IP:127.0.0.1'));
    const store = open(url, authority.file);
    expect(await store.update(updateOf({ a: { code: 'word' } }))).toMatchObject({ sent: 1 });
    expect((await store.search(query))[0]!.map(({ path }) => path)).toEqual(['a']);
    expect(seen.requests).toBeGreaterThan(5);
    await store.close();
  });

  it.each([
    ['of another authority', 'IP:127.0.0.1', /not trusted here.*caFile/],
    ['of no authority that is named', 'IP:127.0.0.1', /not trusted here.*caFile/],
    ['for another host', 'DNS:search.example', /certificate is for another host/],
    ['that has expired', 'IP:127.0.0.1', /certificate has expired/],
  ])('with a certificate %s is not spoken to', async (which, names, message) => {
    const authority = privateAuthority('ours');
    const days = which.includes('expired') ? -1 : 2;
    const { url, seen } = await secureFront(authority.certify(names, days));
    const trusted = which.includes('no authority')
      ? ''
      : which.includes('another authority')
        ? privateAuthority('theirs').file
        : authority.file;
    const store = open(url, trusted);
    const started = performance.now();
    const failure = await store.search(query).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'store-unavailable', message: expect.stringMatching(message) });
    expect(`${failure} ${JSON.stringify(failure)}`).not.toContain('hush');
    // it is not tried again and again
    expect(performance.now() - started).toBeLessThan(3000);
    expect(store.traffic().retries).toBe(0);
    // no server has received the credentials
    expect(seen.requests).toBe(0);
    await store.close();
  });

  it('is not asked for in the clear', async () => {
    const authority = privateAuthority('ours');
    const { url, seen } = await secureFront(authority.certify('IP:127.0.0.1'));
    const store = open(url.replace('https:', 'http:'), authority.file);
    await expect(store.search(query)).rejects.toMatchObject({ code: 'store-unavailable' });
    expect(seen.requests).toBe(0);
    await store.close();
    const plain = open(clusterUrls()[0]!.replace('http:', 'https:'), authority.file);
    await expect(plain.search(query)).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('does not speak TLS'),
    });
    await plain.close();
  });

  it('is not trusted because of a file that holds no certificate', async () => {
    const authority = privateAuthority('ours');
    const { url, seen } = await secureFront(authority.certify('IP:127.0.0.1'));
    const file = join(temporaryFolder().home, 'empty.pem');
    writeFileSync(file, 'no certificate\n');
    const store = open(url, file);
    await expect(store.search(query)).rejects.toMatchObject({ code: 'store-unavailable' });
    expect(seen.requests).toBe(0);
    await store.close();
  });
});
