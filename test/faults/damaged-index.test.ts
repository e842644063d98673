import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SegmentView } from '../../src/model/index-view.ts';
import { CacheFolder } from '../../src/platform/cache/cache-folder.ts';
import { INDEX_FORMAT, IndexStore, OpenIndex } from '../../src/scan/format/index-store.ts';
import { DamagedFileError } from '../../src/scan/format/section-file.ts';
import { useIndex } from '../../src/scan/index-session.ts';
import { answersOf, codesOf, PATIENT, SCALE, scanInProcess, settingsFor } from '../support/scan-kit.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';

const FILES = {
  'src/a.py': 'from b import beta\n\n\ndef alpha():\n    """Calls beta."""\n    return beta()\n',
  'src/b.py': 'class Box:\n    def open(self):\n        pass\n\n\ndef beta():\n    return Box()\n',
  'src/c.py': 'import a\n\ndef gamma():\n    return a.alpha()\n',
  'README.md': '# Title\n\n## Part\n\nwords about alpha\n',
};
const KINDS = ['.snapshot', '.segment', '.links', '.history'] as const;

function indexFolder({ cache }: TemporaryRepository): string {
  const formats = join(cache, 'index', INDEX_FORMAT);
  return join(formats, readdirSync(formats)[0]!);
}

function fileOf(repository: TemporaryRepository, kind: string): string {
  const folder = indexFolder(repository);
  return join(folder, readdirSync(folder).find((name) => name.endsWith(kind))!);
}

const random = (below: number) => Math.floor(Math.random() * below);

function damage(path: string, cut: boolean): void {
  const bytes = readFileSync(path);
  const at = random(bytes.length);
  bytes[at] = bytes[at]! ^ (1 << random(8));
  if (cut) truncateSync(path, at);
  else writeFileSync(path, bytes);
}

/** A scanned repository, and how to bring its index back to this state. */
async function scanned() {
  const repository = temporaryRepository(FILES);
  await scanInProcess(repository);
  const folder = indexFolder(repository);
  const kept = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
  const restore = () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    for (const [name, bytes] of kept) writeFileSync(join(folder, name), bytes);
  };
  return { repository, folder, restore };
}

/** Everything that can be read of a segment. */
function contentOf(segment: SegmentView, documents: number) {
  const words = Array.from({ length: segment.words.length }, (_, id) => {
    const postings: unknown[] = [];
    segment.eachPosting(id, (document, count, positions, kept) =>
      postings.push([document, count, ...positions.subarray(0, kept)]),
    );
    return [segment.words.at(id), postings];
  });
  const parts = Array.from({ length: segment.parts.length }, (_, id) => [
    segment.parts.at(id),
    ...segment.wordsWithPart(id),
  ]);
  const rows = Array.from({ length: documents }, (_, document) => {
    const uses: number[] = [];
    segment.eachUse(document, (word, count) => uses.push(word, count));
    return [uses, segment.symbols(document), segment.imports(document), segment.document(document, 0)];
  });
  return { words, parts, rows, definitions: [...segment.definitions] };
}

/** All that the stored index says, or null when it says that it is damaged. */
function readIndex(folder: string, name: string) {
  const store = new IndexStore(new CacheFolder(folder));
  const snapshot = store.load(name);
  if (typeof snapshot === 'string') return null;
  const index = OpenIndex.tryOpen(store, snapshot);
  if (!index) return null;
  try {
    const segments = snapshot.segments.map((_, at) => contentOf(index.segment(at), snapshot.files.length));
    return { snapshot, links: index.links, segments };
  } catch (error) {
    if (error instanceof DamagedFileError) return null;
    throw error;
  } finally {
    index.close();
  }
}

const withNote = ({ repository }: { repository: TemporaryRepository }) =>
  useIndex(
    { repo: repository.path, mode: 'incremental', settings: settingsFor(repository.cache) },
    (scan) => ({ answers: answersOf(scan), codes: codesOf(scan) }),
  );

describe('a damaged index never gives wrong answers', PATIENT, () => {
  it.each(['.snapshot', '.segment', '.links'] as const)(
    '400 flips and cuts in the %s are noticed',
    async (kind) => {
      const { repository, folder, restore } = await scanned();
      const name = readdirSync(folder).find((one) => one.endsWith('.snapshot'))!;
      const truth = readIndex(folder, name);
      expect(truth?.segments[0]?.words.length).toBeGreaterThan(5);
      const path = fileOf(repository, kind);
      const whole = readFileSync(path);
      let noticed = 0;
      for (let round = 0; round < 400 * SCALE; round++) {
        damage(path, round % 4 === 0);
        const found = readIndex(folder, name);
        if (found === null) noticed++;
        else expect(found).toEqual(truth);
        writeFileSync(path, whole);
      }
      // what lies between sections may change without harm, and that is little
      expect(noticed).toBeGreaterThan(350 * SCALE);
      restore();
    },
  );

  it.each(KINDS)('the next scan rebuilds the damaged part of the %s, and says so', async (kind) => {
    const prepared = await scanned();
    const { answers: truth } = await withNote(prepared);
    let said = 0;
    for (let round = 0; round < 6 * SCALE; round++) {
      prepared.restore();
      const path = fileOf(prepared.repository, kind);
      damage(path, round % 4 === 0);
      const { answers, codes } = await withNote(prepared);
      expect(answers).toEqual(truth);
      expect(codes.filter((code) => code !== 'index-rebuilt')).toEqual([]);
      said += codes.length;
      // whatever was damaged is whole again, or will not be looked at again
      expect(await withNote(prepared)).toMatchObject({ answers: truth });
    }
    // the history holds no answers, and a flip between two sections changes none
    if (kind !== '.history') expect(said).toBeGreaterThan(0);
    if (kind === '.snapshot') expect(said).toBe(6 * SCALE);
  });

  it('a missing segment is rebuilt, and --verify finds damage in unread parts', async () => {
    const prepared = await scanned();
    const { answers: truth } = await withNote(prepared);
    rmSync(fileOf(prepared.repository, '.segment'));
    expect(await withNote(prepared)).toEqual({ answers: truth, codes: ['index-rebuilt'] });
    prepared.restore();
    const path = fileOf(prepared.repository, '.segment');
    const bytes = readFileSync(path);
    bytes[8] = bytes[8]! ^ 1;
    writeFileSync(path, bytes);
    const settings = settingsFor(prepared.repository.cache);
    const request = { repo: prepared.repository.path, mode: 'incremental', settings, verify: true } as const;
    expect(await useIndex(request, codesOf)).toEqual(['index-rebuilt']);
  });

  it('an index of another format is not changed, and the user is told', async () => {
    const { repository } = await scanned();
    const [key] = readdirSync(join(repository.cache, 'index', INDEX_FORMAT));
    rmSync(join(repository.cache, 'index', INDEX_FORMAT), { recursive: true });
    const former = join(repository.cache, 'index', 'v0.9.1', key!);
    mkdirSync(former, { recursive: true });
    writeFileSync(join(former, 'x.snapshot'), 'from another time');
    expect(codesOf(await scanInProcess(repository))).toEqual(['index-rebuilt']);
    expect(codesOf(await scanInProcess(repository))).toEqual([]);
    expect(readFileSync(join(former, 'x.snapshot'), 'utf8')).toBe('from another time');
  });
});
