/** A fence that nothing inside can close: longer than any run of backticks in the text. */
export function fenced(text: string, label: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${label}\n${text}\n${fence}`;
}
