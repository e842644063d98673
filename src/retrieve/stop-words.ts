/** Words that stand in every task and say nothing about where to look. */
const ENGLISH =
  'a about above after again all also although always am an and any anyone anything are as at be because been before being below between both but by can cannot could did do does doing done down during each either else etc even ever every few first following for from further get gets getting give given gives go goes going got had has have having he her here hers him his how however i if im in instead into is isn it its itself ive just kind know last least less let lets like ll looks made make makes making many may maybe me might more most much must my need needs never no none nor not nothing now of off ok on once one only onto or other others otherwise our out over own per please possible probably quite rather re really same see seem seems several shall she should since so some something soon still such sure take than thank thanks that the their them then there therefore these they thing things think this those though through thus to together too toward try trying two under until up upon us use used uses using ve very via want wants was way we well were what whatever when where whether which while who whole whose why will with within without wont would yes yet you your yours';

const STOP_WORDS: ReadonlySet<string> = new Set(ENGLISH.split(' '));

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
