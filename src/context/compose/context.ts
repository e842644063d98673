import { shownName } from '../../redact/index.ts';
import type { OpenScan } from '../../scan/index.ts';
import type { CountTokens } from '../fit/index.ts';
import type { PackageRequest } from '../pack/index.ts';
import type { RenderOptions } from '../render/index.ts';
import { createSourceReader, type SourceReader } from './source.ts';

/** The values that every step of a recipe works with. */
export interface ComposeContext {
  /** Counts tokens for the model that the text is for. */
  readonly count: CountTokens;
  /** The most tokens that the finished text may have. */
  readonly budget: number;
  readonly render: RenderOptions;
  /** Reads files as they are on disk now, without their secrets. */
  readonly sources: SourceReader;
  /** Whether a file may be shown at all. */
  readonly allow: (path: string) => boolean;
  readonly targets: readonly string[];
  readonly redact: boolean;
  /** Use the whole budget, even for files that are not worth their tokens. Only the strategy `value` knows the worth. */
  readonly fill: boolean;
}

/** Takes from a request what the steps need to know, with all defaults filled in. */
export function openContext(
  request: Pick<
    PackageRequest,
    'settings' | 'format' | 'lineNumbers' | 'redact' | 'allow' | 'fill' | 'strategy'
  >,
  { index, repository }: OpenScan,
  targets: readonly string[],
  count: CountTokens,
): ComposeContext {
  const {
    settings,
    redact = true,
    allow = () => true,
    fill = settings.fillBudget,
    strategy = 'value',
  } = request;
  return {
    count,
    budget: settings.tokenBudget,
    render: renderOptions(request),
    sources: createSourceReader({ index, root: repository.root, redact, maxBytes: settings.maxFileBytes }),
    allow,
    targets,
    redact,
    fill: fill || strategy !== 'value',
  };
}

/** How the text is to look; file names are redacted unless the request says otherwise. */
export function renderOptions({
  format = 'markdown',
  lineNumbers = false,
  redact = true,
}: Pick<PackageRequest, 'format' | 'lineNumbers' | 'redact'>): RenderOptions {
  return { format, lineNumbers, ...(redact ? { shownName } : {}) };
}
