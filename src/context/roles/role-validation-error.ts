import { LoadoutError } from '../../model/loadout-error.ts';
import type { RoleFinding } from './role.ts';

/** A role cannot be used; `findings` has every reason, the message the first of them. */
export class RoleValidationError extends LoadoutError {
  readonly findings: readonly RoleFinding[];

  constructor(findings: readonly RoleFinding[]) {
    const errors = findings.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super('bad-role', `${first?.message ?? 'the role is not valid'}${more}`, {
      ...(first ? { subject: first.file } : {}),
      ...(errors.length > 1 ? { hint: '"loadout roles check" shows them all' } : {}),
    });
    this.findings = findings;
  }
}
