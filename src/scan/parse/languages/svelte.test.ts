import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { svelte } from './vue.ts';

const SNIPPET = `<script context="module" lang="ts">
  export const prerender = true;
</script>

<script lang="ts">
  import { onMount } from 'svelte';
  export let name: string;
  /** Runs it. */
  function run(context: Context): void {
    context.go();
  }
</script>

<svelte:head><title>{name}</title></svelte:head>
{#if name}<button on:click={() => run(name)}>{'<b>'}</button>{/if}
`;

describe('Svelte', () => {
  it('reads the module script and the instance script', async () => {
    expect(outline(await parseWith(svelte, SNIPPET))).toEqual([
      'constant prerender',
      'variable name',
      'function run',
    ]);
  });

  it('keeps offsets and lines of the whole file', async () => {
    const { symbols, imports } = await parseWith(svelte, SNIPPET);
    const run = symbols.find((symbol) => symbol.name === 'run')!;
    expect(SNIPPET.slice(run.start, run.headerEnd)).toBe('function run(context: Context): void ');
    expect(run.startLine).toBe(9);
    expect(imports).toEqual([
      { kind: 'import', specifier: 'svelte', names: ['onMount'], line: 6, endLine: 6 },
    ]);
  });

  it('shows the scripts without their bodies', async () => {
    expect(await viewWith(svelte, SNIPPET)).toMatchInlineSnapshot(`
      "  ⋮ 1
        export const prerender = true;
        ⋮ 3-5
        import { onMount } from 'svelte';
        export let name: string;
        ⋮ 8
        function run(context: Context): void { ⋮ 10-11 }
      ⋮ 12-15"
    `);
  });

  it('survives any content', () => expectSurvivesMutations(svelte, SNIPPET), 20_000);
});
