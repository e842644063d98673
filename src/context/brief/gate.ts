// The gate of a brief: how sure is the ranking, and is a brief worth its characters?
import { isStopWord } from '../../model/stop-words.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import type { BriefPlace } from './places.ts';

/** How strict the gate is: `off` lets everything through. */
export type GateLevel = 'off' | 'normal' | 'strict';

/** The verdict on a prompt: code and locations, locations only, or nothing. */
export type GateVerdict = 'full' | 'short' | 'silent';

export interface GateDecision {
  /** 0..1: how likely a file that the work changes is among the shown places. */
  readonly confidence: number;
  readonly verdict: GateVerdict;
  /** In a few words, for logs and `--json`. */
  readonly reason: string;
}

/** The inputs of the gate. */
export interface GateInput {
  readonly analysis: TaskAnalysis;
  /** Likeliest first. */
  readonly places: readonly BriefPlace[];
  /** The weight of the task's words that the repository has. */
  readonly knownWeight: number;
  /** Whether the repository has a file at this path. */
  readonly hasFile: (path: string) => boolean;
}

/** Below the first value the gate is silent; below the second it lets only locations through. */
const THRESHOLDS: Readonly<Record<Exclude<GateLevel, 'off'>, readonly [number, number]>> = {
  normal: [0.6, 0.75],
  strict: [0.8, 0.9],
};

/** Decides whether a prompt gets a brief, and in which form. */
export function decideGate(input: GateInput, level: GateLevel): GateDecision {
  const confidence = Math.round(confidenceOf(input) * 1000) / 1000;
  const decide = (verdict: GateVerdict, reason: string) => ({ confidence, verdict, reason });
  if (input.places.length === 0) return { ...decide('silent', 'nothing matches the task'), confidence: 0 };
  if (level === 'off') return decide('full', 'the gate is off');
  if (namesLines(input)) return decide('silent', 'the prompt already names the lines');
  const [silent, short] = THRESHOLDS[level];
  if (confidence < silent) return decide('silent', 'too vague, or not about the code');
  if (confidence < short) return decide('short', 'fairly sure: locations only');
  return decide('full', 'likely places were found');
}

/** A longer text may name lines in passing, in a link or a quotation. */
const FEW_WORDS = 60;

/** Whether a short prompt already says `path:line` for a file of the repository. */
function namesLines({ analysis, hasFile }: GateInput): boolean {
  const words = analysis.words.reduce((sum, { count }) => sum + count, 0);
  return (
    words <= FEW_WORDS &&
    analysis.paths.some(({ path, kind, line }) => kind === 'path' && line !== null && hasFile(path))
  );
}

/** Further places are too unlikely to change anything. */
const COUNTED_PLACES = 10;
/** Keeps odds finite. */
const SMALLEST = 1e-6;

/** The numbers that the weights belong to, in their order. `bench/relevance/learn-gate.mjs` learns from them. */
export function gateFeatures({ analysis, places, knownWeight }: GateInput): readonly number[] {
  const missed = places
    .slice(0, COUNTED_PLACES)
    .reduce((chance, { likelihood }) => chance * (1 - likelihood), 1);
  const talk = readTalk(analysis.text);
  return [
    Math.log((1 - missed + SMALLEST) / (missed + SMALLEST)),
    Math.log1p(knownWeight),
    Number(places.slice(0, COUNTED_PLACES).some(({ isMentioned }) => isMentioned)),
    talk.share,
    Math.log1p(talk.content),
    Number(talk.isPersonal),
    Number(talk.isGeneral),
  ];
}

/** Logistic regression on real tasks of the development sets, and on prompts that need no code. */
const BIAS = -1.86;
const WEIGHTS: readonly number[] = [0.48, 1.33, 0.66, -4.29, 0.1, -1.45, -3.36];

function confidenceOf(input: GateInput): number {
  const sum = gateFeatures(input).reduce((total, value, at) => total + value * WEIGHTS[at]!, BIAS);
  return 1 / (1 + Math.exp(-sum));
}

/**
 * The wording of a prompt, read without any repository. It tells talk about the conversation ("thanks", "commit this")
 * from talk about the code.
 */
export interface Talk {
  /** Words that are neither stop words nor talk: they may be about code. */
  readonly content: number;
  /** The share of talk among all words that are not stop words; 1 for a prompt without any. */
  readonly share: number;
  /** It speaks to the agent about the agent: "you", "your". */
  readonly isPersonal: boolean;
  /** It asks what something is or how one does something, as people ask an encyclopedia. */
  readonly isGeneral: boolean;
}

/** Reads the wording of a prompt. */
export function readTalk(text: string): Talk {
  const words = (text.toLowerCase().match(/\p{L}[\p{L}\p{M}'’]*|\d+/gu) ?? []).map((word) =>
    word.replace(/[’']\p{L}*$/u, ''),
  );
  const telling = words.filter((word) => !isStopWord(word) || TALK.has(word));
  const talk = telling.filter((word) => TALK.has(word)).length;
  return {
    content: telling.length - talk,
    share: telling.length === 0 ? 1 : talk / telling.length,
    isPersonal: words.some((word) => PERSONAL.has(word)),
    isGeneral: GENERAL.test(text),
  };
}

const PERSONAL: ReadonlySet<string> = new Set(
  'you your yours yourself du dir dich dein deine tu te ton toi tú'.split(' '),
);

const GENERAL =
  /^\W*(?:what(?:'s|’s| is| are| does)|how (?:do i|do you|does|many|much)|explain|define|tell me|which|who)\b/i;

/** Words of conversation and of work with git and the terminal, in several languages. */
const TALK: ReadonlySet<string> = new Set(
  `
  thanks thank thx ty cheers perfect perfectly great awesome nice cool ok okay yes yep yeah sure no nope right alright
  good well fine lgtm wow amazing excellent brilliant fantastic done works worked fixed sorry mistake frustrating hate
  love like liked agree agreed exactly indeed correct understood gotcha noted bravo congrats appreciate appreciated
  helpful hmm huh oops ugh whatever nevermind never mind certain wrong
  continue proceed go going ahead next stop wait hold skip keep carry again retry rerun redo undo revert finish resume
  try forget forgot rather instead later now first second third last latest option choice version cancel abort pause
  quit exit repeat stage step steps ready round start restart switch
  you your yours yourself me my mine i we us our session conversation chat answer answers answered reply response message
  messages question questions explain explanation summarize summary remember remind said say told tell asked ask mean
  meant understand suggestion suggested suggest proposed proposal approach mentioned idea plan mode context token tokens
  model tool tools permission prompt paragraph word words sentence bullet point points markdown emoji emojis short
  shorter longer verbose concise brief simple simpler detail details detailed rephrase clarify elaborate opinion
  recommend recommendation think thought believe guess guessing confident translate english spanish german french
  format status update progress team lunch meeting time long minutes hours day week left far remaining
  commit commits committed push pushed pull branch branches merge rebase tag pr diff squash amend cherry pick stash ci
  pipeline green release announcement run ran kill dev server tests test build pass passed command touch checkout
  unstage remote origin main master upstream publish deploy install terminal touched change changed changes file files
  temporary created result difference between book joke define general example everyday interview roughly hello hi hey
  morning night evening bye tomorrow today yesterday monday mondays friday weekend please review paste cut data images
  image see show put code block use look
  danke bitte passt weiter mach ja nein kurz zusammen fass geändert committen pushen super gut genau nochmal
  merci beaucoup parfait oui non vas fais clair réponds court plaît bien encore continue
  gracias perfecto sí continúa cambios sube abre quedó segunda opción favor otra vez
  `
    .trim()
    .split(/\s+/),
);
