import { LoadoutError } from '../../../model/loadout-error.ts';

export type TemplateErrorCode =
  | 'template-unknown'
  | 'template-without-task'
  | 'template-syntax'
  | 'template-undefined'
  | 'template-value'
  | 'template-limit';

/** Where in a template something stands. */
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
