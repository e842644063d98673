import { LoadoutError } from '../../../model/loadout-error.ts';

export type TemplateErrorCode =
  | 'template-unknown'
  | 'template-without-task'
  | 'template-syntax'
  | 'template-undefined'
  | 'template-value'
  | 'template-limit';

/** A line of a template. */
export interface TemplatePlace {
  readonly template: string;
  /** From 1. */
  readonly line: number;
}

/** Why a prompt could not be rendered, with the template and the line. */
export class TemplateError extends LoadoutError {
  readonly place: TemplatePlace | null;

  constructor(code: TemplateErrorCode, what: string, place: TemplatePlace | null, hint?: string) {
    super(code, place ? `template ${place.template}, line ${place.line}: ${what}` : what, {
      ...(place ? { subject: place.template } : {}),
      ...(hint ? { hint } : {}),
    });
    this.place = place;
  }
}

/** An error of the template engine, taken apart: it comes as one text. */
export interface EngineMessage extends TemplatePlace {
  /** The class of the error, such as `undefined value`. */
  readonly kind: string;
  /** What the engine says about this case; its class when it says nothing more. */
  readonly what: string;
  /** The line of the template up to the end of the part that the engine points at; empty when it shows none. */
  readonly marked: string;
}

const MAX_MESSAGE_CHARACTERS = 500;

/**
 * Reads `KIND: DETAIL (in NAME:LINE)`, then some lines of the template with a mark. Null for anything else that was
 * thrown: a trap, which leaves the engine in an unknown state.
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
