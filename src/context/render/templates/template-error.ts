import { LoadoutError } from '../../../model/loadout-error.ts';

// The error that templates throw, and the reader for messages of the template engine.

/** Why a template could not be rendered. */
export type TemplateErrorCode =
  | 'template-unknown'
  | 'template-without-task'
  | 'template-syntax'
  | 'template-undefined'
  | 'template-value'
  | 'template-limit';

/** A position in a template. */
export interface TemplatePlace {
  readonly template: string;
  /** From 1. */
  readonly line: number;
}

/** Thrown when a prompt cannot be rendered. The message begins with the template and the line. */
export class TemplateError extends LoadoutError {
  /** Null when the error is not about a line. */
  readonly place: TemplatePlace | null;

  constructor(code: TemplateErrorCode, what: string, place: TemplatePlace | null, hint?: string) {
    super(code, place ? `template ${place.template}, line ${place.line}: ${what}` : what, {
      ...(place ? { subject: place.template } : {}),
      ...(hint ? { hint } : {}),
    });
    this.place = place;
  }
}

/** A message of the template engine, split into its parts. */
export interface EngineMessage extends TemplatePlace {
  /** The class of the error, such as `undefined value`. */
  readonly kind: string;
  /** The details of the engine; the class of the error when there are none. */
  readonly what: string;
  /** The line of the template up to the end of the expression that the engine marks; empty when it marks none. */
  readonly marked: string;
}

const MAX_MESSAGE_CHARACTERS = 500;

/**
 * Reads `KIND: DETAIL (in NAME:LINE)`, followed by lines of the template with a mark. Null for any other error: that is
 * a trap of the wasm program, which leaves the engine in an unknown state.
 */
export function readEngineMessage(thrown: unknown): EngineMessage | null {
  if (!(thrown instanceof Error) || thrown.name !== 'Error') return null;
  const found = /^(.*?) \(in (.*):(\d+)\)(?:\n|$)/s.exec(thrown.message);
  if (!found) return null;
  const said = found[1]!.slice(0, MAX_MESSAGE_CHARACTERS);
  const [, kind = said, detail] = /^([a-z ]+): (.*)$/s.exec(said) ?? [];
  const what = kind === 'invalid operation' || kind.startsWith('unknown ') ? (detail ?? said) : said;
  return { kind, what, template: found[2]!, line: Number(found[3]), marked: markedText(thrown.message) };
}

function markedText(message: string): string {
  const shown = /^ *\d+ > (.*)\n {5}i ( *)(\^+)/m.exec(message);
  return shown ? shown[1]!.slice(0, shown[2]!.length + shown[3]!.length) : '';
}
