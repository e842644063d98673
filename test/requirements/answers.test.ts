import { describe, expect, it } from 'vitest';
import {
  answerSchemaFor,
  genericOutput,
  implementationOutput,
  planOutput,
  reviewOutput,
} from '../../src/context/answers/answer-schemas.ts';
import {
  InvalidOutputError,
  ParsingError,
  parseRoleOutput,
  parseWorkerOutput,
} from '../../src/context/answers/parse-worker-output.ts';

const lines = (...all: string[]) => all.join('\n');
const block = (value: unknown) => lines('Text.', '```json', JSON.stringify(value), '```');

describe('Example Test Cases', () => {
  it('JSON block in markdown is extracted.', () => {
    // As it was asked for: a text in an indented Python function.
    const output = lines(
      '',
      "    Here's my analysis:",
      '',
      '    ```json',
      '    {"status": "SUCCESS", "files_created": ["foo.py"]}',
      '    ```',
      '    ',
    );
    const result = parseWorkerOutput(output, implementationOutput);
    expect(result.status).toBe('SUCCESS');
    expect(result.files_created).toEqual(['foo.py']);
  });

  it('When multiple JSON blocks, last one is used.', () => {
    const output = lines(
      '',
      '    First attempt (wrong):',
      '    ```json',
      '    {"status": "FAILED"}',
      '    ```',
      '',
      '    Fixed version:',
      '    ```json',
      '    {"status": "SUCCESS", "files_created": []}',
      '    ```',
      '    ',
    );
    expect(parseWorkerOutput(output, implementationOutput).status).toBe('SUCCESS');
  });

  it("Magic strings like 'APPROVED' are NOT parsed.", () => {
    const output = 'REVIEW_STATUS: APPROVED\n\nLooks good!';
    expect(() => parseWorkerOutput(output, reviewOutput)).toThrow(ParsingError);
    expect(() => parseWorkerOutput(output, reviewOutput)).toThrow(/No JSON block found/);
  });
});

describe('output schemas of models.py', () => {
  it.each([
    [
      'PlanOutput',
      'planner',
      ['COMPLETE', 'NEEDS_REFINEMENT', 'BLOCKED'],
      { phases: [], estimated_components: 1 },
    ],
    [
      'ImplementationOutput',
      'implementer',
      ['SUCCESS', 'PARTIAL', 'FAILED', 'BLOCKED'],
      { action_taken: 'x' },
    ],
  ])('%s: status', (_, name, statuses, rest) => {
    for (const status of statuses) {
      expect(parseRoleOutput({ name }, block({ status, ...rest })).status).toBe(status);
    }
    expect(() => parseRoleOutput({ name }, block({ status: 'DONE', ...rest }))).toThrow(InvalidOutputError);
    expect(() => parseRoleOutput({ name }, block(rest))).toThrow(
      /status: expected one of .*the field is missing/,
    );
  });

  it('PlanOutput: fields and defaults', () => {
    const given = { status: 'COMPLETE', phases: [{ name: 'one', tasks: ['a'] }], estimated_components: 3 };
    expect(parseWorkerOutput(block(given), planOutput)).toEqual({
      ...given,
      dependencies: [],
      risks: [],
      next_step: null,
    });
    expect(() => parseWorkerOutput(block({ status: 'COMPLETE' }), planOutput)).toThrow(
      /phases: .*estimated_components: /,
    );
  });

  it('ImplementationOutput: fields and defaults', () => {
    expect(
      parseWorkerOutput(block({ status: 'BLOCKED', action_taken: 'none' }), implementationOutput),
    ).toEqual({
      status: 'BLOCKED',
      action_taken: 'none',
      files_created: [],
      files_modified: [],
      tests_written: [],
      blockers: [],
      next_step: null,
    });
  });

  it('ReviewOutput: the existing ReviewOutput has both status and review_status', () => {
    for (const status of ['APPROVED', 'CHANGES_REQUESTED', 'REJECTED']) {
      expect(parseWorkerOutput(block({ status, review_status: status }), reviewOutput)).toEqual({
        status,
        review_status: status,
        issues: [],
        suggestions: [],
        security_concerns: [],
        next_step: null,
      });
    }
    expect(() => parseWorkerOutput(block({ status: 'APPROVED' }), reviewOutput)).toThrow(
      /review_status: expected/,
    );
  });

  it('GenericOutput: extra fields are allowed, status has the default UNKNOWN', () => {
    expect(parseWorkerOutput(block({ anything: { goes: [1] } }), genericOutput)).toEqual({
      status: 'UNKNOWN',
      anything: { goes: [1] },
    });
    expect(() => parseWorkerOutput(block({ status: 1 }), genericOutput)).toThrow(InvalidOutputError);
  });
});

describe('schema resolution', () => {
  it('First try exact role name (for base roles)', () => {
    expect(answerSchemaFor({ name: 'planner', baseRole: null })).toBe(planOutput);
    expect(answerSchemaFor({ name: 'implementer' })).toBe(implementationOutput);
    expect(answerSchemaFor({ name: 'reviewer' })).toBe(reviewOutput);
  });

  it('Then try base_role (for overlays - handles multi-level extends)', () => {
    const overlay = { name: 'my-reviewer', baseRole: 'reviewer' };
    const verdict = { status: 'APPROVED', review_status: 'APPROVED' };
    expect(parseRoleOutput(overlay, block({ ...verdict, type_errors: 2 }))).toMatchObject({
      ...verdict,
      type_errors: 2,
    });
    expect(() => parseRoleOutput(overlay, block({ status: 'FINE' }))).toThrow(InvalidOutputError);
  });

  it('Unknown role - use GenericOutput', () => {
    expect(answerSchemaFor({ name: 'poet', baseRole: null })).toBe(genericOutput);
    expect(answerSchemaFor({ name: 'constructor', baseRole: '__proto__' })).toBe(genericOutput);
    expect(parseRoleOutput({ name: 'poet' }, block({ verse: 'x' }))).toEqual({
      status: 'UNKNOWN',
      verse: 'x',
    });
    expect(() => parseRoleOutput({ name: 'poet' }, '{"verse":"x"}')).toThrow(/No JSON block found/);
  });
});

describe('Acceptance Criteria of Task 3 and Parser Security', () => {
  it('JSON blocks are extracted from markdown', () => {
    const text = lines(
      '# Report',
      '',
      '- done',
      '',
      '```ts',
      'const a = {};',
      '```',
      block({ status: 'FAILED' }),
      'bye',
    );
    expect(parseWorkerOutput(text, implementationOutput).status).toBe('FAILED');
  });

  it('Last JSON block is used (final output)', () => {
    const text = lines(block({ status: 'SUCCESS' }), block({ status: 'PARTIAL' }));
    expect(parseWorkerOutput(text, implementationOutput).status).toBe('PARTIAL');
  });

  it('Schema validation catches missing/invalid fields', () => {
    expect(() =>
      parseWorkerOutput(block({ status: 'SUCCESS', files_created: 'a.ts' }), implementationOutput),
    ).toThrow(/doesn't match ImplementationOutput schema: files_created: expected a list/);
    expect(() => parseWorkerOutput(block({}), implementationOutput)).toThrow(
      /status: .*the field is missing/,
    );
  });

  it('Schema validation: Rejects unexpected fields/types', () => {
    const answer = { status: 'SUCCESS', admin: true };
    expect(() => parseWorkerOutput(block(answer), implementationOutput)).toThrow(
      /admin: expected no field of this name/,
    );
  });

  it('No marker/magic string fallback exists', () => {
    for (const text of [
      'STATUS: SUCCESS',
      'APPROVED',
      '<json>{"status":"SUCCESS"}</json>',
      '{"status":"SUCCESS"}',
    ]) {
      expect(() => parseWorkerOutput(text, implementationOutput)).toThrow(ParsingError);
    }
  });

  it('Bare JSON without fences will NOT be accepted', () => {
    expect(() => parseWorkerOutput('{"status": "SUCCESS"}', implementationOutput)).toThrow(
      /No JSON block found/,
    );
  });

  it('parser extracts last fenced JSON block regardless of content after', () => {
    const text = lines(block({ status: 'SUCCESS' }), '', '[info] session ended', 'tokens: 123');
    expect(parseWorkerOutput(text, implementationOutput).status).toBe('SUCCESS');
  });

  it('Invalid JSON in output', () => {
    expect(() => parseWorkerOutput('```json\n{status: 1}\n```', genericOutput)).toThrow(
      /Invalid JSON in output: /,
    );
  });
});
