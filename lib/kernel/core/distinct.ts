/** Returns whether all items differ. The OpenAPI document shows this check as `uniqueItems`. */
export function areDistinct(items: string[]): boolean {
  return new Set(items).size === items.length;
}
