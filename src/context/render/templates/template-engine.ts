// Renders Jinja2 templates with minijinja, which runs as a wasm program. Templates may come from users, so each rendering
// has limits, and an error names the template, the line and the value.

import type { Environment } from 'minijinja-js';
import {
  runWithTimeLimit,
  startTemplateRuntime,
  type TemplateRuntime,
} from '../../../platform/cache/template-runtime.ts';
import { nearestName } from '../../../schema/value-issues.ts';
import { type TemplateObject, templateData } from './template-data.ts';
import {
  type EngineMessage,
  readEngineMessage,
  TemplateError,
  type TemplatePlace,
} from './template-error.ts';
import { engineFilters } from './template-filters.ts';

/** The limits of one rendering. The limit of memory is in `startTemplateRuntime`. */
export interface TemplateLimits {
  readonly outputCharacters: number;
  /** Instructions of the engine; each turn of a loop counts again. */
  readonly steps: number;
  readonly milliseconds: number;
}

/** Ten times what the largest prompt needs. The files of a prompt have at most 10 MB together. */
export const TEMPLATE_LIMITS: TemplateLimits = {
  outputCharacters: 16 * 1024 * 1024,
  steps: 200_000,
  milliseconds: 2000,
};

/** Of one template. */
const MAX_SOURCE_CHARACTERS = 256 * 1024;

/** A fixed set of templates that can be rendered. */
export interface TemplateEngine {
  /** Without `.j2`, sorted. */
  readonly names: readonly string[];
  /** Values are written as they are and never read as a template. Throws `TemplateError`. */
  readonly render: (name: string, data: object) => string;
}

/**
 * Makes an engine for a set of templates. It renders no others: a name never leads to a file. Templates name each other
 * with or without `.j2`.
 */
export function createTemplateEngine(
  sources: ReadonlyMap<string, string>,
  limits: TemplateLimits = TEMPLATE_LIMITS,
): TemplateEngine {
  const names = [...sources.keys()].sort();
  const own: OwnEnvironment = { prepared: null };

  /** `chain` has the templates that led here, while the cause of an error is searched. */
  const render = (name: string, data: TemplateObject, chain: readonly string[] = []): string => {
    own.prepared ??= prepareEnvironment(sources, limits);
    const { engine, broken, failures } = own.prepared;
    const error = broken.get(name);
    if (error) throw error;
    failures.length = 0;
    let outcome: { readonly result: string } | null;
    try {
      outcome = runWithTimeLimit(limits.milliseconds, () => engine.renderTemplate(name, data));
    } catch (thrown) {
      // After any error, the next rendering starts with a new environment.
      own.prepared = null;
      const message = readEngineMessage(thrown);
      if (message) engine.free();
      else dropRuntime();
      const rendering = { name, data, chain, names, broken, failure: failures[0], limits, render };
      throw explain(message, rendering);
    }
    if (outcome === null) {
      own.prepared = null;
      dropRuntime();
      throw limitError(`${limits.milliseconds} ms`, { template: name, line: 1 });
    }
    // A filter failed, but the template treated its error as an undefined value.
    if (failures[0] !== undefined)
      throw new TemplateError('template-value', failures[0], { template: name, line: 1 });
    if (outcome.result.length > limits.outputCharacters)
      throw limitError(`${limits.outputCharacters} characters`, { template: name, line: 1 });
    return outcome.result;
  };

  const templates: TemplateEngine = {
    names,
    render: (name, data) => {
      const key = bareName(name);
      if (!sources.has(key)) throw unknownTemplate(name, names, null);
      return render(key, templateData(data));
    },
  };
  abandoned.register(templates, own);
  return templates;
}

/** The environment of one engine. It is made at the first rendering, and again after an error. */
interface OwnEnvironment {
  prepared: PreparedEnvironment | null;
}

/** Frees the memory of engines that are no longer used. A dropped instance has already freed its own. */
const abandoned = new FinalizationRegistry<OwnEnvironment>(({ prepared }) => {
  if (prepared && prepared.runtime === runtime) prepared.engine.free();
});

/** All engines of the process share one instance of the wasm program, until one of them breaks it. */
let runtime: TemplateRuntime | null = null;

/** The next rendering starts a new instance. */
function dropRuntime(): void {
  runtime = null;
}

interface PreparedEnvironment {
  readonly runtime: TemplateRuntime;
  readonly engine: Environment;
  /** Templates that cannot be parsed. The error is thrown only when one of them is rendered or included. */
  readonly broken: ReadonlyMap<string, TemplateError>;
  /** Messages of filters that failed since the last rendering began. */
  readonly failures: string[];
}

/** Sets up the engine with its options, filters and templates. `broken` has templates that trapped before. */
function prepareEnvironment(
  sources: ReadonlyMap<string, string>,
  limits: TemplateLimits,
  broken: ReadonlyMap<string, TemplateError> = new Map(),
): PreparedEnvironment {
  runtime ??= startTemplateRuntime();
  const engine = new runtime.Environment();
  engine.trimBlocks = true;
  engine.lstripBlocks = true;
  engine.undefinedBehavior = 'strict';
  // With this, errors show the line and mark the expression.
  engine.debug = true;
  engine.fuel = Number.isFinite(limits.steps) ? limits.steps : null;
  // This function would print everything that the engine knows.
  engine.removeGlobal('debug');

  const failures: string[] = [];
  const filters = engineFilters(limits.outputCharacters, (message) => failures.push(message));
  for (const [name, filter] of filters) engine.addFilter(name, filter);

  const refused = new Map(broken);
  for (const [name, source] of sources) {
    if (refused.has(name)) continue;
    const added = addTemplate(engine, name, source, limits);
    if (added.error) refused.set(name, added.error);
    // One template broke the instance: start again in a new one, without that template.
    if (added.isTrap) return prepareEnvironment(sources, limits, refused);
  }
  return { runtime, engine, broken: refused, failures };
}

/** Parses a template. This has limits too, because the engine evaluates constant expressions while it parses. */
function addTemplate(
  engine: Environment,
  name: string,
  source: string,
  { milliseconds }: TemplateLimits,
): { readonly error: TemplateError | null; readonly isTrap: boolean } {
  const place = { template: name, line: 1 };
  if (source.length > MAX_SOURCE_CHARACTERS) {
    const what = `the template has ${source.length} characters; at most ${MAX_SOURCE_CHARACTERS} are read`;
    return { error: new TemplateError('template-limit', what, place), isTrap: false };
  }
  try {
    const outcome = runWithTimeLimit(milliseconds, () => {
      for (const spelling of [name, `${name}.j2`]) engine.addTemplate(spelling, source);
    });
    if (outcome) return { error: null, isTrap: false };
  } catch (thrown) {
    const message = readEngineMessage(thrown);
    if (message)
      return { error: new TemplateError('template-syntax', message.what, placeOf(message)), isTrap: false };
  }
  dropRuntime();
  return { error: limitError(RESOURCES, place), isTrap: true };
}

/** The limit in a message when the engine stopped without a message of its own. */
const RESOURCES = 'the time, memory or levels that a template may use';

/** Everything that is known about a rendering that failed. */
interface Rendering {
  readonly name: string;
  readonly chain: readonly string[];
  readonly data: TemplateObject;
  readonly names: readonly string[];
  readonly broken: ReadonlyMap<string, TemplateError>;
  readonly failure: string | undefined;
  readonly limits: TemplateLimits;
  readonly render: (name: string, data: TemplateObject, chain: readonly string[]) => string;
}

/** Turns the message of the engine into an error that names the value and the line. */
function explain(message: EngineMessage | null, rendering: Rendering): TemplateError {
  const { name, data, names, broken, failure, limits } = rendering;
  // No message: the wasm program stopped because it had no memory or no stack left.
  if (!message) return limitError(RESOURCES, { template: name, line: 1 });
  const place = placeOf(message);
  if (failure !== undefined) {
    const given = /([\p{L}_][\p{L}\p{N}_.]*)\s*\|\s*\w+$/u.exec(message.marked)?.[1];
    const missing = given === undefined ? null : describeMissing(given, data);
    if (missing !== null) return new TemplateError('template-undefined', missing, place);
    return new TemplateError('template-value', failure, place);
  }
  switch (message.kind) {
    case 'undefined value': {
      // The engine marks the last part of a path; the rest comes before it.
      const path = /[\p{L}_][\p{L}\p{N}_.[\]"']*$/u.exec(message.marked)?.[0].slice(0, 200);
      const what = path === undefined ? 'a value is undefined' : `"${path}" is undefined`;
      return new TemplateError('template-undefined', describeMissing(path ?? '', data) ?? what, place);
    }
    case 'engine ran out of fuel':
      return limitError(`${limits.steps} steps`, place);
    case 'template not found': {
      const wanted = quotedName(message);
      return broken.get(bareName(wanted)) ?? unknownTemplate(wanted, names, place);
    }
    case 'could not render include':
      return explainInclude(message, rendering);
  }
  const isLimit = /recursion limit|too many elements|cycle in template/.test(message.what);
  return new TemplateError(isLimit ? 'template-limit' : 'template-value', message.what, place);
}

/** The engine does not say why an include failed, so the included template is rendered alone to find the cause. */
function explainInclude(message: EngineMessage, { name, chain, data, render }: Rendering): TemplateError {
  const included = bareName(quotedName(message));
  const place = placeOf(message);
  const path = [...chain, name, included];
  if (path.indexOf(included) < path.length - 1)
    return limitError(`the levels of includes (${path.slice(-4).join(' > ')})`, place);
  try {
    render(included, data, [...chain, name]);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  const what = `the template ${included} cannot be rendered in this place, only on its own`;
  return new TemplateError('template-value', what, place);
}

const quotedName = ({ what }: EngineMessage): string => /"(.*)"/s.exec(what)?.[1] ?? '';

const MAX_SHOWN_NAMES = 12;
const MAX_COMPARED_NAMES = 200;

/** Names the first part of a path that is not in the data, and the names that are; null if the path exists. */
function describeMissing(path: string, data: TemplateObject): string | null {
  const parts = path.split('.');
  let known: TemplateObject = data;
  for (const [index, part] of parts.entries()) {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(part)) return null;
    const value = known[part];
    if (value === undefined) {
      const names = Object.keys(known);
      const near = nearestName(part, names.slice(0, MAX_COMPARED_NAMES));
      const shown = names.length > MAX_SHOWN_NAMES ? [...names.slice(0, MAX_SHOWN_NAMES), '…'] : names;
      const help = near
        ? ` (did you mean ${near}?)`
        : names.length > 0
          ? `; there is ${shown.join(', ')}`
          : '';
      return `"${parts.slice(0, index + 1).join('.')}" is undefined${help}`;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    known = value as TemplateObject;
  }
  return null;
}

function unknownTemplate(name: string, names: readonly string[], place: TemplatePlace | null): TemplateError {
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
  const near = nearestName(name, names);
  return new TemplateError(
    'template-unknown',
    `Unknown template ${shown}. Allowed: ${names.join(', ')}`,
    place,
    near ? `did you mean ${near}?` : undefined,
  );
}

function limitError(limit: string, place: TemplatePlace): TemplateError {
  return new TemplateError('template-limit', `more than ${limit}`, place);
}

function placeOf({ template, line }: EngineMessage): TemplatePlace {
  return { template: bareName(template), line };
}

function bareName(name: string): string {
  return name.replace(/\.j2$/, '');
}
