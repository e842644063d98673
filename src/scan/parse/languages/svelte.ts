import type { Language } from '../language.ts';
import { COMPONENT_LEXIS, scriptParts } from './vue.ts';

export const svelte: Language = {
  id: 'svelte',
  name: 'Svelte',
  kind: 'code',
  extensions: ['.svelte'],
  lexis: COMPONENT_LEXIS,
  docs: 'above',
  structure: { engine: 'embedded', parts: scriptParts },
};
