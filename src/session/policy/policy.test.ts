import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-repository.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { noteOf } from '../../schema/schema.ts';
import { matchesWildcard } from '../../schema/text-values.ts';
import { CONSERVATIVE, ContextPolicy, contextPolicySchema, POLICY_FIELDS } from './context-policy.ts';
import { loadContextPolicy } from './load-policy.ts';

describe('a policy', () => {
  it.each([
    ['max_items', 0],
    ['max_items', 1.5],
    ['max_items', '5'],
    ['max_chars_per_item', -1],
    ['max_total_chars', 0],
    ['max_total_tokens', 'many'],
    ['include_latest_tool_previews_n', -1],
    ['order', 'newest'],
    ['allow_tools', 'read_file'],
    ['allow_tools', [1]],
    ['allow_selectors', ['middle_chars']],
    ['default_selector', 'middle_chars'],
    ['tool_selectors', { read: 'eval:x' }],
  ])('refuses %s: %j, naming the field, the value and the allowed values', (name, value) => {
    const build = () => ContextPolicy.fromDict({ [name]: value });
    expect(build).toThrow(LoadoutError);
    expect(build).toThrow(`context_policy.${name}: ${JSON.stringify(value)} is not allowed; allowed is `);
  });

  it('suggests the name that was probably meant', () => {
    expect(() => ContextPolicy.fromDict({ max_item: 3 })).toThrow(
      expect.objectContaining({
        message: 'context_policy.max_item: this field is not known',
        hint: 'did you mean max_items?',
      }),
    );
    expect(() => ContextPolicy.fromDict([])).toThrow('context_policy: [] is not allowed');
  });

  it('adjusts caps that contradict each other, with a notice', () => {
    const policy = ContextPolicy.fromDict({
      max_items: 2,
      max_chars_per_item: 900,
      max_total_chars: 500,
      include_latest_tool_previews_n: 9,
      allow_selectors: ['last_chars'],
      default_selector: 'head_tail',
    });
    expect([policy.maxCharsPerItem, policy.includeLatestToolPreviewsN]).toEqual([500, 2]);
    expect(policy.selectionFor('x').selector).toBe('last_chars');
    expect(policy.notices.map(({ message }) => message)).toEqual([
      'context_policy.max_chars_per_item: 900 became 500, the value of max_total_chars',
      'context_policy.include_latest_tool_previews_n: 9 became 2, the value of max_items',
      'context_policy.default_selector: head_tail became last_chars, the first of allow_selectors',
    ]);
    expect(ContextPolicy.fromDict({ max_total_chars: 100 }).notices).toEqual([]);
  });

  it('takes tokens instead of characters, or both, but never neither', () => {
    expect(ContextPolicy.fromDict({ max_total_tokens: 500 }).maxTotalChars).toBeNull();
    expect(ContextPolicy.fromDict({ max_total_tokens: 500, max_total_chars: 900 }).maxTotalChars).toBe(900);
    const neither = ContextPolicy.fromDict({ max_total_chars: null });
    expect(neither.maxTotalChars).toBe(CONSERVATIVE.max_total_chars);
    expect(neither.notices).toHaveLength(1);
  });

  it('is the same after toDict and fromDict, whatever it says', () => {
    const dicts = fc.record(
      {
        max_items: fc.integer({ min: 1, max: 50 }),
        max_chars_per_item: fc.integer({ min: 1, max: 5_000 }),
        max_total_chars: fc.option(fc.integer({ min: 1, max: 9_000 })),
        max_total_tokens: fc.option(fc.integer({ min: 1, max: 9_000 })),
        include_latest_tool_previews_n: fc.nat({ max: 60 }),
        allow_tools: fc.option(fc.array(fc.constantFrom('read', 'mcp__*'))),
        allow_selectors: fc.option(fc.subarray(['first_chars', 'grep', 'lines'])),
        tool_selectors: fc.dictionary(fc.string(), fc.constantFrom('lines:1-5', 'grep:x')),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(dicts, (dict) => {
        const policy = ContextPolicy.fromDict(dict);
        const again = ContextPolicy.fromDict(JSON.parse(JSON.stringify(policy.toDict())));
        expect(again.toDict()).toEqual(policy.toDict());
        expect(again.notices).toEqual([]);
        expect(policy.maxTotalChars === null || policy.maxCharsPerItem <= policy.maxTotalChars).toBe(true);
      }),
    );
  });

  it('allows tools by name and wildcard', () => {
    const policy = ContextPolicy.fromDict({ allow_tools: ['read_file', 'mcp__*__get'] });
    expect(policy.isToolAllowed('read_file')).toBe(true);
    expect(policy.isToolAllowed('mcp__jira__get')).toBe(true);
    expect(policy.isToolAllowed('mcp__jira__set')).toBe(false);
    expect(ContextPolicy.fromDict({ allow_tools: [] }).isToolAllowed('read_file')).toBe(false);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }),
        (pattern, name) => {
          expect(matchesWildcard(pattern, name)).toBe(
            new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name),
          );
        },
      ),
    );
  });

  it('has a schema with every field and its default', () => {
    const schema = JSON.parse(JSON.stringify(contextPolicySchema()));
    const { properties, additionalProperties } = schema.properties.context_policy;
    expect(Object.keys(properties)).toEqual(Object.keys(POLICY_FIELDS));
    expect(additionalProperties).toBe(false);
    expect(properties.max_items).toMatchObject({
      type: 'integer',
      minimum: 1,
      default: CONSERVATIVE.max_items,
    });
  });
});

it('the page about sessions has a row for every field of a policy', () => {
  const page = readFileSync(new URL('../../../docs/guides/session.md', import.meta.url), 'utf8');
  for (const [name, field] of Object.entries(POLICY_FIELDS)) {
    const value = CONSERVATIVE[name as keyof typeof CONSERVATIVE];
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    expect(page).toContain(`| \`${name}\` | ${shown} | ${noteOf(field).help} |`);
  }
});

describe('profiles', () => {
  it('of the examples can be loaded', async () => {
    const name = new URL('../../../examples/session/coding_agent.yaml', import.meta.url);
    const policy = await loadContextPolicy([{ name: 'coding_agent.yaml', text: readFileSync(name, 'utf8') }]);
    expect(policy).toMatchObject({ maxItems: 10, order: 'relevance', notices: [] });
  });

  const coding = {
    name: 'coding_agent.yaml',
    text: 'agent: x\ncontext_policy:\n  max_items: 10\n  max_total_chars: 9000\n',
  };

  it('are merged field by field, the last that sets one counting', async () => {
    const own = { name: 'mine.yaml', text: 'context_policy:\n  max_items: 4\n  allow_tools: [read_file]\n' };
    const policy = await loadContextPolicy([coding, { name: 'empty.yaml', text: 'agent: y\n' }, own]);
    expect(policy.toDict()).toMatchObject({
      max_items: 4,
      max_total_chars: 9000,
      allow_tools: ['read_file'],
    });
    expect((await loadContextPolicy([])).toDict()).toEqual(CONSERVATIVE);
  });

  it('name file, line and column of a value that is not allowed', async () => {
    const bad = { name: 'bad.yaml', text: 'context_policy:\n  max_items: 10\n  max_total_chars: lots\n' };
    await expect(loadContextPolicy([coding, bad])).rejects.toThrow(
      'bad.yaml:3:20: context_policy.max_total_chars: "lots" is not allowed; allowed is a whole number, 1 or more, or null',
    );
  });
});

it('a plain policy is the conservative default', () => {
  expect(new ContextPolicy().toDict()).toEqual(ContextPolicy.conservativeDefault().toDict());
  expect(new ContextPolicy({ max_items: 3 }).maxItems).toBe(3);
  expect(() => new ContextPolicy({ max_items: 0 })).toThrow('context_policy.max_items: 0 is not allowed');
});

describe('profiles from files', () => {
  it('are read by their paths, merged with others, and named with line and column in errors', async () => {
    const { home } = temporaryFolder();
    const team = join(home, 'team.yaml');
    writeFileSync(team, 'context_policy:\n  max_items: 4\n  max_total_chars: 2000\n');
    const policy = await loadContextPolicy([
      team,
      { name: 'own', text: '{"context_policy":{"max_items":2}}' },
    ]);
    expect([policy.maxItems, policy.maxTotalChars]).toEqual([2, 2000]);
    writeFileSync(team, 'context_policy:\n  max_items: none\n');
    await expect(loadContextPolicy([team])).rejects.toThrow(`${team}:2:`);
  });

  it('that are not there, or no profiles at all, are a clear error', async () => {
    const { home } = temporaryFolder();
    const missing = join(home, 'missing.yaml');
    await expect(loadContextPolicy([missing])).rejects.toThrow(
      `the profile ${missing} cannot be read: it does not exist`,
    );
    await expect(loadContextPolicy([home])).rejects.toThrow(
      `the profile ${home} cannot be read: it is not a regular file`,
    );
    const wrong = { path: missing } as unknown as string;
    await expect(loadContextPolicy([wrong])).rejects.toThrow(
      'sources must be the path of a file, or a list of paths and of profiles { name, text }',
    );
  });
});
