import type { ContextPack } from '../../model/context-pack.ts';

/** A package with nothing in it, to start from. */
export const EMPTY_PACK: ContextPack = {
  id: '',
  task: '',
  role: null,
  targets: [],
  tokenBudget: 0,
  tokenCount: 0,
  encoding: 'o200k_base',
  items: [],
  dependencies: [],
  omitted: [],
  environment: { commands: [] },
  conventions: [],
  externals: [],
  tree: '',
  diff: '',
  receipts: [],
  diagnostics: [],
};
