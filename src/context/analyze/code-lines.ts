import { anyOf } from './any-of.ts';

const PROMPT = anyOf(
  /^(?:>>>|\.\.\.|(?:In|Out) ?\[\d{1,4}\]:|\$ \S|# \$)/,
  /^(?:irb\(|iex[(>]|julia>|scala>|ghci>|mysql>|postgres=#)/,
);
const STATEMENT = anyOf(
  /^import (?:[\w.*{}$, ]{1,120}(?: (?:as|from) .{1,120})?|['"].{1,120}['"]);?$/,
  /^from [\w.]{1,120} import .{1,200}$/,
  /^(?:export )?(?:async )?(?:def|function\*?|func|fn|fun|sub) \w.{0,300}$/,
  /^(?:[a-z]{1,10} ){0,4}(?:class|interface|struct|enum|trait) [\w<>:.]{1,100}[({:<].{0,200}$/,
  /^(?:class|interface|struct|enum|trait|impl|module|namespace) [\w<>:.]{1,100}(?: \{)?$/,
  /^(?:[a-z]{1,10} ){0,4}(?:class|interface|impl) .{1,100} (?:extends|implements|for) .{1,200}\{$/,
  /^class \w{1,80} ?< ?\w.{0,100}$/,
  /^(?:const|let|var|val) [\w{[][^.!?]{0,100}=.{0,300}$/,
  /^#(?:include [<"].{1,120}|(?:define|if|ifdef|ifndef|endif|pragma)\b.{0,200})$/,
  /^(?:using|package|use) [\w.:\\{}, ]{1,160};$/,
  /^require(?:_relative)? ?['"(].{1,120}$/,
  /^@\w[\w.]{0,80}(?:\(.{0,200}\))?$/,
  /^(?:try|else|finally):$/,
  /^for .{1,80} in .{1,200}:$/,
  /^(?:if|elif|while|with|except) (?=.{0,200}[=<>()[\]_.]).{0,200}:$/,
  /^return\b.{0,200}[;)\]]$/,
  /^(?:print|assert|raise|throw|echo|puts)[ (].{1,300}[)\]"';]$/,
  /^<\/?[A-Za-z][\w.-]{0,60}(?: [^<>]{0,300})?\/?>.{0,300}$/,
);
const ASSIGNMENT =
  /^[$@]?[A-Za-z_][\w.$[\]'"-]{0,80}(?:, ?\w{1,40}){0,4}\s?(?::\s?[\w<>[\], |]{1,60})?(?:[-+:]?=|<-)\s?[^=\s]/;
const CALL =
  /^(?:(?:await|yield|return|new|go|defer) )?[$@]?[A-Za-z_][\w.$]{0,120}(?:::\w{1,60}){0,4}\(.{0,400}$/;
const PUNCTUATION = /^[{}()[\];,<>/]+$/;
const ENDING = /(?:;|\{|\}|\):|=>|\},|\),|\],)$/;

/** How many blanks a line begins with, a tab counting four. */
export function indentation(line: string): number {
  let width = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ' ') width++;
    else if (line[at] === '\t') width += 4;
    else break;
  }
  return width;
}

/** Whether a line (without indentation) that stands in no fence is code all the same. */
export function looksLikeCode(text: string): boolean {
  if (text.length > 500 || text === '') return false;
  if (PROMPT.test(text) || PUNCTUATION.test(text) || STATEMENT.test(text)) return true;
  if (/^(?:[-*+>#]|\d{1,3}[.)]) /.test(text)) return false;
  if (/[.!?]$/.test(text) && !/[)\]}]\.$/.test(text)) return false;
  return (
    ASSIGNMENT.test(text) ||
    (CALL.test(text) && /[)\]}{;:(]$/.test(text)) ||
    (ENDING.test(text) && /[=({<:]/.test(text))
  );
}
