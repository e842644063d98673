export { detectLanguage, isDataLanguage, isTestPath, needsGrammar, parserName } from './detect-language.ts';
export { createCommentFinder } from './find-comments.ts';
export type { Highlight } from './highlight.ts';
export type { CommentRange, FoundComments, Language } from './language.ts';
export { LANGUAGES, languageById } from './languages/table.ts';
export { createParser, type ParseText } from './parse-file.ts';
export { externalPackages } from './resolvers/external-package.ts';
export { keepSymbols, signatureView } from './signature-view.ts';
export { createTokenizer } from './tokenize.ts';
