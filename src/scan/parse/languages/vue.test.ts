import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { scriptParts, vue } from './vue.ts';

const SNIPPET = `<!-- <script>const hidden = 1</script> -->
<template>
  <div title="<script>">
    <template #slot><b>{{ name }}</b></template>
    <script>const inTemplate = 1</script>
  </div>
</template>

<script lang="ts">
export default { name: 'Reader' };
export const LIMIT = 10;
</script>

<script setup lang="ts" generic="T extends Base<string>">
import { ref } from 'vue';
import Panel from './panel.vue';

/** Runs it. */
function run(context: Context): void {
  context.go();
}
</script>

<style scoped>
.a { color: red; }
</style>
`;

describe('Vue', () => {
  it('reads the script blocks and nothing else', async () => {
    expect(outline(await parseWith(vue, SNIPPET))).toEqual([
      'variable default',
      'constant LIMIT',
      'function run',
    ]);
  });

  it('keeps offsets and lines of the whole file', async () => {
    const { symbols, imports } = await parseWith(vue, SNIPPET);
    const run = symbols.find((symbol) => symbol.name === 'run')!;
    expect(SNIPPET.slice(run.start, run.headerEnd)).toBe('function run(context: Context): void ');
    expect(run.doc).toBe('Runs it.');
    expect(imports).toEqual([
      { kind: 'import', specifier: 'vue', names: ['ref'], line: 15, endLine: 15 },
      { kind: 'import', specifier: './panel.vue', names: ['default as Panel'], line: 16, endLine: 16 },
    ]);
  });

  it.each([
    ['<script>a</script>', ['javascript']],
    ['<script lang="tsx">a</script>', ['tsx']],
    ["<script lang='ts'>a</script>", ['typescript']],
    ['<script lang=ts setup>a</script>', ['typescript']],
    ['<script type="module">a</script>', ['javascript']],
    ['<script type="application/json">{}</script>', []],
    ['<script src="./x.ts" />', []],
    ['<SCRIPT>a</SCRIPT >', ['javascript']],
    ['<script>never closed', ['javascript']],
    ['<template><script>a</script>', []],
    ['<style>a::before { content: "<script>"; }</style>', []],
    ['<script-like>a</script-like>', []],
  ])('finds the scripts of %s', (text, languages) => {
    expect(scriptParts(text).map((part) => part.language)).toEqual(languages);
  });

  it('shows the scripts without their bodies', async () => {
    expect(await viewWith(vue, SNIPPET)).toMatchInlineSnapshot(`
      "⋮ 1-9
      export default { name: 'Reader' };
      export const LIMIT = 10;
      ⋮ 12-14
      import { ref } from 'vue';
      import Panel from './panel.vue';
      ⋮ 18
      function run(context: Context): void { ⋮ 20-21 }
      ⋮ 22-26"
    `);
  });

  it('survives any content', () => expectSurvivesMutations(vue, SNIPPET), 20_000);
});
