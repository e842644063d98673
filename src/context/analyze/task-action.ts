import type { TaskAction } from '../../model/task-analysis.ts';
import {
  ACTION_OF_FRAGMENT,
  ACTION_OF_LABEL,
  actionOfVerb,
  NOUN_VERBS,
  READING_VERBS,
  verbOf,
  withoutReference,
} from './action-words.ts';
import { anyOf, wordRuns } from './word-runs.ts';

// The action that a task asks for: implement, fix, refactor, test, document, review or explain. Only the title and the first
// paragraph decide.

/** Complaints. They ask for a fix, even without the word. */
const SYMPTOM = anyOf(
  /\b(?:does|do|did|is|are|was|were|should|can|could|will|would|has|have)(?:n't|n’t| not|nt)\b/i,
  /\b(?:cannot|fail(?:s|ed|ing|ure)?|broken|breaks|broke|crash(?:es|ed|ing)?|hangs?|deadlock|freezes?|panics?|flaky)\b/i,
  /\b(?:wrong(?:ly)?|incorrect(?:ly)?|unexpected(?:ly)?|invalid|missing|misleading|inconsistent|ignored|duplicated?)\b/i,
  /\b(?:errors?|exceptions?|bugs?|bug ?fix(?:es)?|regression|leaks?|overflow|race condition|undefined|throws?|raises?|loses?|lost)\b/i,
  /\b(?:no longer|stopped working|not working|unable to|segfaults?|infinite loop|false positives?|workaround)\b/i,
  /\b[A-Z]\w{2,60}(?:Error|Exception)\b/,
  /\S \b(?:drops|stays|overlaps|returns (?:stale|old|empty|nothing)|twice when|grows|flickers|jumps|disappears|leaks|redirects to a blank|instead of|too (?:slow|early|late|often))\b/i,
  /\breturns? \w+, not \w+/i,
  /\bcaus(?:es?|ing) \w{0,20} ?(?:warnings?|errors?|failures?)\b/i,
  /\b(?:fehler|falsch|kaputt|abst(?:ü|ue)rz\w{0,6}|erreur|plante|falla|roto)\b/i,
);

/** Complaints about what a thing does. "Report errors" and "Show failed jobs" are not complaints. */
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
/** Files and texts that are documentation. `CHANGES` is a file only in capitals. */
const DOCUMENTS = anyOf(
  /\b(?:docs?|documentation|docstrings?|javadocs?|jsdoc|godoc|doc ?blocks?|read ?me|change ?logs?|contributors|tutorials?|guides?|faq|man ?pages?)\b/i,
  /\b(?:release notes?|glossary|typos?|grammar|grammatical|wording|spelling|restructuredtext|rst files|versionadded|in the manual)\b/i,
  /\b(?:a|an|the|code|missing|doc|inaccurate|misleading|outdated|revised?|adjust|fix|update) comments?\b(?! (?:to|box|form|count|field))/i,
  /\b[\w-]{1,60}\.(?:md|rst|adoc|txt)\b/i,
  /^add (?:an? )?(?:description|explanation)\b|^comments? (?:for|on|about)\b/i,
  /^add (?:an? |some |more )?(?:notes?|section|paragraph|caveat|hint) (?:about|on|for|to|that)\b/i,
  /\b(?:overview|user|style|migration|upgrade) guide\b/i,
  /\b(?:community|project) list\b|\bto (?:the )?ecosystem\b|\bchanges entry\b|\blist of projects\b/i,
);
/** "CHANGELOG: add an item": the place is the document. */
const DOCUMENT_PLACE = /^(?:docs?|documentation|changelog|changes|readme|tutorial)\b[^:]{0,20}: /i;
const CHANGES_FILE = /\bCHANGES\b/;
/** What changes a text: without such a verb a document is only a place. */
const EDITS =
  /^(?:add|update|write|fix|improve|clarify|correct|document|change|revise|spruce up|mention|reference|note|remove|replace|tweak|edit|rewrite|extend|associate|link|move|adjust|tidy|more|new|small|minor|some|rearrange|expand)\b/i;
/** "The manual says", "README is outdated", "Documentation for x". */
const DOCUMENTS_ALONE =
  /^(?:the )?(?:docs?|documentation|docstrings?|readme|changelog|javadocs?|manual|guide)\b(?! (?:page|site|build|generator|test|upload|fails))/i;
const TESTS_ALONE = anyOf(
  /^(?:[\w`.'-]{1,40} ){0,3}(?:unit|integration|regression|e2e|smoke|acceptance) tests?\b(?! (?:runner|fail|command|suite))/i,
  /^(?:more|new|another|additional|extra) (?:[\w`.-]{1,40} ){0,3}tests?\b/i,
  /^(?:[\w`.-]{1,40} ){1,3}tests? (?:for|of|cases? for)\b/i,
  /^(?:[\w`.-]{1,40} ){1,3}test cases?$/i,
  /\btests? (?:is|are|became) (?:\w+ )?(?:flaky|brittle|unstable)\b|\b(?:de|un)flake\b/i,
  /^(?:update|fix|adjust|rename) \S*\btests?\/\S+$/i,
);
const EDITS_TESTS =
  /^(?:add|adjust|update|write|improve|extend|rename|clean up|fix|make|expand|increase|tweak)\b (?:[\w`./*'-]{1,60} ){0,4}?(?:tests?|specs?|e2e|coverage)(?= (?:for|of|in|to|that|with|class|cases?|coverage|assertions)\b|[.,;]|$)/i;
/** Upkeep: another version of what the project is built with. */
const UPKEEP = anyOf(
  /\b(?:bump|upgrad|downgrad|updat|mov|switch|migrat|build|start|depend|us)(?:e|es|ed|ing|s)?\b.{0,80}\b(?:to|from|with|against|on) .{0,60}\bv?\d{1,4}\.\d[\w.-]*/i,
  /\b(?:updat|upgrad|bump)(?:e|es|ed|ing|s)?\b.{0,40}\b(?:dependenc(?:y|ies)|deps|lock ?files?|submodules?|sdk|toolchain)\b/i,
  /\bdependenc(?:y|ies) updates?\b/i,
  /^[\w.-]{1,40} (?:library )?(?:updated|upgraded|bumped)\b/i,
);
/** A version and nothing else: nobody is asked for anything. */
const VERSION_MARK =
  /^(?:(?:bump(?:s|ed|ing)?|increment(?:s|ed)?|set|prepare|release|tag|cut)\s)?(?:the |new )?(?:version|release)?(?: number)?\s?(?:to |for )?`?v?\d{1,4}\.\d[\w.-]*`?(?: \w+ version)?\.?$/i;
const REVIEW_MARK =
  /^set (?:the )?release date|^merge (?:pull request|branch|remote)|^apply (?:\w+ ){0,2}(?:suggestions?|review)/i;
const THING_FAILS =
  /^\w+ (?:is |are )?(?:broken|fails?|failing|crash(?:es)?|hangs?|(?:does|do|is|are)(?:n['’]t| not)|returns (?:stale|wrong|old|empty))\b/i;
/** A change for the sake of a repair. */
const TO_FIX = /\bto (?:fix|prevent|work around)\b/i;
/** A change that nobody outside sees. */
const INSIDE = anyOf(
  /^(?:use|make|improve|update|change)\b.{0,80}\b(?:variable|parameter|argument|method|function|field|class|type) names?\b/i,
  /^(?:use|make)\b .{1,80}\b(?:instead of|rather than|inherit from|in place of)\b/i,
  /^(?:use|prefer) (?:the )?(?:template literals|f-strings|lambdas?|const|static|final|private|type hints?|early returns?)\b/i,
);
const TIDIED =
  /\b(?:internally|readable|readability|formatting|easier to (?:read|understand|follow|maintain))\b|^get rid of\b/i;
const TIDYING =
  /^(?:redundant|unused|obsolete|superfluous|duplicated?)\b|^\S+ (?:->|=>) \S+$|\b(?:refactor(?:ing)?|simplification|reorgani[sz]ation|restructuring|clean-?ups?|whitespace|(?:re)?formatting|lint(?:ing|er)?|dead code|technical debt|code style)\b/i;
/** "I would like to export", "Users should be able to", "New APIs to". */
const WISH = anyOf(
  /^(?:i|we|users?|people|admins?|as an? .{1,60},? i)\b.{0,20}\b(?:want|would like|wish|need|should be able|would love)\b/i,
  /^(?:it )?(?:would|could) be (?:nice|great|good|useful|helpful)\b|^(?:need|want|wanted)\b/i,
  /^(?:new|better|more|nicer|custom|initial|additional|optional|convenience|experimental)\b/i,
);
const WANTS_TO_KNOW =
  /^(?:i|we)(?:['’]d| would)? (?:like|want|need) to (?:know|understand|see how|learn)\b|^help (?:me|us) understand\b|^list (?:the|all|every|any)\b|^(?:map|point) out\b|^outline\b/i;
const REVIEWS =
  /^(?:double-check|critique|proofread|look over)\b|\b(?:feedback on|point out problems|second opinion)\b/i;
const REVIEW = anyOf(
  /\b(?:code|security|design|architecture|peer|pr|pull request) review\b/i,
  /\breview (?:of|the|this|my|our|all)\b/i,
  /^check\b.{1,80}\bfor (?:\w+ )?(?:bugs?|problems?|issues?|errors?|mistakes?|vulnerabilities|flaws?)\b/i,
);
/** Forms of the verbs that change a file. */
const CHANGING =
  '(?:chang|modif|edit|alter|touch|writ|implement|fix|refactor|commit|creat|chang|updat|delet|remov)(?:e|y|es|ing|ying)?';
/** Words for all files. "Do not change the API" still asks to change the rest. */
const EVERYTHING =
  '(?:anything|any(?: \\w+)? ?(?:code|files?|things?)|(?:the |any )?(?:source )?(?:code|codebase|files?|sources?|repo(?:sitory)?))';
/** Requests to change nothing at all. */
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
/** Requests for an answer in words, not for a change. */
const TELLING = anyOf(
  /^(?:give|provide|write|create)(?: (?:me|us))? (?:an?|the) (?:\w+ )?(?:overview|summary|explanation|walkthrough|outline)\b/i,
  /^(?:show|tell|give|walk)(?: (?:me|us))\b/i,
  /^(?:check|see|report|verify|list|show|say)(?: (?:me|us|back|on))* (?:whether|if|where|which|what|who|why|how|all|every|the files)\b/i,
);
/** A request for a change after a question: "find the leak and fix it". */
const THEN_CHANGES =
  /(?:\band|\bthen|,|;)\s+(?:then\s+)?(?:please\s+)?(fix|repair|resolve|correct|implement|add|refactor|rename|remove|replace|rewrite|simplify|extract|document)\b/i;
/** A sentence that forbids something. Its words do not report a problem. */
const FORBIDDEN = /(?:^|[.!?;:\n]\s*)(?:please )?(?:do not|don['’]t|never)\b[^.!?;\n]*/gi;

/** Words in front of the verb of a request or of a commit's message. */
const OPTIONAL_START = new Set(
  `please we you i let s can could should would need want to try the also now only fully always possible possibly safely
  automatically properly correctly lazily explicitly further slightly temporarily manually better some small minor
  bitte kannst du peux tu`.split(/\s+/),
);
/** Of the first paragraph. Later sentences rarely say what to do. */
const MAX_SENTENCES = 6;

/** The parts of a task that decide about its action. */
interface ActionEvidence {
  readonly title: string;
  /** Tag or commit type of the title. */
  readonly label: string;
  readonly lead: string;
  readonly hasTraceOrError: boolean;
}

/**
 * The action of the task. The first of these decides: the label, a request to change nothing, the verb of the title, a
 * complaint, the first paragraph. Null when none of them says.
 */
export function taskAction({
  title: written,
  label,
  lead,
  hasTraceOrError,
}: ActionEvidence): TaskAction | null {
  const { title, tag, closes, isHole } = withoutReference(written);
  if (VERSION_MARK.test(title) || REVIEW_MARK.test(title)) return null;
  const labelled = [...label.split(' '), tag]
    .map((word) => ACTION_OF_LABEL.get(word))
    .find((action) => action !== undefined);
  const opening = openingOf(title);
  const isReview = REVIEW.test(title) && (opening === null || opening.isWeak || opening.action === 'review');
  const bare = bareOf(title);
  const asksTests = ASKS_TESTS.test(title) || TESTS_ALONE.test(bare) || EDITS_TESTS.test(bare);
  // "chore: increase the coverage" is about tests, "[Feature] write tests for x" too; "docs: fix the link" is not.
  if (isHole) return 'fix';
  if (labelled === 'refactor' && asksTests && opening?.action !== 'refactor') return 'test';
  if (labelled && labelled !== 'implement') return labelled;
  if (READ_ONLY.test(title) || READ_ONLY.test(lead))
    return isReview || opening?.action === 'review' ? 'review' : 'explain';
  if (REVIEWS.test(title)) return 'review';
  if (opening?.isReading && DOCUMENTS.test(bare) && /\bin (?:the|our|[\w-]+ guide)\b/i.test(bare))
    return 'document';
  if (opening?.isReading) return changeAfterReading(title) ?? 'explain';
  if (WANTS_TO_KNOW.test(title)) return 'explain';
  if (isReview && opening === null) return 'review';
  const action = opening?.action ?? null;
  if (action !== 'explain' && action !== 'review' && editsDocuments(title, bare, opening)) return 'document';
  if (action === 'fix' && ASKS_DOCS.test(title)) return 'document';
  if (action !== 'refactor' && action !== 'explain' && asksTests) return 'test';
  if (action !== 'explain' && ASKS_DOCS.test(title)) return 'document';
  if (action !== 'fix' && action !== 'explain' && UPKEEP.test(bare)) return 'refactor';
  if (isReview) return 'review';
  if (labelled) return action ?? labelled;
  if (/^\W*(?:do not|don['’]t|never)\b/i.test(title)) return 'fix';
  // "Build broken on ARM" begins with a thing.
  if (THING_FAILS.test(title)) return 'fix';
  const isComplaint = hasTraceOrError || complains(title);
  // "Test runner crashes" and "Document upload fails" begin with a noun.
  if (opening?.isWeak && (hasTraceOrError || FAILING.test(title))) return 'fix';
  // "Fixed #12 -- Made x respect y" says what was wrong; "Fixed #12 -- Added x" says what is new.
  if (closes && (opening === null || opening.verb === 'make')) return 'fix';
  if (action === 'implement' && TO_FIX.test(title)) return 'fix';
  if ((action === 'implement' && INSIDE.test(bare)) || (action !== 'fix' && TIDIED.test(bare)))
    return 'refactor';
  if (action && action !== 'explain') return action;
  if (action === 'explain' && !hasTraceOrError) return action;
  if (WISH.test(bare) && !FAILING.test(title)) return 'implement';
  if (isComplaint) return 'fix';
  if (TIDYING.test(title)) return 'refactor';
  const fragment = ACTION_OF_FRAGMENT.find(([text]) => title.includes(text) || lead.includes(text));
  if (fragment) return fragment[1];
  return continuedAction(lead) ?? (complains(lead) ? 'fix' : null);
}

/** A title behind the place that it begins with, its verb in the form of a request. */
function bareOf(title: string): string {
  const start = withoutPlace(title.slice(0, 300)).replace(/^(?:please|also|now) /i, '');
  const first = /^\p{L}+/u.exec(start)?.[0] ?? '';
  return verbOf(first.toLowerCase()) + start.slice(first.length);
}

function editsDocuments(title: string, bare: string, opening: Opening | null): boolean {
  if (DOCUMENTS_ALONE.test(bare) || DOCUMENT_PLACE.test(title)) return true;
  const near = bare.slice(0, 90);
  if (!DOCUMENTS.test(near) && !CHANGES_FILE.test(near)) return false;
  return EDITS.test(bare) || opening === null;
}

function complains(text: string): boolean {
  return SYMPTOM.test(text.replace(FORBIDDEN, ' '));
}

/** The change that follows a request to read: "Find the race and fix it". */
function changeAfterReading(sentence: string): TaskAction | null {
  if (/\band (?:then )?(?:write|add) .{0,40}\btests?\b/i.test(sentence)) return 'test';
  const verb = THEN_CHANGES.exec(sentence)?.[1];
  return verb === undefined ? null : (actionOfVerb(verb.toLowerCase()) ?? null);
}

/** The first sentence of a paragraph that says what to do. */
function continuedAction(lead: string): TaskAction | null {
  for (const sentence of lead.slice(0, 2_000).split(/(?<=[.!?。])\s+|\n+/, MAX_SENTENCES)) {
    const opening = openingOf(sentence);
    if (opening?.isReading) return changeAfterReading(sentence) ?? 'explain';
    if (opening && !opening.isWeak && opening.action !== 'explain') return opening.action;
  }
  return null;
}

/** How a sentence begins. */
interface Opening {
  readonly action: TaskAction;
  /** It asks to read and to report, without a question mark. */
  readonly isReading: boolean;
  /** The verb may also be a noun, so a complaint is stronger. */
  readonly isWeak: boolean;
  /** In the form of a request. */
  readonly verb: string;
}

const PLACE = /^[\w./ `,*-]{1,60}: /;

/** "Move the logic to a command: kill" begins with its verb, "net/http: keep the header" with a place. */
function withoutPlace(written: string): string {
  // "Start simplifying the dialog" asks for the second verb
  const sentence = written.replace(
    /^(?:start|starts|started|begin|continue|try) (?:working on |to )?(?=\p{L}+ing\b|docs|documentation)/iu,
    '',
  );
  const place = PLACE.exec(sentence)?.[0];
  if (place === undefined) return sentence;
  const [first = '', second] = wordRuns(place.toLowerCase());
  const action = actionOfVerb(verbOf(first));
  const opens =
    second !== undefined && /^\p{L}+ /u.test(place) && action !== undefined && action !== 'explain';
  return opens ? sentence : sentence.slice(place.length);
}

/** The verb that a sentence begins with, after "please", "we should" or the name of a place. */
function openingOf(sentence: string): Opening | null {
  const start = withoutPlace(sentence.slice(0, 300));
  const words = wordRuns(start.toLowerCase());
  const first = words.findIndex((word) => !OPTIONAL_START.has(word));
  const said = words[first === -1 ? 0 : first];
  if (said === undefined) return null;
  const from = start.toLowerCase().indexOf(said);
  // `inspect.signature()` is a name, not a request.
  if (/^[.(_:[/-]/.test(start.slice(from + said.length))) return null;
  const reads = { action: 'explain', isReading: true, isWeak: false, verb: said } as const;
  if (TELLING.test(start.slice(from))) return reads;
  if (/^let (?!us\b|['’]?s\b)/i.test(start)) return { ...reads, action: 'implement', isReading: false };
  if (/^(?:ensure|make sure)\b/i.test(start.slice(from)))
    return { action: 'implement', isReading: false, isWeak: true, verb: said };
  if (READING_VERBS.has(said)) return reads;
  const verb = verbOf(said);
  if (NOUN_VERBS.has(verb)) return { action: 'implement', isReading: false, isWeak: verb === said, verb };
  const action = actionOfVerb(verb);
  if (action === undefined || READING_VERBS.has(verb)) return null;
  // "Is", "What" and "Which" ask only in a sentence with a question mark.
  const asks = /[?？]/.test(sentence) || /^(?:how|why|wie|warum|comment|pourquoi|cómo)$/.test(verb);
  if (action === 'explain' && !asks) return null;
  return {
    action,
    isReading: false,
    isWeak: action === 'test' || action === 'review' || action === 'document',
    verb,
  };
}
