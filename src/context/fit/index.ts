// Fitting: counts text and chooses parts, so that a text never exceeds its budget.
export { type CountTokens, DEFAULT_ENCODING, loadTokenCounter } from './count-tokens.ts';
export { fillBudget } from './fill-budget.ts';
export { fitRendered, fitTexts } from './fit-rendered.ts';
export {
  BYTES,
  CHARACTERS_PER_TOKEN,
  cutToBytes,
  cutToCharacters,
  cutToTokens,
  keepEnds,
  loadMeasure,
  type Measure,
  type MeasureName,
  tokensOf,
  unitsPerToken,
} from './measure.ts';
export { loadModelCounter, type Model, parseBudget, resolveModel } from './models.ts';
export type { ChosenPart, FitReceipt, FitStrategy, Part } from './part.ts';
export { loadPieceCounter, type PieceCounter } from './token-count-store.ts';
