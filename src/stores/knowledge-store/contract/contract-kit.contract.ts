import type { KnowledgeStore, RankedList, StoreFilter } from '../../../model/knowledge-store.ts';
import { type Drafts, symbolDraft } from '../stored-file.test-kit.ts';

/** Handles on one place. Those of one team share their data. */
export type OpenHandle = (team: string) => KnowledgeStore;

export type StoreCase = (store: KnowledgeStore, open: OpenHandle) => Promise<void>;

/** The tools for the cases of a contract. */
export interface ContractKit {
  readonly name: string;
  /** A case on an empty place. */
  readonly test: (title: string, body: StoreCase) => void;
  /** Finds words in the usual way. */
  readonly search: (store: KnowledgeStore, words: string[], filter?: StoreFilter) => Promise<RankedList>;
}

export const TREE: Drafts = {
  'src/auth/token.ts': {
    definition: 'TokenStore refreshToken',
    code: 'token token refresh expiry',
    comment: 'keeps the token',
    symbols: [symbolDraft('TokenStore', 3, 'class'), symbolDraft('refreshToken', 9)],
    imports: [{ kind: 'import', specifier: './clock', names: ['now'], line: 1, endLine: 1 }],
    edges: [
      { to: 'src/clock.ts', kind: 'import' },
      { to: 'src/clock.ts', kind: 'reference' },
    ],
    vectors: [
      [1, 0, 0],
      [0.9, 0.1, 0],
    ],
  },
  'src/clock.ts': {
    definition: 'now',
    code: 'date time',
    symbols: [symbolDraft('now', 1)],
    vectors: [[0, 1, 0]],
  },
  'src/mail.py': {
    definition: 'send',
    string: 'token expired mail',
    language: 'python',
    symbols: [symbolDraft('send', 4), symbolDraft('now', 9)],
    vectors: [[0, 0, 1]],
  },
  'docs/notes.md': { comment: 'letters about nothing', language: null },
};

export const MODEL = { model: 'm' };

export const paths = (list: readonly { readonly path: string }[]) => list.map(({ path }) => path);
