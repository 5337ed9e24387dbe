import { ServiceError } from '#kernel/core/errors.ts';

/** A text, a list of texts, or named values: `created_at[before]=…` is `{ created_at: { before: '…' } }`. */
export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue };

type Node = Map<string, string | Node>;

/** Exceeds any use. Filters have five steps to a value. */
export const maxQueryDepth = 8;
export const maxQueryNameLength = 1_000;
export const maxQueryValues = 2_500;

/** Splits `a[b][c]`, or `[a][b][c]` as some clients write it. Any other use of brackets is a plain name. */
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

/** Stores a value under its steps. The last value wins if a name has both a text and inner names. */
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

/** Turns texts under numbers into a list, in the order of the numbers. Gaps are closed. */
function contentOf(node: Node): QueryValue {
  const entries = [...node];
  const texts = entries.flatMap(([name, value]) =>
    typeof value === 'string' && /^\d{1,9}$/.test(name) ? [[Number(name), value] as const] : [],
  );
  if (texts.length === entries.length) return texts.toSorted(([a], [b]) => a - b).map(([, value]) => value);
  return namedOf(node);
}

/** Defines own fields for all names, `__proto__` included. */
function namedOf(node: Node): Record<string, QueryValue> {
  return Object.fromEntries(
    [...node].map(([name, value]) => [name, typeof value === 'string' ? value : contentOf(value)]),
  );
}

function refused(details: string): ServiceError {
  return new ServiceError('invalid_query_params', { details });
}

/** Filter operators without a value. Any value that is sent with them is accepted. */
export const takesNoValue = /^\$(?:has_value|is_unknown|next_month|active|enabled|disabled|expired)$/;

/** Returns whether a value counts as absent. Every empty value does, except for filter operators without a value. */
function isAbsent(steps: readonly string[], value: string): boolean {
  return value === '' && !(steps.includes('filters') && steps.some((step) => takesNoValue.test(step)));
}

/** Parses a query string. The last value of a repeated name counts, and each value of the names in `lists`. */
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

/** Returns the names of parameters that have a value, each once. */
export function listParamNames(text: string): string[] {
  return [...new Set([...new URLSearchParams(text)].flatMap(([name, value]) => (value === '' ? [] : name)))];
}
