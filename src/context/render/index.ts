// Rendering: packages, maps, summaries, tables and prompts as text. Equal data gives equal bytes.
export type { RenderedPiece } from './output-format.ts';
export {
  type FileView,
  MENTIONS_HEADING,
  mapHeader,
  mapSection,
  partialView,
  type ViewSource,
  wholeView,
} from './render-map.ts';
export {
  contentsLine,
  formatOf,
  PACK_FORMATS,
  type PackFormat,
  type RenderOptions,
  renderPack,
  renderPiece,
  renderPieces,
} from './render-pack.ts';
export { renderSummary, type SummaryItem, type SummarySource } from './render-summary.ts';
export { renderTree } from './render-tables.ts';
export {
  type ContentSegment,
  itemText,
  type LaidOutContent,
  layOutSegments,
  shownLines,
  withoutLastLineEnd,
} from './shown-text.ts';
export {
  listTemplates,
  renderOutputRequirements,
  renderTemplate,
  SHIPPED_TEMPLATES,
} from './templates/shipped-templates.ts';
export { createTemplateEngine } from './templates/template-engine.ts';
export { TemplateError } from './templates/template-error.ts';
