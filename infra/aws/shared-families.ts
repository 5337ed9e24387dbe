/**
 * Maps each family whose operations share a function to the one route that leads there. docs/contributing.md#shared
 * says which families may share.
 */
const sharedPaths: ReadonlyMap<string, string> = new Map([['management', '/management/v1/{proxy+}']]);

/** Lists the families whose operations share a function. */
export const sharedFamilies: readonly string[] = [...sharedPaths.keys()];

/** Returns the path of the one route to a shared function, or nothing if each operation has a function. */
export function sharedPathOf(family: string): string | undefined {
  return sharedPaths.get(family);
}

/** Names the function that serves an operation. */
export function functionNameOf({ family, name }: { family: string; name: string }): string {
  return sharedPaths.has(family) ? family : name;
}
