/** Words of every sentence and of every issue, in English and a little German, French and Spanish. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above actually after again all already also although always am an and another any anyone
  anything are aren around as at back be because been before being below best better between both but by
  came can cannot come could couldn currently did didn do does doesn doing don done down during each
  either else enough especially etc even ever every everything example far few following for from further
  get gets getting give given go goes going got had happen happened happening happens has have haven
  having he hello help her here hi him his how however i if im in instead into is isn it its itself ive
  just keep know later least less let like likely ll look looks lot made make makes making many may maybe
  me mean means might more most much must my need needed needs never no none nor not nothing now of off
  often ok okay on once one only onto or other others our out over own perhaps please possible possibly
  probably put quite rather re really regarding right said same say says see seem seems seen several shall
  she should shouldn simply since so some something sometimes soon still such sure take than thank thanks
  that the their them then there therefore these they thing things think this those though through thus to
  together too try trying two under unless until up upon us use used uses using usually ve very via want
  wants was wasn way we well went were weren what whatever when where whether which while who whole whose
  why will with within without won work works would wouldn yes yet you your yours bug bugs issue issues
  problem problems expected actual behavior behaviour description steps reproduce version versions der die
  das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war wird werden
  wurde wenn dann weil dass ob auf aus bei mit nach seit von vor zu zum zur im ins für über unter durch
  gegen ohne um als wie auch noch nur schon sehr mehr man wir ihr sie er es ich mich mir sich dieser diese
  dieses bitte soll sollte kann muss hat haben le la les un une de du et ou mais ne pas est sont était
  dans pour par sur avec sans ce cette ces qui que quoi dont où il elle nous vous ils elles je tu se son
  sa ses leur leurs au aux plus très comme si el los las una unos unas y o pero no es son está están en
  por para con sin sobre este esta estos estas que cuando como se su sus lo al del muy más ya hay`.split(
    /\s+/,
  ),
);

/** Takes the word in lower case. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
