import { it } from 'vitest';
import type { ContractKit, OpenHandle } from './knowledge-store/contract/contract-kit.contract.ts';
import { describeFailedUpdates } from './knowledge-store/contract/failed-updates.contract.ts';
import { describeScopes } from './knowledge-store/contract/scopes.contract.ts';
import { describeUpdates } from './knowledge-store/contract/updates.contract.ts';
import { describeVectorsAndSymbols } from './knowledge-store/contract/vectors-and-symbols.contract.ts';
import { describeWords } from './knowledge-store/contract/words.contract.ts';
import { lexical, termsOf } from './knowledge-store/stored-file.test-kit.ts';

export interface ContractOptions {
  /** Names of cases that cannot hold, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
}

/** The contract of every knowledge store. `make` gives an empty place; it is called once for each case. */
export function describeStore(
  name: string,
  make: () => OpenHandle,
  { skip = {} }: ContractOptions = {},
): void {
  const test: ContractKit['test'] = (title, body) =>
    it.skipIf(title in skip)(title in skip ? `${title} (${skip[title]})` : title, async () => {
      const open = make();
      const store = open('red');
      await body(store, open);
      await store.close();
    });
  const search: ContractKit['search'] = async (store, words, filter = {}) =>
    (await store.search([lexical(termsOf(...words), { filter })]))[0]!;
  const kit = { name, test, search };
  describeUpdates(kit);
  describeFailedUpdates(kit);
  describeWords(kit);
  describeScopes(kit);
  describeVectorsAndSymbols(kit);
}
