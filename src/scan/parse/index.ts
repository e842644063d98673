export { detectLanguage, isDataLanguage, isTestPath, needsGrammar, parserName } from './detect-language.ts';
export type { Highlight } from './highlight.ts';
export type { Language } from './language.ts';
export { LANGUAGES, languageById } from './languages/table.ts';
export { createParser, type ParseText } from './parse-file.ts';
export { externalPackages } from './resolvers/external-package.ts';
export { keepSymbols, signatureView } from './signature-view.ts';
export { createTokenizer } from './tokenize.ts';
