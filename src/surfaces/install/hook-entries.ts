import type { JsonEntry } from './edit-json.ts';
import { toolMatcher } from './restricted-tools.ts';
import type { LaunchCommand } from './set-up-target.ts';

/** An event as the client spells it, as we do, and the tools it is about. */
export interface HookedEvent {
  readonly name: string;
  readonly event: string;
  readonly matcher?: string;
  readonly seconds: number;
  /** Nothing is to be asked any more. */
  readonly isGone?: boolean;
}

/** Tools that the user refuses, whom a client has to ask about before it uses them. */
type Tools = readonly string[];

/** What is asked about tools; gone when there is none to ask about. */
function beforeTools(name: string, own: Tools, tools: Tools): HookedEvent {
  const matcher = toolMatcher(own, tools);
  return { name, event: 'pre-tool-use', matcher, seconds: 20, ...(matcher === '' ? { isGone: true } : {}) };
}

/** An agent's task is in the call of the tool that starts it, never in the event of its start. */
export const claudeEvents = (tools: Tools): readonly HookedEvent[] => [
  { name: 'SessionStart', event: 'session-start', seconds: 15 },
  { name: 'UserPromptSubmit', event: 'user-prompt-submit', seconds: 15 },
  beforeTools('PreToolUse', ['Agent', 'Task'], tools),
  { name: 'SubagentStart', event: 'subagent-start', seconds: 15 },
];

/** For a file of the user's own beside that of a repository. */
export const claudeLocalEvents = (tools: Tools): readonly HookedEvent[] => [
  beforeTools('PreToolUse', [], tools),
];

export const codexEvents = (tools: Tools): readonly HookedEvent[] => [
  { name: 'SessionStart', event: 'session-start', seconds: 15 },
  { name: 'UserPromptSubmit', event: 'user-prompt-submit', seconds: 15 },
  { name: 'SubagentStart', event: 'subagent-start', seconds: 15 },
  beforeTools('PreToolUse', [], tools),
];

/** What Gemini adds at other events arrives with its code escaped. */
export const geminiEvents = (tools: Tools): readonly HookedEvent[] => [
  { name: 'BeforeAgent', event: 'before-agent', seconds: 20 },
  { name: 'BeforeModel', event: 'before-model', seconds: 15 },
  beforeTools('BeforeTool', ['invoke_agent'], tools),
];

export const copilotEvents = (tools: Tools): readonly HookedEvent[] => [
  { name: 'sessionStart', event: 'session-start', seconds: 15 },
  { name: 'userPromptSubmitted', event: 'user-prompt-submit', seconds: 15 },
  { name: 'subagentStart', event: 'subagent-start', seconds: 15 },
  ...(tools.length > 0 ? [beforeTools('preToolUse', [], tools)] : []),
];

/** For the shell that clients run their hooks in. */
export function shellLine({ program, args }: LaunchCommand, ...more: readonly string[]): string {
  return [program, ...args, ...more].map(quote).join(' ');
}

function quote(word: string): string {
  if (/^[\w./:@%+=,\\-]+$/.test(word)) return word.replaceAll('\\', '\\\\');
  return `"${word.replace(/["\\$`]/g, '\\$&')}"`;
}

export function hookLine(launch: LaunchCommand, event: string, client: string): string {
  const line = shellLine(launch, 'hook', event, ...(client === 'claude' ? [] : ['--client', client]));
  // for Gemini every exit code above 1 forbids the turn, that of a program that is not installed as well
  return client === 'gemini' ? `${line}; exit 0` : line;
}

interface HookShape {
  /** What a second counts in the client's `timeout`. */
  readonly perSecond: number;
}

/** The value under `hooks.EVENT[]` that Claude Code, Codex and Gemini share. */
export function hookValue(
  { event, matcher, seconds }: HookedEvent,
  launch: LaunchCommand,
  client: string,
  { perSecond }: HookShape = { perSecond: 1 },
): unknown {
  const hook = { type: 'command', command: hookLine(launch, event, client), timeout: seconds * perSecond };
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] };
}

export function hookEntries(
  events: readonly HookedEvent[],
  launch: LaunchCommand,
  client: string,
  shape?: HookShape,
): readonly JsonEntry[] {
  return events.map((one) => ({
    path: ['hooks', one.name],
    kind: 'element',
    value: hookValue(one, launch, client, shape),
    isOurs: (value) => callsUs(value, one.event),
    ...(one.isGone ? { isGone: true } : {}),
  }));
}

/** Whichever version of us wrote it, and wherever it found us. */
function callsUs(value: unknown, event: string): boolean {
  const { hooks } = (value ?? {}) as { readonly hooks?: unknown };
  if (!Array.isArray(hooks) || hooks.length !== 1) return false;
  const { command } = (hooks[0] ?? {}) as { readonly command?: unknown };
  return typeof command === 'string' && new RegExp(`\\bloadout\\b.* hook ${event}\\b`).test(command);
}
