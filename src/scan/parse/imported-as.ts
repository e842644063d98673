/** An entry of `ImportReference.names`: the other side's name, and behind ` as ` the one it goes by here. */
export function importedAs(name: string, local: string): string {
  return name === local ? name : `${name} as ${local}`;
}
