type Item = Record<string, unknown>;

const partOf = /^(.*#OFFERED)_PART#(\d+)$/;

/**
 * Returns whether the item notes offers. All parts are compared together, because an id that is drawn by lot decides
 * its part.
 */
export function isOfOffered({ pk, sk }: Item): boolean {
  return sk === 'OFFERED' || sk === 'OFFERED_PART' || (sk === 'VERSION' && /^[^#]+#OFFERED(?:#|$)/.test(String(pk)));
}

/** Returns what the parts note, by name. It reports a part whose version differs from the whole's. */
function noted(state: ReadonlyMap<string, Item>): Map<string, string> {
  const all = [...state.values()].filter(isOfOffered);
  const wholes = new Map(all.filter(({ sk }) => sk === 'OFFERED').map((item) => [String(item.pk), item]));
  const found = new Map<string, string>();
  for (const { pk, sk, version, ...entries } of all) {
    const [, whole = '', number] = partOf.exec(String(pk)) ?? [];
    if (sk !== 'OFFERED_PART') continue;
    if (wholes.get(whole)?.[`v${number}`] !== version) found.set(`${pk} has another version`, '');
    for (const [name, value] of Object.entries(entries)) found.set(`${whole} notes ${name}`, JSON.stringify(value));
  }
  return found;
}

export function changesToOffered(from: ReadonlyMap<string, Item>, state: ReadonlyMap<string, Item>): string[] {
  const [before, after] = [noted(from), noted(state)];
  return [
    ...[...after].flatMap(([name, value]) => (before.get(name) === value ? [] : [name])),
    ...[...before.keys()].flatMap((name) => (after.has(name) ? [] : [`gone: ${name}`])),
  ];
}
