import type { Language } from '../language.ts';
import { css } from './css.ts';
import { findStyleRules } from './find-style-rules.ts';

const shared = {
  kind: css.kind,
  lexis: css.lexis,
  structure: {
    engine: 'lines',
    find: (text) => findStyleRules(text).definitions,
    findImports: (text) => findStyleRules(text).imports,
  },
} satisfies Partial<Language>;

export const scss: Language = { ...shared, id: 'scss', name: 'SCSS', extensions: ['.scss'] };

export const less: Language = { ...shared, id: 'less', name: 'Less', extensions: ['.less'] };
