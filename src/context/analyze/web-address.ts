const ADDRESS = /\b(?:https?|ftp|wss?|git|ssh):\/\/[^\s"'<>`|^{}]+/g;

/** A parenthesis belongs to an address only if it was opened in there; punctuation at the end never does. */
function addressEnd(address: string): number {
  const link = address.indexOf('](');
  let end = link === -1 ? address.length : link;
  for (let depth = 0, at = 0; at < end; at++) {
    if (address[at] === '(') depth++;
    else if (address[at] === ')' && --depth < 0) end = at;
  }
  while (end > 0 && '.,;:!?*]\\'.includes(address[end - 1]!)) end--;
  return end;
}

/** Takes the addresses out of a text; what stays has the same length. */
export function takeAddresses(text: string): {
  readonly text: string;
  readonly addresses: readonly string[];
} {
  if (!text.includes('://')) return { text, addresses: [] };
  const addresses: string[] = [];
  const rest = text.replace(ADDRESS, (found) => {
    const end = addressEnd(found);
    addresses.push(found.slice(0, end));
    return ' '.repeat(end) + found.slice(end);
  });
  return { text: rest, addresses };
}
