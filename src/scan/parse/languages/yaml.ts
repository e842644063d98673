// YAML: the keys of the first two levels.
import { HASH_LEXIS, type Language, type RawDefinition } from '../language.ts';
import { keepShortBody, trimHeader } from './resolve-header.ts';

const mapping = (inner: string) => `(block_node (block_mapping ${inner}))`;
const PAIR = '(block_mapping_pair key: (_) @name value: (_)? @body) @definition.key';

/** Keys of the first two levels say what a file is about. Deeper ones are data. */
const QUERY = `
(document ${mapping(PAIR)})
(document ${mapping(`(block_mapping_pair value: ${mapping(PAIR)})`)})
`;

function refineYaml(definition: RawDefinition, text: string): RawDefinition | null {
  const name = definition.name.replace(/^(["'])([\s\S]*)\1$/, '$2').trim();
  if (name === '' || name.includes('\n')) return null;
  // A block ends before the next key. The line breaks between them belong to neither.
  const end = definition.start + text.slice(definition.start, definition.end).trimEnd().length;
  const cut = (offset: number) => Math.min(offset, end);
  const found = {
    ...definition,
    name,
    headerEnd: cut(definition.headerEnd),
    bodyEnd: cut(definition.bodyEnd),
    end,
  };
  return keepShortBody(trimHeader(found, text), text);
}

export const yaml: Language = {
  id: 'yaml',
  name: 'YAML',
  kind: 'data',
  extensions: ['.yml', '.yaml', '.cff'],
  fileNames: ['.clang-format', '.clang-tidy', '.clangd', '.gemrc', '.yamllint', 'pubspec.lock', 'glide.lock'],
  lexis: HASH_LEXIS,
  maxStructureBytes: 100_000,
  structure: { engine: 'tree-sitter', grammar: 'yaml', query: QUERY, refine: refineYaml },
};
