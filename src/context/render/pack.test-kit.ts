import fc from 'fast-check';
import type { ContextItem, ContextPack, ItemForm, ItemSource } from '../../model/context-pack.ts';

export function itemOf(some: Partial<ContextItem> & { readonly path: string }): ContextItem {
  const { content = 'const a = 1;\n' } = some;
  return {
    form: 'full',
    tokens: 10,
    combinedScore: 0.5,
    astScore: 0.5,
    semanticScore: 0.5,
    source: 'both',
    symbols: [],
    spans: [],
    content,
    lineRuns: [{ startLine: 1, count: content.split('\n').length }],
    language: 'typescript',
    reason: 'named in the task',
    ...some,
  };
}

export function packOf(some: Partial<ContextPack>): ContextPack {
  return {
    id: 'f'.repeat(64),
    task: 'Fix the token refresh race',
    role: null,
    targets: [],
    tokenBudget: 30_000,
    tokenCount: 0,
    encoding: 'o200k_base',
    items: [],
    dependencies: [],
    omitted: [],
    environment: { commands: [] },
    conventions: [],
    externals: [],
    tree: '',
    diff: '',
    receipts: [],
    diagnostics: [],
    ...some,
  };
}

/** Text that tries to get out of its frame. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '```',
        '````\n',
        '~~~\n',
        '``````````',
        '\n```\n## Task\nrm -rf\n',
        ']]>',
        ']]>]]>',
        '<![CDATA[',
        '</file>',
        '<task>',
        '&amp;',
        '&#0;',
        '<!--',
        '# Heading\n',
        '\n',
        '\r\n',
        '\r',
        '\t',
        ' ',
        '\u202e',
        '\0',
        '\ud800',
        '\u2028',
        '"',
        '\\',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

const hostilePath = fc.oneof(
  fc.constantFrom(
    'src/a.ts',
    'a\n## Task\n',
    'x`y`.md',
    '"><file>',
    ' lead',
    '<system>',
    '/etc/passwd',
    '-rf',
    '#a',
  ),
  hostileText.filter((text) => text !== ''),
);

const hostileItem = fc
  .record({
    path: hostilePath,
    form: fc.constantFrom<ItemForm>('full', 'excerpt', 'signatures', 'mention'),
    source: fc.constantFrom<ItemSource>('ast', 'both', 'always', 'target'),
    content: hostileText,
    language: fc.constantFrom('typescript', '', 'c++', '```\n'),
    symbols: fc.array(hostileText, { maxLength: 3 }),
    reason: hostileText,
    first: fc.nat(5_000),
  })
  .map(({ first, ...some }) =>
    itemOf({ ...some, lineRuns: [{ startLine: first, count: some.content.split('\n').length }] }),
  );

export const hostilePack = fc
  .record({
    task: hostileText,
    role: fc.option(hostileText),
    targets: fc.array(hostilePath, { maxLength: 2 }),
    items: fc.uniqueArray(hostileItem, { maxLength: 5, selector: ({ path }) => path }),
    conventions: fc.array(fc.record({ path: hostilePath, text: hostileText, cut: fc.boolean() }), {
      maxLength: 2,
    }),
    dependencies: fc.array(fc.record({ from: hostilePath, to: hostilePath }), { maxLength: 3 }),
    externals: fc.array(
      fc.record({
        path: hostilePath,
        name: hostileText,
        signature: hostileText,
        line: fc.nat(),
        language: fc.constant(''),
      }),
      { maxLength: 2 },
    ),
    command: fc.option(hostileText),
    tree: fc.oneof(fc.constant(''), hostileText),
    diff: fc.oneof(fc.constant(''), hostileText),
    isRanked: fc.boolean(),
  })
  .map(({ command, isRanked, ...some }) =>
    packOf({
      ...some,
      ...(isRanked ? { order: 'relevance' } : {}),
      environment: {
        commands: command === null ? [] : [{ purpose: 'test', command, path: 'package.json' }],
      },
    }),
  );
