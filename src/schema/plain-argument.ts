/**
 * A value that may stand on the command line of another program: it can neither pose as an option nor be split or
 * read as anything else. Brackets are part of names such as `sonnet[1m]` of Claude Code.
 */
export const PLAIN_ARGUMENT_PATTERN = '^[A-Za-z0-9._:/@\\[\\]][A-Za-z0-9._:/@\\[\\]-]{0,199}$';
export const PLAIN_ARGUMENT_ALLOWED =
  'up to 200 letters, digits and the characters . _ : / @ [ ] -, not beginning with -';

const PLAIN_ARGUMENT = new RegExp(PLAIN_ARGUMENT_PATTERN);

export const isPlainArgument = (value: string): boolean => PLAIN_ARGUMENT.test(value);
