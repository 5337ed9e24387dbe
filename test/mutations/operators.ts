/** Finds operators of rules in a source: comparisons, sums, roundings and logic. A replaced operator is a wrong rule. */

/** Formatted code has a space on both sides of an operator. Types and arrows have none like these. */
const replacements: Readonly<Record<string, string>> = {
  ' < ': ' <= ',
  ' <= ': ' < ',
  ' > ': ' >= ',
  ' >= ': ' > ',
  ' === ': ' !== ',
  ' !== ': ' === ',
  ' && ': ' || ',
  ' || ': ' && ',
  ' + ': ' - ',
  ' - ': ' + ',
  ' * ': ' + ',
  'Math.min(': 'Math.max(',
  'Math.max(': 'Math.min(',
  'Math.floor(': 'Math.ceil(',
  'Math.ceil(': 'Math.floor(',
  'Math.round(': 'Math.floor(',
};

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const any = new RegExp(
  Object.keys(replacements)
    .toSorted((one, other) => other.length - one.length)
    .map(escaped)
    .join('|'),
  'g',
);

interface FoundOperator {
  readonly text: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly instead: string;
}

/** Finds each operator of the code. Its text has the line and the replacement, and names the operator if the line has several. */
export function* operatorsIn(text: string): Generator<FoundOperator> {
  for (const { index: from, 0: found } of text.matchAll(any)) {
    const instead = replacements[found] ?? found;
    const begin = text.lastIndexOf('\n', from) + 1;
    const line = text.slice(begin, text.indexOf('\n', from));
    const earlier = line.slice(0, from - begin).split(found).length;
    const which = line.split(found).length > 2 ? ` (${earlier})` : '';
    yield {
      text: `${line.trim()} [${found.trim()} to ${instead.trim()}${which}]`,
      line: text.slice(0, from).split('\n').length,
      from,
      to: from + found.length,
      instead,
    };
  }
}
