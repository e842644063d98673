import { createHash } from 'node:crypto';
import type {
  LexicalQuery,
  LexicalTerm,
  ManifestEntry,
  StoredFile,
  StoreEdge,
  StoreFilter,
  StoreUpdate,
  VectorQuery,
  WordCount,
  WordFieldName,
} from '../../model/knowledge-store.ts';
import { packVector } from './store-snapshot.ts';

export interface FileDraft {
  /** Words separated by spaces. */
  readonly code?: string;
  readonly comment?: string;
  readonly string?: string;
  readonly definition?: string;
  readonly language?: string | null;
  readonly symbols?: StoredFile['symbols'];
  readonly imports?: StoredFile['imports'];
  readonly edges?: readonly StoreEdge[];
  readonly vectors?: readonly (readonly number[])[];
}

export type Drafts = Readonly<Record<string, FileDraft>>;

function counted(text: string | undefined): readonly WordCount[] {
  const counts = new Map<string, number>();
  for (const word of text?.split(' ').filter(Boolean) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts];
}

export function storedFile(path: string, draft: FileDraft): StoredFile {
  const { edges: _, ...content } = draft;
  return {
    path,
    contentHash: createHash('sha1').update(JSON.stringify(content)).digest('hex'),
    language: draft.language === undefined ? 'typescript' : draft.language,
    lineCount: 10,
    words: {
      code: counted(draft.code),
      comment: counted(draft.comment),
      string: counted(draft.string),
      definition: counted(draft.definition),
    },
    symbols: draft.symbols ?? [],
    imports: draft.imports ?? [],
    passages: (draft.vectors ?? []).map((vector, at) => ({
      startLine: at * 10 + 1,
      endLine: at * 10 + 10,
      vector: packVector(vector)!,
    })),
  };
}

export function symbolDraft(name: string, line: number, kind: 'function' | 'class' = 'function') {
  const signature = `${kind} ${name}`;
  return { name, kind, signature, doc: `about ${name}`, line, endLine: line + 2, container: -1 };
}

export interface UpdateDraft extends Partial<StoreUpdate> {
  /** Paths that were loaded, in order. */
  readonly loaded?: string[];
}

export function updateOf(drafts: Drafts, changes: UpdateDraft = {}): StoreUpdate {
  const stored = new Map(Object.entries(drafts).map(([path, draft]) => [path, storedFile(path, draft)]));
  const files = [...stored.values()].map(
    ({ path, contentHash, language }): ManifestEntry => ({
      path,
      contentHash,
      language,
      edges: drafts[path]!.edges ?? [],
    }),
  );
  const { loaded, ...rest } = changes;
  return {
    repository: 'org/app',
    branch: 'main',
    commit: 'c1',
    model: '',
    files,
    load: ({ path }) => {
      loaded?.push(path);
      return stored.get(path)!;
    },
    ...rest,
  };
}

/** Terms as `word` or `word/form/form`, weight 1. */
export function termsOf(...words: readonly string[]): LexicalTerm[] {
  return words.map((word) => ({
    words: word.split('/').map((form) => ({ word: form, weight: 1 })),
    weight: 1,
  }));
}

export const ALL_FIELDS: Readonly<Record<WordFieldName, number>> = {
  code: 1,
  comment: 1,
  string: 1,
  definition: 3,
};

export function lexical(terms: readonly LexicalTerm[], changes: Partial<LexicalQuery> = {}): LexicalQuery {
  const shape = { fields: ALL_FIELDS, lengthShare: 0.75, saturation: 1.2 };
  return { channel: 'lexical', terms, ...shape, filter: {}, limit: 100, ...changes };
}

export function nearest(
  vector: readonly number[],
  filter: StoreFilter = {},
  changes: Partial<VectorQuery> = {},
): VectorQuery {
  return {
    channel: 'vector',
    model: 'm',
    vector: Float32Array.from(vector),
    filter,
    limit: 100,
    ...changes,
  };
}
