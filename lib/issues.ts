import * as v from 'valibot';

/** Where a value does not fit, without what stands there. */
export function placesOf(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  return issues.map((issue) => v.getDotPath(issue) ?? 'its root').join(', ');
}

/** One line for all violations: path into the value, then the rule. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[], root: string): string[] {
  return issues.map((issue) => `${placeOf(issue, root)} ${ruleOf(issue)}`);
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
  const expected: Record<string, string> = { Object: 'an object', Array: 'an array' };
  const wanted = issue.expected ?? 'another type';
  const article = /^[aeiou]/i.test(wanted) ? 'an' : 'a';
  return `must be ${expected[wanted] ?? `${article} ${wanted}`}`;
}
