import * as v from 'valibot';

/** Where a value does not fit, without what stands there. */
export function placesOf(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  return issues.map((issue) => v.getDotPath(issue) ?? 'its root').join(', ');
}

/** One line for all violations: path into the value, then the rule. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[], root: string): string[] {
  return issues.flatMap(innermost).map((issue) => `${placeOf(issue, root)} ${ruleOf(issue)}`);
}

/** Of a value that may be of several kinds, what is wrong inside of it, where it is of one of them at all. */
function innermost(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown>[] {
  const { path: outer = [], issues = [] } = issue;
  const inner = issue.type === 'union' ? issues.filter(({ path }) => path) : [];
  if (inner.length === 0) return [issue];
  return inner.flatMap((one) => {
    const [first, ...others] = [...outer, ...(one.path ?? [])];
    return first ? innermost({ ...one, path: [first, ...others] }) : [one];
  });
}

function placeOf(issue: v.BaseIssue<unknown>, root: string): string {
  const steps = (issue.path ?? []).map((step) => ('key' in step ? step.key : undefined));
  const path = steps.reduce<string>(
    (place, step) =>
      typeof step === 'number' ? `${place}[${step}]` : place ? `${place}.${String(step)}` : String(step),
    '',
  );
  return path || root;
}

/** Names what is allowed and the type that came, never the value: a message may be logged. */
function ruleOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema' || issue.type === 'custom') return issue.message;
  if (issue.received === 'undefined') return 'is required';
  const isOfSome = ['picklist', 'literal', 'enum'].includes(issue.type);
  // A variant expects one of its names, in an object.
  if (isOfSome || (issue.type === 'variant' && issue.expected !== 'Object')) {
    const values = (issue.expected ?? '').replaceAll(/["()]/g, '').replaceAll(' | ', ', ');
    return `must be ${issue.expected?.startsWith('(') ? 'one of ' : ''}${values}`;
  }
  // A union names its kinds as (string | Object).
  const kinds = (issue.expected ?? 'another type').replaceAll(/[()]/g, '').split(' | ');
  return `must be ${[...new Set(kinds)].map(withArticle).join(' or ')}`;
}

function withArticle(kind: string): string {
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind === 'Object' || kind === 'Array' ? kind.toLowerCase() : kind}`;
}
