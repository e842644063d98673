import { LoadoutError } from '../../model/loadout-error.ts';
import { showPath } from '../../schema/describe-value.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { parseYamlSafely } from '../../schema/parse-yaml-safely.ts';
import { type ParsedDocument, pointerTo } from '../../schema/parsed-document.ts';
import type { JsonValue, ValuePath } from '../../schema/schema.ts';
import { isJsonObject } from '../../schema/value-schemas.ts';
import { plainJson, showRefusal } from '../answers/plain-json.ts';
import { type Guideline, guidelineSchema } from './guideline-schema.ts';

export interface GuidelineFile {
  readonly guidelines: readonly Guideline[];
  /** Whole sentences that begin with file, line and column. A guideline with a problem is not in the list. */
  readonly problems: readonly string[];
}

const MOST_GUIDELINES = 200;

/** What one file says: a guideline, or a list of them under `guidelines`. */
export async function readGuidelineFile(text: string, file: string): Promise<GuidelineFile> {
  let document: ParsedDocument;
  try {
    document = file.endsWith('.json') ? parseJsonDocument(text, file) : await parseYamlSafely(text, file);
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return { guidelines: [], problems: [error.message] };
  }
  const plain = plainJson(document.value);
  if (plain.kind === 'refused')
    return { guidelines: [], problems: [`${file}: ${showRefusal(plain.refusal)}`] };
  return readAll(plain.value, document, file);
}

function readAll(value: JsonValue, { positions }: ParsedDocument, file: string): GuidelineFile {
  const guidelines: Guideline[] = [];
  const problems: string[] = [];
  const say = (path: ValuePath, what: string) => {
    const pointer = path.reduce<string>((parent, key) => pointerTo(parent, key), '');
    const place = positions.get(pointer) ?? positions.get(pointer.slice(0, pointer.lastIndexOf('/')));
    problems.push(`${file}:${place?.line ?? 1}:${place?.column ?? 1}: ${what}`);
  };
  const readOne = (one: JsonValue, path: ValuePath) => {
    let isGood = true;
    const guideline = guidelineSchema.read(withoutSchemaLine(one), path, (issue) => {
      isGood = false;
      say(issue.path, `${showPath(issue.path)}: expected ${issue.expected}, got ${issue.received}`);
    });
    if (isGood) guidelines.push(guideline);
  };
  const several = isJsonObject(value) && Object.hasOwn(value, 'guidelines') ? value.guidelines : undefined;
  if (several === undefined) readOne(value, []);
  else if (!Array.isArray(several)) say(['guidelines'], 'guidelines: expected a list');
  else if (several.length > MOST_GUIDELINES)
    say(['guidelines'], `guidelines: at most ${MOST_GUIDELINES} are read, and here are ${several.length}`);
  else for (const [at, one] of several.entries()) readOne(one, ['guidelines', at]);
  return { guidelines, problems };
}

/** Editors find the schema by it. */
function withoutSchemaLine(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !Object.hasOwn(value, '$schema')) return value;
  const { $schema: _, ...rest } = value;
  return rest;
}
