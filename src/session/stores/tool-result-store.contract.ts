import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { selectResult } from '../result-excerpt.ts';
import type { ToolResultStore } from '../tool-result-store.ts';
import type { StoreOptions } from './indexed-store.ts';

export interface StoreUnderTest {
  open(options?: StoreOptions): ToolResultStore;
  /** Whether the next instance finds the results of this one. */
  readonly isDurable: boolean;
  clear(): void;
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('utf8');

/** The promises of every store of tool results. */
export function describeToolResultStore(name: string, create: () => StoreUnderTest): void {
  describe(`the ${name} store`, () => {
    let place: StoreUnderTest;
    beforeEach(() => {
      place = create();
    });
    afterEach(() => place.clear());

    it('gives back the exact bytes of text, JSON and bytes', async () => {
      const store = place.open();
      const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
      const kept = [
        await store.put({ tool: 'read', content: 'line 1\r\nline 2 \u{1f600}' }),
        await store.put({ tool: 'query', content: { rows: [1, 2.5, null, 'x'] } }),
        await store.put({ tool: 'image', content: bytes }),
        await store.put({ tool: 'none', content: '' }),
      ];
      const [plain, json, binary, empty] = await Promise.all(kept.map(({ id }) => store.get(id)));
      expect(text(plain?.bytes)).toBe('line 1\r\nline 2 \u{1f600}');
      expect(JSON.parse(text(json?.bytes))).toEqual({ rows: [1, 2.5, null, 'x'] });
      expect([...(binary?.bytes ?? [])]).toEqual([...bytes]);
      expect(empty?.bytes.length).toBe(0);
      expect(kept.map(({ mime }) => mime)).toEqual([
        'text/plain',
        'application/json',
        'application/octet-stream',
        'text/plain',
      ]);
      await store.close();
    });

    it('gives back any text and any bytes', async () => {
      const store = place.open();
      const contents = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.uint8Array({ maxLength: 300 }),
      );
      await fc.assert(
        fc.asyncProperty(contents, fc.string({ minLength: 1, maxLength: 20 }), async (content, tool) => {
          const handle = await store.put({ tool, content });
          const found = await store.get(handle.id);
          if (content instanceof Uint8Array) expect([...(found?.bytes ?? [])]).toEqual([...content]);
          else if (handle.mime === 'text/plain') expect(text(found?.bytes)).toBe(content);
          else expect(JSON.parse(text(found?.bytes))).toBe(content);
          expect(found?.handle).toEqual(handle);
        }),
        { numRuns: 40 },
      );
      await store.close();
    });

    it('names a result after its tool and content, and keeps it once', async () => {
      const store = place.open();
      const one = await store.put({ tool: 'read', content: 'same' });
      const other = await store.put({ tool: 'grep', content: 'same' });
      const again = await store.put({ tool: 'read', content: 'same' });
      expect(again.id).toBe(one.id);
      expect(other.id).not.toBe(one.id);
      expect(again.order).toBeGreaterThan(other.order);
      expect((await store.list()).map(({ id }) => id)).toEqual([one.id, other.id]);
      expect((await store.list(1)).map(({ id }) => id)).toEqual([one.id]);
      await store.close();
    });

    it('removes the oldest above its limits, never the newest', async () => {
      const store = place.open({ maxTotalBytes: 25, maxResults: 3 });
      const ids: string[] = [];
      for (const letter of 'abcd') ids.push((await store.put({ tool: 't', content: letter.repeat(10) })).id);
      expect((await store.list()).map(({ id }) => id)).toEqual([ids[3], ids[2]]);
      expect(await store.get(ids[0]!)).toBeNull();
      const large = await store.put({ tool: 't', content: 'x'.repeat(100) });
      expect((await store.list()).map(({ id }) => id)).toEqual([large.id]);
      await store.close();
    });

    it('refuses a result that is too large and a tool without a name, and keeps what it had', async () => {
      const store = place.open({ maxResultBytes: 10 });
      const kept = await store.put({ tool: 't', content: 'small' });
      await expect(store.put({ tool: 't', content: 'x'.repeat(11) })).rejects.toThrow(/11 bytes; at most 10/);
      await expect(store.put({ tool: '', content: 'x' })).rejects.toThrow(/tool: "" is not allowed/);
      expect((await store.list()).map(({ id }) => id)).toEqual([kept.id]);
      await store.close();
      expect(() => place.open({ maxResults: 0 })).toThrow(/maxResults: 0 is not allowed/);
      expect(() => place.open()).not.toThrow();
    });

    it('removes, and answers null for what it does not have', async () => {
      const store = place.open();
      const { id } = await store.put({ tool: 't', content: 'x' });
      await store.remove(id);
      await store.remove('tr_unknown');
      expect(await store.get(id)).toBeNull();
      expect(await store.handle(id)).toBeNull();
      expect(await store.get('../../etc/passwd')).toBeNull();
      expect(await store.list()).toEqual([]);
      await store.close();
    });

    it('takes secrets out of previews, and out of nothing else', async () => {
      const store = place.open();
      const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
      const handle = await store.put({ tool: 'env', content: `token ${secret}\nnext\tline` });
      expect(handle.preview).not.toContain(secret);
      expect(handle.preview).toContain('[redacted');
      expect(handle.preview).not.toMatch(/[\n\t]/);
      expect(text((await store.get(handle.id))?.bytes)).toContain(secret);
      await store.close();
    });

    it('gives a part of a result by a selector, without its secrets', async () => {
      const store = place.open();
      const secret = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
      const { id } = await store.put({ tool: 'log', content: `one\ntwo ${secret}\nthree` });
      const { id: binary } = await store.put({ tool: 'log', content: Uint8Array.of(0, 255) });
      expect((await selectResult(store, id, 'lines:3', 100))?.text).toBe('3: three');
      expect((await selectResult(store, id, 'grep:two', 100))?.text).not.toContain(secret);
      expect((await selectResult(store, id, 'first_chars', 5))?.text).toBe('one\nt');
      expect(await selectResult(store, binary, 'first_chars', 5)).toBeNull();
      expect(await selectResult(store, 'tr_none', 'first_chars', 5)).toBeNull();
      await store.close();
    });

    it('is closed once and for all', async () => {
      const store = place.open();
      await store.close();
      await store.close();
      await expect(store.put({ tool: 't', content: 'x' })).rejects.toThrow(/closed/);
    });

    it('keeps order, handles and bytes for the next instance', async () => {
      const first = place.open();
      await first.put({ tool: 'a', content: 'one' });
      const two = await first.put({ tool: 'b', content: { two: 2 } });
      const renewed = await first.put({ tool: 'a', content: 'one' });
      const gone = await first.put({ tool: 'c', content: 'gone' });
      await first.remove(gone.id);
      await first.close();
      const second = place.open();
      const kept = await second.list();
      expect(kept).toEqual(place.isDurable ? [renewed, two] : []);
      if (place.isDurable) {
        expect(text((await second.get(two.id))?.bytes)).toBe('{"two":2}');
        expect((await second.put({ tool: 'd', content: 'new' })).order).toBeGreaterThan(renewed.order);
      }
      await second.close();
    });
  });
}
