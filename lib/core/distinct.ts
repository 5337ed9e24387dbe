/** Returns whether no two items are equal. The document shows a check by it as `uniqueItems`. */
export function areDistinct(items: string[]): boolean {
  return new Set(items).size === items.length;
}
