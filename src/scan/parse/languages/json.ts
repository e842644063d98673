import type { Language } from '../language.ts';
import { keepShortBody } from './resolve-header.ts';

const PAIR = '(pair key: (string (string_content) @name) value: (_) @body) @definition.key';

/** Two levels tell what a file is about; deeper down is data. */
const QUERY = `
(document (object ${PAIR}))
(document (object (pair value: (object ${PAIR}))))
`;

export const json: Language = {
  id: 'json',
  name: 'JSON',
  kind: 'data',
  extensions: [
    '.json',
    '.jsonc',
    '.json5',
    '.webmanifest',
    '.code-workspace',
    '.topojson',
    '.geojson',
    '.avsc',
  ],
  fileNames: [
    '.babelrc',
    '.eslintrc',
    '.prettierrc',
    '.swcrc',
    '.jshintrc',
    '.stylelintrc',
    '.arcconfig',
    'composer.lock',
    'Pipfile.lock',
    'flake.lock',
  ],
  lexis: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [{ open: '"', close: '"' }],
  },
  maxStructureBytes: 50_000,
  structure: { engine: 'tree-sitter', grammar: 'json', query: QUERY, refine: keepShortBody },
};
