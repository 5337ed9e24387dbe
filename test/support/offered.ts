type Item = Record<string, unknown>;

const partOf = /^(.*#OFFERED)_PART#(\d+)$/;

/** Which part notes what is drawn by lot with its id: they are compared as one, with the copies of their version. */
export function isOfOffered({ pk, sk }: Item): boolean {
  return sk === 'OFFERED' || sk === 'OFFERED_PART' || (sk === 'VERSION' && /^[^#]+#OFFERED(?:#|$)/.test(String(pk)));
}

/** What the parts note, by its name; a part of another version than the whole says of it is told. */
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
