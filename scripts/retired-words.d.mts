export const RETIRED: readonly { readonly word: RegExp; readonly use: string }[];
export function retiredNames(texts: ReadonlyMap<string, string>): string[];
