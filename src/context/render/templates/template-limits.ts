import { monotonicMs } from '../../../platform/clock.ts';
import { TemplateError, type TemplatePlace } from './template-error.ts';

export interface TemplateLimits {
  readonly outputCharacters: number;
  /** Nodes and filters that are run, each turn of a loop anew; long texts count for more. */
  readonly steps: number;
  /** Templates inside templates, by `extends`, `include` and blocks. */
  readonly depth: number;
  readonly milliseconds: number;
}

/** Ten times what the largest prompt needs; the files of a prompt have 10 MB in all. */
export const TEMPLATE_LIMITS: TemplateLimits = {
  outputCharacters: 16 * 1024 * 1024,
  steps: 200_000,
  depth: 16,
  milliseconds: 2000,
};

const STEPS_BETWEEN_LOOKS_AT_THE_CLOCK = 256;
const CHARACTERS_PER_STEP = 1024;

/** Counts what one rendering uses and ends it at the limit. */
export class TemplateMeter {
  private steps = 0;
  private nextLook = STEPS_BETWEEN_LOOKS_AT_THE_CLOCK;
  private readonly started = monotonicMs();
  private readonly limits: TemplateLimits;

  constructor(limits: TemplateLimits) {
    this.limits = limits;
  }

  /** To be called before the work: `characters` is how long its text may become. */
  spend(place: TemplatePlace, characters = 0): void {
    if (characters > this.limits.outputCharacters)
      this.end(place, `${this.limits.outputCharacters} characters`);
    this.steps += 1 + Math.floor(characters / CHARACTERS_PER_STEP);
    if (this.steps > this.limits.steps) this.end(place, `${this.limits.steps} steps`);
    if (this.steps < this.nextLook) return;
    this.nextLook = this.steps + STEPS_BETWEEN_LOOKS_AT_THE_CLOCK;
    const spent = monotonicMs() - this.started;
    if (spent > this.limits.milliseconds) this.end(place, `${this.limits.milliseconds} ms`);
  }

  checkDepth(place: TemplatePlace, chain: readonly string[]): void {
    if (chain.length <= this.limits.depth) return;
    this.end(place, `${this.limits.depth} levels of templates (${chain.slice(-4).join(' > ')})`);
  }

  private end(place: TemplatePlace, limit: string): never {
    throw new TemplateError('template-limit', `more than ${limit}`, place);
  }
}
