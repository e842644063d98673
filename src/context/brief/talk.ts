// Tells talk about the conversation ("thanks", "commit this", "what did you change?") from talk about the code.
import { isStopWord } from '../../model/stop-words.ts';

/** What the wording of a prompt says, without any repository. */
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

/** Words of conversation, of the work with git and the terminal, and of other languages for the same. */
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
