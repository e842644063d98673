// The parts of the product that the bench uses; `load-engine.mjs` bundles them.
export { loadSettings } from '../../src/config/load-settings.ts';
export { gateFeatures } from '../../src/context/brief/gate.ts';
export { placesOf } from '../../src/context/brief/places.ts';
export { briefScan } from '../../src/context/brief.ts';
export { evidenceTable } from '../../src/context/evaluate/signal-table.ts';
export { loadTokenCounter } from '../../src/context/fit/count-tokens.ts';
export { packScan } from '../../src/context/pack.ts';
export { definitionFeatures } from '../../src/context/rank/definition-model.ts';
export { sumSides } from '../../src/context/rank/evidence.ts';
export { judgeDefinitions } from '../../src/context/rank/rank-symbols.ts';
export { createRankingContext } from '../../src/context/rank/ranking-context.ts';
export { RANKING_SIGNALS } from '../../src/context/rank/signals/table.ts';
export { rankScan } from '../../src/context/rank.ts';
export { SIGNALS } from '../../src/model/ranking.ts';
export { loadHistory } from '../../src/scan/history/load-history.ts';
export { useIndex } from '../../src/scan/index-session.ts';
