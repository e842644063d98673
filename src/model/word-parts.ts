/** Scripts written without spaces: searched by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{Lu}+|\p{Lo}+|\p{N}+/gu;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

function asciiClass(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

/** A new part begins where the kind of character changes, but `Parse` is one and so is the `HTTP` of `HTTPHeaders`. */
function asciiParts(word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let before = OTHER;
  for (let at = 0; at <= word.length; at++) {
    const kind = at < word.length ? asciiClass(word.charCodeAt(at)) : OTHER;
    if (kind === before) continue;
    if (before === UPPER && kind === LOWER && at - start > 1) {
      parts.push(word.slice(start, at - 1));
      start = at - 1;
    } else if (!(before === UPPER && kind === LOWER)) {
      if (before !== OTHER) parts.push(word.slice(start, at));
      start = at;
    }
    before = kind;
  }
  return parts;
}

function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 127) return false;
  return true;
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/**
 * The lower-case words a written word answers to: itself without underscores, and its parts. `parseHTTPHeaders2`
 * answers to `parsehttpheaders2`, `parse`, `http`, `headers`, `2`; a run of Han characters to its pairs.
 */
export function wordParts(word: string): string[] {
  const ascii = isAscii(word);
  const found = ascii ? asciiParts(word) : (word.match(PARTS) ?? []);
  const whole = (word.includes('_') ? word.replaceAll('_', '') : word).toLowerCase();
  const parts = whole === '' ? [] : [whole];
  if (ascii && found.length < 2) return parts;
  for (const part of found) {
    const lower = part.toLowerCase();
    for (const one of !ascii && UNSPACED.test(lower) ? pairs(lower) : [lower])
      if (!parts.includes(one)) parts.push(one);
  }
  return parts;
}

/** English words that every text has and that say nothing about where to look in code. */
const STOP_WORDS = setOf(`
  a about above after again all also although always am an and any anyone anything are as at be because
  been before being below between both but by can cannot could did do does doing done down during each
  either else etc even ever every few first following for from further get gets getting give given gives
  go goes going got had has have having he her here hers him his how however i if im in instead into is
  isn it its itself ive just kind know last least less let lets like ll looks made make makes making many
  may maybe me might more most much must my need needs never no none nor not nothing now of off ok on once
  one only onto or other others otherwise our out over own per please possible probably quite rather re
  really same see seem seems several shall she should since so some something soon still such sure take
  than thank thanks that the their them then there therefore these they thing things think this those
  though through thus to together too toward try trying two under until up upon us use used uses using ve
  very via want wants was way we well were what whatever when where whether which while who whole whose
  why will with within without wont would yes yet you your yours`);

/** English words that say little in a task but may well name something in code: `put`, `mean`, `right`. */
const FILLERS = setOf(`
  actual actually already another aren around back behavior behaviour best better bug bugs came come
  couldn currently description didn doesn don enough especially everything example expected far happen
  happened happening happens haven hello help hi issue issues keep later likely look lot mean means needed
  often okay perhaps possibly problem problems put regarding reproduce right said say says seen shouldn
  simply sometimes steps unless usually version versions wasn went weren won work works wouldn`);

/** German, French and Spanish; not among the stop words, because `sin`, `par` and `es` are names in code. */
const FOREIGN = setOf(`
  der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war
  wird werden wurde wenn dann weil dass ob auf aus bei mit nach seit von vor zu zum zur ins für über unter
  durch gegen ohne um als wie auch noch nur schon sehr mehr man wir ihr sie er es ich mich mir sich dieser
  diese dieses bitte soll sollte kann muss hat haben le la les un une de du et ou mais ne pas est sont
  était dans pour par sur avec sans ce cette ces qui que quoi dont où il elle nous vous ils elles je tu se
  son sa ses leur leurs au aux plus très comme si el los las una unos unas y o pero está están en por para
  con sin sobre este esta estos estas cuando como su sus lo al del muy más ya hay`);

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Takes the word in lower case. True for words that need not be looked up at all. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** The same for words of a task that a person would not call its key words. */
export function isFiller(word: string): boolean {
  return STOP_WORDS.has(word) || FILLERS.has(word) || FOREIGN.has(word);
}
