// Words that say nothing about where to look. They are not in word-parts.ts, because the parser processes need only
// that file: these lists are not part of the index format.

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

/** Words between any white space. */
function setOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Takes the word in lower case. True for words that need not be looked up at all. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** True also for words of a task that a person would not call its key words. */
export function isFiller(word: string): boolean {
  return STOP_WORDS.has(word) || FILLERS.has(word) || FOREIGN.has(word);
}
