import type { TaskAction } from '../model/task-analysis.ts';
import { ACTION_OF_FRAGMENT, ACTION_OF_LABEL, ACTION_OF_VERB } from './action-words.ts';
import { anyOf } from './any-of.ts';
import { wordRuns } from './word-runs.ts';

/** Complaints are asked to be fixed even when nobody says so. */
const SYMPTOM = anyOf(
  /\b(?:does|do|did|is|are|was|were|should|can|could|will|would|has|have)(?:n't|n’t| not|nt)\b/i,
  /\b(?:cannot|fail(?:s|ed|ing|ure)?|broken|breaks|broke|crash(?:es|ed|ing)?|hangs?|deadlock|freezes?|panics?|flaky)\b/i,
  /\b(?:wrong(?:ly)?|incorrect(?:ly)?|unexpected(?:ly)?|invalid|missing|misleading|inconsistent|ignored|duplicated?)\b/i,
  /\b(?:errors?|exceptions?|bugs?|regression|leaks?|overflow|race condition|undefined|throws?|raises?|loses?|lost)\b/i,
  /\b(?:no longer|stopped working|not working)\b/i,
  /\b(?:fehler|falsch|kaputt|abst(?:ü|ue)rz\w{0,6}|erreur|plante|falla|roto)\b/i,
);

const ASKS =
  '\\b(?:add|write|create|improve|extend|missing|increase|need|flaky|fix(?:ing)?|schreibe|ajouter|añadir|escribir)\\b.{0,50}';
const ASKS_TESTS = new RegExp(
  `${ASKS}\\b(?:unit[- ]?tests?|tests?|test cases?|coverage|specs?|pruebas)\\b`,
  'i',
);
const ASKS_DOCS = anyOf(
  new RegExp(
    `${ASKS}\\b(?:docs?|documentation|docstrings?|readme|changelog|typos?|dokumentation|documentación)\\b`,
    'i',
  ),
  /^(?:update|improve|clarify|correct) .{0,40}\b(?:docs?|documentation|docstrings?|readme|changelog|comments?)\b/i,
  /\btypos? in\b/i,
);
const ASKING =
  /^(?:how|why|explain|describe|understand|wie|warum|erkläre?|explique|comment|pourquoi|explica|cómo)$/;
const REVIEW = /\b(?:code )?review (?:of|the|this|my|our|all)\b/i;
const OPTIONAL_START = new Set(
  'please we you i let s can could should would need want to try the bitte kannst du peux tu'.split(' '),
);

export interface ActionEvidence {
  readonly title: string;
  /** Tag or commit type of the title. */
  readonly label: string;
  readonly lead: string;
  readonly hasTraceOrError: boolean;
}

/** What is to be done: by the label, by how the title begins, by what it complains about, by how it goes on. */
export function taskAction({ title, label, lead, hasTraceOrError }: ActionEvidence): TaskAction {
  const labelled = label
    .split(' ')
    .map((word) => ACTION_OF_LABEL.get(word))
    .find((action) => action !== undefined);
  const opening = openingAction(title);
  // "docs: fix the link" documents, but "[Feature] write tests for x" tests
  if (labelled && labelled !== 'implement') return labelled;
  if (opening === 'fix' && ASKS_DOCS.test(title)) return 'document';
  if (opening !== 'refactor' && opening !== 'explain' && ASKS_TESTS.test(title)) return 'test';
  if (opening !== 'explain' && ASKS_DOCS.test(title)) return 'document';
  if (REVIEW.test(title)) return 'review';
  if (labelled) return opening ?? labelled;
  const isComplaint = hasTraceOrError || SYMPTOM.test(title);
  // "Test runner crashes", "Document upload fails" begin with a noun
  if (isComplaint && (opening === 'test' || opening === 'review' || opening === 'document')) return 'fix';
  if (opening && opening !== 'explain') return opening;
  if (opening === 'explain' && !hasTraceOrError) return opening;
  if (isComplaint) return 'fix';
  const fragment = ACTION_OF_FRAGMENT.find(([text]) => title.includes(text) || lead.includes(text));
  if (fragment) return fragment[1];
  const continued = openingAction(lead);
  if (continued && continued !== 'explain') return continued;
  return SYMPTOM.test(lead) ? 'fix' : 'implement';
}

/** The verb a sentence begins with, behind "please", "we should" or the name of a place. */
function openingAction(sentence: string): TaskAction | null {
  const start = sentence.slice(0, 300).replace(/^[\w./ `-]{1,60}: /, '');
  const words = wordRuns(start.toLowerCase());
  const first = words.findIndex((word) => !OPTIONAL_START.has(word));
  const verb = words[first === -1 ? 0 : first];
  if (verb === undefined) return null;
  // `inspect.signature()` is a name, not a wish
  const isName = /^[.(_:[]/.test(start.toLowerCase().split(verb, 2)[1] ?? '');
  const action = isName ? null : (ACTION_OF_VERB.get(verb) ?? null);
  // "Is", "What", "Which" ask only in a question
  const isQuestion = /[?？]/.test(sentence) || ASKING.test(verb);
  return action === 'explain' && !isQuestion ? null : action;
}
