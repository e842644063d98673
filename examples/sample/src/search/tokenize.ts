/** Words of a text, lower case, for the search box of the ledger; nothing to do with access tokens. */
export function tokenize(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** True when the text has a word that starts with each word of the query. */
export function matchesQuery(text: string, query: string): boolean {
  const words = tokenize(text);
  return tokenize(query).every((start) => words.some((word) => word.startsWith(start)));
}
