import { LoadoutError } from '../../model/loadout-error.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { FILE_SCHEMAS, object, schemaHead } from '../../schema/object-schema.ts';
import {
  checked,
  choice,
  described,
  filledText,
  integer,
  type JsonSchema,
  list,
  matching,
  oneOfTypes,
  optional,
  type Schema,
  truth,
  type ValueOf,
} from '../../schema/schema.ts';

// The form of a guideline file: which fields it has, how they are checked and how the JSON Schema describes them.

const HIGHEST_PRIORITY = 1000;
/** The kinds of actions of a guideline. */
const ACTION_TYPES = ['instruction', 'tool_restriction', 'path_restriction'] as const;
type ActionType = (typeof ACTION_TYPES)[number];

/** Also a file name: `loadout guardrails bootstrap` writes `ID.json`. */
const ID = /^[a-z0-9][a-z0-9_-]{0,79}$/;

const glob: Schema<string> = checked(
  { type: 'string', minLength: 1 },
  'a pattern of * ** ? [] {} below the repository root',
  (given) => typeof given === 'string' && isGlob(given),
);

/** Only the glob compiler knows which patterns are valid, so it is asked. */
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

/** When a guideline applies. An empty list sets no condition. */
const condition = object(
  { title: 'Condition' },
  {
    agents: names('Roles and kinds of agents; `*` stands for any characters. Empty: all.'),
    actions: names('Action of the task, such as `implement`, `fix`, `review`. Empty: anything.'),
    domains: names('Domains of the task, see the setting `domains`. Empty: all.'),
    paths: globs('Files that the task is about. Empty: any.'),
    events: names('Hook events, such as `pre-tool-use`. Empty: all.'),
  },
);

/** One schema for each type of action. */
const ACTIONS = {
  instruction: object(
    { title: 'Instruction' },
    {
      type: choice(['instruction']),
      instruction: described(filledText(4000), 'Text for the agent.'),
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
      allow: globs('If not empty, packages contain only these files.'),
      deny: globs('Files that no package contains, even if `allow` names them.'),
      instruction: described(
        optional(filledText(4000), () => ''),
        'Text for the agent about it.',
      ),
    },
  ),
} satisfies Record<ActionType, Schema<unknown>>;

/** An action of a guideline; `type` tells the kinds apart. */
export type GuidelineAction = { readonly [Type in ActionType]: ValueOf<(typeof ACTIONS)[Type]> }[ActionType];

const action: Schema<GuidelineAction> = oneOfTypes(
  'type',
  ACTION_TYPES,
  ACTION_TYPES.map((type) => ACTIONS[type]),
);

/** Every field of a guideline, declared once. The type, the checks and the JSON Schema come from here. */
export const guidelineSchema = object(
  { title: 'Loadout guideline' },
  {
    id: described(
      matching(ID, 'a name of small letters, digits, - and _'),
      'A unique name; the same id in a stronger place replaces this guideline.',
    ),
    name: described(filledText(200), 'The name that people see.'),
    description: described(
      optional(filledText(2000), () => ''),
      'Its purpose.',
    ),
    enabled: described(
      optional(truth(), () => true),
      'If false, the guideline is kept but does nothing.',
    ),
    category: described(
      optional(filledText(80), () => 'custom'),
      'Labels for lists; they have no effect.',
    ),
    priority: described(
      optional(
        integer({ min: 0, max: HIGHEST_PRIORITY }, `a whole number from 0 to ${HIGHEST_PRIORITY}`),
        () => 500,
      ),
      'The highest comes first.',
    ),
    condition: described(
      optional(condition, () => ({ agents: [], actions: [], domains: [], paths: [], events: [] })),
      'When it applies; every condition that is given must hold.',
    ),
    action: described(action, 'Its effects.'),
  },
);

export type Guideline = ValueOf<typeof guidelineSchema>;
export type Condition = Guideline['condition'];

/** The JSON Schema of a guideline file, for editors: one guideline, or a list of them. */
export function guidelineJsonSchema(): JsonSchema {
  const reference = { $ref: '#/$defs/guideline' };
  return {
    ...schemaHead(FILE_SCHEMAS.guideline),
    title: 'Loadout guideline file',
    anyOf: [
      reference,
      {
        type: 'object',
        properties: { guidelines: { type: 'array', items: reference } },
        required: ['guidelines'],
        additionalProperties: false,
      },
    ],
    $defs: { guideline: guidelineSchema.jsonSchema },
  };
}
