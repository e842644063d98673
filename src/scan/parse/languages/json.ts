// JSON and its dialects with comments. Large files are data and keep only their words.
import { DOUBLE, type Language } from '../language.ts';
import { keepShortBody } from './resolve-header.ts';

const PAIR = '(pair key: (string (string_content) @name) value: (_) @body) @definition.key';

/** Keys of the first two levels say what a file is about. Deeper ones are data. */
const QUERY = `
(document (object ${PAIR}))
(document (object (pair value: (object ${PAIR}))))
`;

export const json: Language = {
  id: 'json',
  name: 'JSON',
  kind: 'data',
  extensions: '.json .jsonc .json5 .webmanifest .code-workspace .topojson .geojson .avsc'.split(' '),
  fileNames: (
    '.babelrc .eslintrc .prettierrc .swcrc .jshintrc .stylelintrc .arcconfig composer.lock ' +
    'Pipfile.lock flake.lock'
  ).split(' '),
  lexis: {
    lineComments: ['//'],
    blockComments: [['/*', '*/']],
    strings: [DOUBLE],
  },
  maxStructureBytes: 50_000,
  structure: { engine: 'tree-sitter', grammar: 'json', query: QUERY, refine: keepShortBody },
};
