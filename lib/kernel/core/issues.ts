import * as v from 'valibot';

/** Lists the paths of faults without the values. */
export function listFaultPaths(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  return issues.map((issue) => v.getDotPath(issue) ?? 'its root').join(', ');
}

/** Describes each fault in a line: the path into the value, then the rule. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[], root: string): string[] {
  return issues.flatMap(innermost).map((issue) => `${placeOf(issue, root)} ${ruleOf(issue)}`);
}

/** Returns the faults inside a value of a union, if the value fits one of its members at all. */
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

/** Names what is allowed and the type that was sent. A message may be logged, so it never has the value. */
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
