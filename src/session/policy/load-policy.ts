import { parseYamlSafely } from '../../config/parse-yaml-safely.ts';
import { documentError, pointerTo } from '../../config/parsed-document.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { ContextPolicy, checkPolicyDict } from './context-policy.ts';
import type { PolicyDict } from './policy-fields.ts';

export interface PolicySource {
  /** Named in errors. */
  readonly name: string;
  /** YAML, or JSON. */
  readonly text: string;
}

/**
 * The policy of an agent from its profiles, the most general first: each field counts from the last that sets it,
 * as with settings. Profiles without a section `context_policy` say nothing; without any, the default holds.
 */
export async function loadContextPolicy(sources: readonly PolicySource[]): Promise<ContextPolicy> {
  let merged: Partial<PolicyDict> = {};
  for (const source of sources) merged = { ...merged, ...(await readSection(source)) };
  return ContextPolicy.fromDict(merged);
}

async function readSection({ name, text }: PolicySource): Promise<Partial<PolicyDict>> {
  const { value, positions } = await parseYamlSafely(text, name);
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  const section = isMap ? (value as { readonly context_policy?: unknown }).context_policy : undefined;
  if (section === undefined || section === null) return {};
  try {
    return checkPolicyDict(section);
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    const parent = pointerTo('', 'context_policy');
    const position = positions.get(pointerTo(parent, error.subject ?? '')) ?? positions.get(parent);
    if (position === undefined) throw error;
    const { message } = documentError(name, position, error.message);
    throw new LoadoutError(error.code, message, {
      subject: name,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      cause: error,
    });
  }
}
