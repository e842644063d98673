import { LoadoutError } from '../../model/loadout-error.ts';
import { createPathFilter } from '../../scan/discover/path-filter.ts';
import { describeValue } from '../../schema/describe-value.ts';
import { object } from '../../schema/object-schema.ts';
import type { JsonValue, Schema, ValueOf } from '../../schema/schema.ts';
import { choice, described, isJsonObject, list, optional } from '../../schema/value-schemas.ts';

const HIGHEST_PRIORITY = 1000;
const ACTION_TYPES = ['instruction', 'tool_restriction', 'path_restriction'] as const;
type ActionType = (typeof ACTION_TYPES)[number];

function value<Value extends JsonValue>(
  jsonSchema: Schema<Value>['jsonSchema'],
  expected: string,
  accepts: (given: JsonValue) => boolean,
): Schema<Value> {
  const read: Schema<Value>['read'] = (given, path, report) => {
    if (!accepts(given)) report({ path, expected, received: describeValue(given) });
    return given as Value;
  };
  return { jsonSchema, expected, read };
}

const filledText = (most: number): Schema<string> =>
  value(
    { type: 'string', minLength: 1, maxLength: most },
    `a text of 1 to ${most} characters`,
    (given) => typeof given === 'string' && given.trim() !== '' && given.length <= most,
  );

const ID = /^[a-z0-9][a-z0-9_-]{0,79}$/;
const id: Schema<string> = value(
  { type: 'string', pattern: ID.source },
  'a name of small letters, digits, - and _',
  (given) => typeof given === 'string' && ID.test(given),
);

const truth: Schema<boolean> = value(
  { type: 'boolean' },
  'true or false',
  (given) => typeof given === 'boolean',
);

const priority: Schema<number> = value(
  { type: 'integer', minimum: 0, maximum: HIGHEST_PRIORITY },
  `a whole number from 0 to ${HIGHEST_PRIORITY}`,
  (given) => Number.isInteger(given) && (given as number) >= 0 && (given as number) <= HIGHEST_PRIORITY,
);

const glob: Schema<string> = value(
  { type: 'string', minLength: 1 },
  'a pattern of * ** ? [] {} below the repository root',
  (given) => typeof given === 'string' && isGlob(given),
);

function isGlob(pattern: string): boolean {
  try {
    createPathFilter([pattern], []);
    return true;
  } catch (error) {
    if (error instanceof LoadoutError) return false;
    throw error;
  }
}

const none = () => [];
const names = (help: string) => described(optional(list(filledText(200)), none), help);
const globs = (help: string) => described(optional(list(glob), none), help);

const condition = object(
  { title: 'Condition' },
  {
    agents: names('Roles and kinds of agents; `*` stands for any characters. Empty: all.'),
    actions: names('What the task does, such as `implement`, `fix`, `review`. Empty: anything.'),
    domains: names('Domains of the task, see the setting `domains`. Empty: all.'),
    paths: globs('Files that the task is about. Empty: any.'),
    events: names('Hook events, such as `pre-tool-use`. Empty: all.'),
  },
);

const ACTIONS = {
  instruction: object(
    { title: 'Instruction' },
    {
      type: choice(['instruction']),
      instruction: described(filledText(4000), 'What the agent is told.'),
    },
  ),
  tool_restriction: object(
    { title: 'Tool restriction' },
    {
      type: choice(['tool_restriction']),
      tools: described(
        list(filledText(200)),
        'Tools, as the agent calls them; `*` stands for any characters.',
      ),
      instruction: described(filledText(4000), 'Why, and what to do instead.'),
    },
  ),
  path_restriction: object(
    { title: 'Path restriction' },
    {
      type: choice(['path_restriction']),
      allow: globs('When not empty, no other files are in a package.'),
      deny: globs('Files that are in no package, whatever `allow` says.'),
      instruction: described(
        optional(filledText(4000), () => ''),
        'What the agent is told about it.',
      ),
    },
  ),
} satisfies Record<ActionType, Schema<unknown>>;

export type GuidelineAction = { readonly [Type in ActionType]: ValueOf<(typeof ACTIONS)[Type]> }[ActionType];

const action: Schema<GuidelineAction> = {
  jsonSchema: { oneOf: ACTION_TYPES.map((type) => ACTIONS[type].jsonSchema) },
  expected: `an object with a type (${ACTION_TYPES.join(', ')})`,
  read: (given, path, report) => {
    const type = isJsonObject(given) && Object.hasOwn(given, 'type') ? given.type : undefined;
    const known = ACTION_TYPES.find((one) => one === type);
    if (known) return ACTIONS[known].read(given, path, report) as GuidelineAction;
    const at = isJsonObject(given) ? [...path, 'type'] : path;
    const expected = isJsonObject(given) ? `one of ${ACTION_TYPES.join(', ')}` : 'an object with a type';
    const received = isJsonObject(given) && type === undefined ? 'nothing' : describeValue(type ?? given);
    report({ path: at, expected, received });
    return {} as GuidelineAction;
  },
};

/** Everything a guideline can say, once: the type, the checks, the JSON Schema and the table in the documentation. */
export const guidelineSchema = object(
  { title: 'Loadout guideline' },
  {
    id: described(id, 'Unlike any other; the same id in a stronger place replaces this one.'),
    name: described(filledText(200), 'What people call it.'),
    description: described(
      optional(filledText(2000), () => ''),
      'What it is for.',
    ),
    enabled: described(
      optional(truth, () => true),
      'False: it is kept and does nothing.',
    ),
    category: described(
      optional(filledText(80), () => 'custom'),
      'For lists; means nothing by itself.',
    ),
    priority: described(
      optional(priority, () => 500),
      'The highest comes first.',
    ),
    condition: described(
      optional(condition, () => ({ agents: [], actions: [], domains: [], paths: [], events: [] })),
      'When it applies; all that is given must hold.',
    ),
    action: described(action, 'What it does.'),
  },
);

export type Guideline = ValueOf<typeof guidelineSchema>;
export type Condition = Guideline['condition'];
