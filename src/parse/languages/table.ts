import type { Language } from '../language.ts';
import { javascript, tsx, typescript } from './javascript-family.ts';
import { python } from './python.ts';

/** Every language Loadout reads. One entry here is all a new language needs. */
export const LANGUAGES: readonly Language[] = [typescript, tsx, javascript, python];

const byId = new Map(LANGUAGES.map((language) => [language.id, language]));

export function languageById(id: string | null): Language | null {
  return (id === null ? undefined : byId.get(id)) ?? null;
}
