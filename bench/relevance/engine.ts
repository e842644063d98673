// What the bench uses of the product, in one place; `load-engine.mjs` bundles it.
export { loadSettings } from '../../src/config/load-settings.ts';
export { EVIDENCE_KEYS, type EvidenceKey, evidenceTable } from '../../src/eval/signal-table.ts';
export { loadTokenCounter } from '../../src/fit/count-tokens.ts';
export { SIGNALS } from '../../src/model/ranking.ts';
export { packScan } from '../../src/pipeline.ts';
export { rankScan } from '../../src/rank-repository.ts';
export { sumSides } from '../../src/retrieve/fuse.ts';
export { EVIDENCE_WEIGHTS } from '../../src/retrieve/ranking-weights.ts';
export { loadHistory } from '../../src/scan/history/load-history.ts';
export { withIndex } from '../../src/scan/run-scan.ts';
