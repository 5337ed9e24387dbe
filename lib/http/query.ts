import { ServiceError } from '../core/errors.ts';

/** A text, a list of them, or by name what is inside: `created_at[before]=…` is `{ created_at: { before: '…' } }`. */
export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue };

type Node = Map<string, string | Node>;

/** Far above any use: filters have five steps to a value. */
export const maxQueryDepth = 8;
export const maxQueryNameLength = 1_000;
export const maxQueryValues = 2_500;

/** `a[b][c]`, or as some write it `[a][b][c]`. What is bracketed in any other way is a name as it stands. */
function stepsOf(name: string): string[] {
  const [, first = '', brackets = ''] = /^([^[\]]*)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  const inner = brackets === '' ? [] : brackets.slice(1, -1).split('][');
  const steps = first === '' ? inner : [first, ...inner];
  return steps.length === 0 ? [name] : steps;
}

function nextIndex(node: Node): string {
  let index = node.size;
  while (node.has(String(index))) index += 1;
  return String(index);
}

/** Where a name has both a text and inner names, the last one counts. */
function put(root: Node, steps: readonly string[], value: string): void {
  let node = root;
  for (const step of steps.slice(0, -1)) {
    const known = node.get(step);
    const inner: Node = known instanceof Map ? known : new Map();
    node.set(step, inner);
    node = inner;
  }
  const last = steps.at(-1) ?? '';
  node.set(last === '' && node !== root ? nextIndex(node) : last, value);
}

/** Texts under nothing but numbers are a list, in the order of the numbers; gaps are closed. */
function contentOf(node: Node): QueryValue {
  const entries = [...node];
  const texts = entries.flatMap(([name, value]) =>
    typeof value === 'string' && /^\d{1,9}$/.test(name) ? [[Number(name), value] as const] : [],
  );
  if (texts.length === entries.length) return texts.toSorted(([a], [b]) => a - b).map(([, value]) => value);
  return namedOf(node);
}

/** Names become fields of their own, `__proto__` too. */
function namedOf(node: Node): Record<string, QueryValue> {
  return Object.fromEntries(
    [...node].map(([name, value]) => [name, typeof value === 'string' ? value : contentOf(value)]),
  );
}

function refused(details: string): ServiceError {
  return new ServiceError('invalid_query_params', { details });
}

/** Operators of filters that take no value: whatever is sent with them counts. */
export const takesNoValue = /^\$(?:has_value|is_unknown|next_month|active|enabled|disabled|expired)$/;

/** An empty value counts as absent, of every parameter. */
function isAbsent(steps: readonly string[], value: string): boolean {
  return value === '' && !(steps.includes('filters') && steps.some((step) => takesNoValue.test(step)));
}

/** A query string by names. Of a repeated name the last value counts, of `lists` each one. */
export function parseQuery(text: string, lists: ReadonlySet<string> = new Set()): Record<string, QueryValue> {
  const root: Node = new Map();
  let values = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    values += 1;
    if (values > maxQueryValues) throw refused(`the query must have at most ${maxQueryValues} values`);
    const steps = lists.has(name) ? [name, ''] : stepsOf(name);
    if (steps.length > maxQueryDepth) throw refused(`a name must have at most ${maxQueryDepth} steps, a[b] has two`);
    if (steps.length > 1 && name.length > maxQueryNameLength)
      throw refused(`a name with brackets must have at most ${maxQueryNameLength} characters`);
    if (!isAbsent(steps, value)) put(root, steps, value);
  }
  return namedOf(root);
}

/** Returns the names of the parameters that have a value, each once. */
export function paramNames(text: string): string[] {
  return [...new Set([...new URLSearchParams(text)].flatMap(([name, value]) => (value === '' ? [] : name)))];
}
