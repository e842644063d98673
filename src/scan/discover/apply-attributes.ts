import type { FileClass } from '../../model/file-entry.ts';
import type { FileAttributes } from './git-attributes.ts';

/** The repository's own word on a file goes before our reading of its path. */
export function applyAttributes(guess: FileClass, attributes: FileAttributes | undefined): FileClass {
  if (attributes === undefined) return guess;
  const { unread } = attributes;
  let { role, generated, vendored } = guess;
  let reasons = [...guess.reasons];
  const say = (trait: string, why: string): void => {
    reasons = [
      ...reasons.filter((reason) => !reason.startsWith(`${trait}:`)),
      `${trait}: .gitattributes says ${why}`,
    ];
  };
  if (attributes.generated !== undefined) {
    generated = attributes.generated;
    say('generated', generated ? 'linguist-generated' : 'it is not');
  } else if (unread !== null && !generated) {
    generated = true;
    say('generated', unread);
  }
  if (attributes.vendored !== undefined) {
    vendored = attributes.vendored;
    say('vendored', vendored ? 'linguist-vendored' : 'it is not');
  }
  if (attributes.documentation === true && role !== 'docs') {
    reasons = reasons.filter((reason) => !reason.startsWith(`${role}:`));
    role = 'docs';
    say('docs', 'linguist-documentation');
  }
  return { role, generated, vendored, reasons };
}
