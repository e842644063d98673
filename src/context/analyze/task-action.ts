import type { TaskAction } from '../../model/task-analysis.ts';
import {
  ACTION_OF_FRAGMENT,
  ACTION_OF_LABEL,
  ACTION_OF_VERB,
  NOUN_VERBS,
  READING_VERBS,
} from './action-words.ts';
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

/** What a thing does, as against "Report errors" and "Show failed jobs". */
const FAILING = anyOf(
  /\b(?:does|do|did|is|are|was|were|can|will|has|have)(?:n't|n’t| not|nt)\b|\b(?:cannot|no longer)\b/i,
  /\b(?:fails|failing|crashes|hangs|breaks|broken|wrong|incorrect|throws|raises|loses|ignored|missing)\b/i,
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
const REVIEW = anyOf(
  /\b(?:code|security|design|architecture|peer|pr|pull request) review\b/i,
  /\breview (?:of|the|this|my|our|all)\b/i,
  /^check\b.{1,80}\bfor (?:\w+ )?(?:bugs?|problems?|issues?|errors?|mistakes?|vulnerabilities|flaws?)\b/i,
);
/** Forms of the verbs that change a file. */
const CHANGING =
  '(?:chang|modif|edit|alter|touch|writ|implement|fix|refactor|commit|creat|chang|updat|delet|remov)(?:e|y|es|ing|ying)?';
/** All that there is: "do not change the API" still asks for a change of the rest. */
const EVERYTHING =
  '(?:anything|any(?: \\w+)? ?(?:code|files?|things?)|(?:the |any )?(?:source )?(?:code|codebase|files?|sources?|repo(?:sitory)?))';
const READ_ONLY = anyOf(
  new RegExp(
    `\\b(?:do not|don['’]t|never|without|must not|should not|please not) (?:you )?(?:ever )?${CHANGING} ${EVERYTHING}\\b`,
    'i',
  ),
  new RegExp(`\\b(?:do not|don['’]t|without) ${CHANGING}(?=\\s*(?:[.!;]|$))`, 'i'),
  /\b(?:make|making|with|apply|no need (?:for|of)) (?:no|any|without)(?: code)? (?:changes|edits|modifications)\b/i,
  /\b(?:do not|don['’]t) make (?:any )?(?:code )?(?:changes|edits)\b/i,
  /^\W*read[- ]only\b|\bread[- ]only (?:task|investigation|exploration|analysis|review)\b/i,
  /\bändere nichts\b|\bnichts (?:zu )?ändern\b|\bsans rien (?:modifier|changer)\b|\bne (?:modifie|change)[sz]? rien\b/i,
  /\bsin (?:cambiar|modificar) nada\b|\bno (?:cambies|modifiques) nada\b|不要(?:修改|改动|更改)|変更しない/i,
);
/** A thing to be told, not to be built. */
const TELLING = anyOf(
  /^(?:give|provide|write|create)(?: (?:me|us))? (?:an?|the) (?:\w+ )?(?:overview|summary|explanation|walkthrough|outline)\b/i,
  /^(?:show|tell|give|walk)(?: (?:me|us))\b/i,
  /^(?:check|see|report|verify|list|show|say)(?: (?:me|us|back|on))* (?:whether|if|where|which|what|who|why|how|all|every|the files)\b/i,
);
/** What is asked for once something has been found out. */
const THEN_CHANGES =
  /(?:\band|\bthen|,|;)\s+(?:then\s+)?(?:please\s+)?(fix|repair|resolve|correct|implement|add|refactor|rename|remove|replace|rewrite|simplify|extract|document)\b/i;
const FORBIDDEN = /(?:^|[.!?;:\n]\s*)(?:please )?(?:do not|don['’]t|never)\b[^.!?;\n]*/gi;
const OPTIONAL_START = new Set(
  'please we you i let s can could should would need want to try the bitte kannst du peux tu'.split(' '),
);
/** A first paragraph that takes longer to say what it wants leaves it open. */
const MOST_SENTENCES = 6;

export interface ActionEvidence {
  readonly title: string;
  /** Tag or commit type of the title. */
  readonly label: string;
  readonly lead: string;
  readonly hasTraceOrError: boolean;
}

/**
 * What is to be done: by the label, by what must not be done, by how the title begins, by what it complains about, by how
 * it goes on. Null when none of them says.
 */
export function taskAction({ title, label, lead, hasTraceOrError }: ActionEvidence): TaskAction | null {
  const labelled = label
    .split(' ')
    .map((word) => ACTION_OF_LABEL.get(word))
    .find((action) => action !== undefined);
  const opening = openingOf(title);
  const isReview = REVIEW.test(title) && (opening === null || opening.isWeak || opening.action === 'review');
  // "docs: fix the link" documents, but "[Feature] write tests for x" tests
  if (labelled && labelled !== 'implement') return labelled;
  if (READ_ONLY.test(title) || READ_ONLY.test(lead))
    return isReview || opening?.action === 'review' ? 'review' : 'explain';
  if (opening?.isReading) return changeAfterReading(title) ?? 'explain';
  const action = opening?.action ?? null;
  if (action === 'fix' && ASKS_DOCS.test(title)) return 'document';
  if (action !== 'refactor' && action !== 'explain' && ASKS_TESTS.test(title)) return 'test';
  if (action !== 'explain' && ASKS_DOCS.test(title)) return 'document';
  if (isReview) return 'review';
  if (labelled) return action ?? labelled;
  if (/^\W*(?:do not|don['’]t|never)\b/i.test(title)) return 'fix';
  const isComplaint = hasTraceOrError || complains(title);
  // "Test runner crashes", "Document upload fails" begin with a noun
  if (opening?.isWeak && (hasTraceOrError || FAILING.test(title))) return 'fix';
  if (action && action !== 'explain') return action;
  if (action === 'explain' && !hasTraceOrError) return action;
  if (isComplaint) return 'fix';
  const fragment = ACTION_OF_FRAGMENT.find(([text]) => title.includes(text) || lead.includes(text));
  if (fragment) return fragment[1];
  return continuedAction(lead) ?? (complains(lead) ? 'fix' : null);
}

function complains(text: string): boolean {
  return SYMPTOM.test(text.replace(FORBIDDEN, ' '));
}

/** "Find the race and fix it" asks for more than to find it. */
function changeAfterReading(sentence: string): TaskAction | null {
  if (/\band (?:then )?(?:write|add) .{0,40}\btests?\b/i.test(sentence)) return 'test';
  const verb = THEN_CHANGES.exec(sentence)?.[1];
  return verb === undefined ? null : (ACTION_OF_VERB.get(verb.toLowerCase()) ?? null);
}

/** The first sentence of a paragraph that says what to do. */
function continuedAction(lead: string): TaskAction | null {
  for (const sentence of lead.slice(0, 2_000).split(/(?<=[.!?。])\s+|\n+/, MOST_SENTENCES)) {
    const opening = openingOf(sentence);
    if (opening?.isReading) return changeAfterReading(sentence) ?? 'explain';
    if (opening && !opening.isWeak && opening.action !== 'explain') return opening.action;
  }
  return null;
}

interface Opening {
  readonly action: TaskAction;
  /** Asks to read and to report, without a question mark. */
  readonly isReading: boolean;
  /** The word may be a noun as well. */
  readonly isWeak: boolean;
}

/** The verb a sentence begins with, behind "please", "we should" or the name of a place. */
function openingOf(sentence: string): Opening | null {
  const start = sentence.slice(0, 300).replace(/^[\w./ `-]{1,60}: /, '');
  const words = wordRuns(start.toLowerCase());
  const first = words.findIndex((word) => !OPTIONAL_START.has(word));
  const verb = words[first === -1 ? 0 : first];
  if (verb === undefined) return null;
  const from = start.toLowerCase().indexOf(verb);
  // `inspect.signature()` is a name, not a wish
  if (/^[.(_:[/-]/.test(start.slice(from + verb.length))) return null;
  if (TELLING.test(start.slice(from))) return { action: 'explain', isReading: true, isWeak: false };
  if (/^let (?!us\b|['’]?s\b)/i.test(start)) return { action: 'implement', isReading: false, isWeak: false };
  if (/^(?:ensure|make sure)\b/i.test(start.slice(from)))
    return { action: 'implement', isReading: false, isWeak: true };
  if (READING_VERBS.has(verb)) return { action: 'explain', isReading: true, isWeak: false };
  if (NOUN_VERBS.has(verb)) return { action: 'implement', isReading: false, isWeak: true };
  const action = ACTION_OF_VERB.get(verb);
  if (action === undefined) return null;
  // "Is", "What", "Which" ask only in a question
  const asks = /[?？]/.test(sentence) || /^(?:how|why|wie|warum|comment|pourquoi|cómo)$/.test(verb);
  if (action === 'explain' && !asks) return null;
  return {
    action,
    isReading: false,
    isWeak: action === 'test' || action === 'review' || action === 'document',
  };
}
