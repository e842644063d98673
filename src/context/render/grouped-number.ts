/** `42000` as `42,000`, the same everywhere. */
export function groupedNumber(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
