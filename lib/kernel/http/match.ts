const parameter = /^\{(\w+)(\+?)\}$/;

/** Returns the path's parameters if the pattern fits. `{name}` is one segment that is not empty, `{name+}` one or more. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  const params: Record<string, string> = {};
  for (const [index, step] of wanted.entries()) {
    const segment = given[index];
    if (segment === undefined) return undefined;
    const [, name, greedy] = parameter.exec(step) ?? [];
    if (name === undefined) {
      if (step !== segment) return undefined;
    } else if (greedy) {
      const rest = given.slice(index).join('/');
      return rest === '' ? undefined : { ...params, [name]: rest };
    } else {
      if (segment === '') return undefined;
      params[name] = segment;
    }
  }
  return given.length === wanted.length ? params : undefined;
}

/** Orders patterns like the gateway: a fixed segment wins at the first difference, and greedy patterns come last. */
export function compareSpecificity(a: { path: string }, b: { path: string }): number {
  const [rankOfA, rankOfB] = [rank(a.path), rank(b.path)];
  if (rankOfA === rankOfB) return 0;
  return rankOfA < rankOfB ? -1 : 1;
}

/** Returns one digit for each segment. */
function rank(pattern: string): string {
  return pattern
    .split('/')
    .map((step) => (step.endsWith('+}') ? '2' : parameter.test(step) ? '1' : '0'))
    .join('');
}

interface Line {
  readonly method: string;
  readonly path: string;
}

/** Returns a search for the line that a request fits, with the parameters of its path. The most specific line wins. */
export function createRouter<L extends Line>(lines: readonly L[]) {
  const ordered = lines.toSorted(compareSpecificity);
  return (method: string, path: string): { line: L; params: Record<string, string> } | undefined => {
    for (const line of ordered) {
      const params = line.method === method ? matchPath(line.path, path) : undefined;
      if (params) return { line, params };
    }
    return undefined;
  };
}
