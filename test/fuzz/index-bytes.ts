import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { rankRepository } from '../../src/context/rank.ts';
import type { SegmentView } from '../../src/model/index-view.ts';
import { CacheFolder } from '../../src/platform/cache/cache-folder.ts';
import { decodeCurrentHistory, decodeHistory } from '../../src/scan/format/history-codec.ts';
import { INDEX_FORMAT, IndexStore, OpenIndex } from '../../src/scan/format/index-store.ts';
import { DamagedFileError } from '../../src/scan/format/section-file.ts';
import { runScan } from '../../src/scan/run-scan.ts';
import { settingsFor } from '../support/scan-kit.ts';
import { fuzzClass } from './fuzz-class.ts';

const KINDS = ['.snapshot', '.segment', '.links', '.history'] as const;
type Kind = (typeof KINDS)[number];

/** Places and lengths are shares of the file, so that a recipe holds for a file of any size. */
type Edit =
  | readonly ['flip', at: number, bit: number]
  | readonly ['set', at: number, bytes: string]
  | readonly ['remove', at: number, length: number]
  | readonly ['copy', from: number, length: number, to: number]
  | readonly ['cut', at: number]
  | readonly ['grow', bytes: string, times: number];

interface Recipe {
  readonly kind: Kind;
  readonly edits: readonly Edit[];
  /** The list of sections is changed instead, with correct checksums, because these alone do not protect. */
  readonly isSealed: boolean;
}

const TAIL_BYTES = 24;

/** Changes the list of sections at the end of a file, as a program with a mistake would write it. */
function changeDirectory(bytes: Buffer, edits: readonly Edit[]): Buffer {
  const tail = Buffer.from(bytes.subarray(-TAIL_BYTES));
  const start = tail.readDoubleLE(0);
  const directory = edits.reduce(apply, bytes.subarray(start, start + tail.readUInt32LE(8)));
  tail.writeUInt32LE(directory.length, 8);
  tail.writeUInt32LE(crc32(directory), 12);
  tail.writeUInt32LE(crc32(tail.subarray(0, 16)), 16);
  return Buffer.concat([bytes.subarray(0, start), directory, tail]);
}

const BYTES = [
  '00',
  'ff',
  'ffffffff',
  '00000000',
  '7fffffff',
  '80808080',
  'ffffffffffffffff',
  '7b7d',
  '44414f4c',
];

function apply(bytes: Buffer, edit: Edit): Buffer {
  const place = (share: number) => Math.min(bytes.length, Math.floor(share * bytes.length));
  switch (edit[0]) {
    case 'flip': {
      const copy = Buffer.from(bytes);
      const at = place(edit[1]);
      if (at < copy.length) copy[at] = copy[at]! ^ (1 << edit[2]);
      return copy;
    }
    case 'set': {
      const copy = Buffer.from(bytes);
      Buffer.from(edit[2], 'hex').copy(copy, place(edit[1]));
      return copy;
    }
    case 'remove':
      return Buffer.concat([bytes.subarray(0, place(edit[1])), bytes.subarray(place(edit[1] + edit[2]))]);
    case 'copy': {
      const copy = Buffer.from(bytes);
      bytes.subarray(place(edit[1]), place(edit[1] + edit[2])).copy(copy, place(edit[3]));
      return copy;
    }
    case 'cut':
      return bytes.subarray(0, place(edit[1]));
    case 'grow':
      return Buffer.concat([bytes, Buffer.from(edit[1].repeat(edit[2]), 'hex')]);
  }
}

interface State {
  readonly folder: string;
  readonly snapshot: string;
  readonly files: ReadonlyMap<Kind, { readonly path: string; readonly bytes: Buffer }>;
}

/** Changes to one file of an index, as JSON. */
export const indexBytes = fuzzClass<State>({
  setUp: async (environment) => {
    const settings = settingsFor(environment.cache);
    // a ranking reads the history as well, which keeps it
    await rankRepository({
      repo: environment.repository,
      settings,
      task: 'refresh the token',
      limit: 3,
      userDirectory: environment.home,
    });
    const { index } = await runScan({ repo: environment.repository, mode: 'incremental', settings });
    index.close();
    const formats = join(environment.cache, 'index', INDEX_FORMAT);
    const folder = join(formats, readdirSync(formats)[0]!);
    const fileOf = (kind: Kind) => {
      const name = readdirSync(folder).find((one) => one.endsWith(kind) && one !== 'scans.history')!;
      return { path: join(folder, name), bytes: readFileSync(join(folder, name)) };
    };
    const snapshot = readdirSync(folder).find((one) => one.endsWith('.snapshot'))!;
    return { folder, snapshot, files: new Map(KINDS.map((kind) => [kind, fileOf(kind)])) };
  },
  generate: (random) => {
    // the end says where everything is, so it gets more than its share
    const place = () => (random.chance(0.4) ? 1 - random.unit() ** 3 / 10 : random.unit());
    const edit = (): Edit => {
      const kind = random.below(10);
      if (kind < 4) return ['flip', place(), random.below(8)];
      if (kind < 6) return ['set', place(), random.pick(BYTES)];
      if (kind === 6) return ['remove', place(), random.unit() / 20];
      if (kind === 7) return ['copy', place(), random.unit() / 10, place()];
      return kind === 8 ? ['cut', place()] : ['grow', random.pick(BYTES), random.length(5_000)];
    };
    const edits = Array.from({ length: 1 + random.length(4) }, edit);
    return Buffer.from(
      JSON.stringify({ kind: random.pick(KINDS), edits, isSealed: random.chance(0.3) } satisfies Recipe),
    );
  },
  isDocumented: (error) => error instanceof DamagedFileError,
  run({ folder, snapshot, files }, input) {
    const { kind, edits, isSealed } = JSON.parse(input.toString('utf8')) as Recipe;
    const { path, bytes } = files.get(kind)!;
    writeFileSync(path, isSealed ? changeDirectory(bytes, edits) : edits.reduce(apply, bytes));
    try {
      return JSON.stringify([readIndex(folder, snapshot), readHistory(files.get('.history')!.path, folder)]);
    } finally {
      writeFileSync(path, bytes);
    }
  },
});

function readHistory(path: string, folder: string): unknown {
  const open = () => new CacheFolder(folder).open(path.slice(folder.length + 1))!;
  const [whole, current] = [open(), open()];
  try {
    return [decodeHistory(whole), decodeCurrentHistory(current)];
  } finally {
    whole.close();
    current.close();
  }
}

function readIndex(folder: string, name: string): unknown {
  const store = new IndexStore(new CacheFolder(folder));
  const roots = store.snapshotRoots();
  const snapshot = store.load(name);
  if (typeof snapshot === 'string') return [roots, snapshot];
  const index = OpenIndex.tryOpen(store, snapshot);
  if (!index) return [roots, 'parts are missing'];
  try {
    const documents = (at: number) =>
      snapshot.files.reduce(
        (most, file) => (file.segment === at ? Math.max(most, file.document + 1) : most),
        0,
      );
    const segments = snapshot.segments.map((_, at) => contentOf(index.segment(at), documents(at)));
    return [roots, snapshot, index.links, segments];
  } finally {
    index.close();
  }
}

/** Everything that can be read of a segment. */
function contentOf(segment: SegmentView, documents: number): unknown {
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
    return [uses, segment.symbols(document), segment.imports(document)];
  });
  return [words, parts, rows, [...segment.definitions]];
}
