import { guards } from './guards.ts';
import { operatorsIn } from './operators.ts';

/**
 * Finds the conditions of writes in a source, and removes a chosen condition. Reads the text alone, because no parser
 * is installed.
 */

export interface Found {
  /** The condition on one line. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** The beginning and the end of the text to replace. */
  readonly from: number;
  readonly to: number;
  /** The text that replaces the removed condition. */
  readonly instead: string;
  /** Wraps the condition, so that a run reports whether it was reached. Operators have no mark: each test of the file may reach them. */
  readonly marked?: (id: number) => string;
}

/** Every item meets this condition, because no kind has the field. DynamoDB requires some condition for a check or a removal. */
const holdsAlways = `.whenStill('field_of_no_item', undefined)`;

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function endOfQuoted(text: string, at: number): number {
  const quote = text[at];
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === '\\') next++;
    else if (text[next] === quote) return next + 1;
    // A lone quote, as in a regular expression, opens nothing.
    else if (text[next] === '\n' && quote !== '`') return at + 1;
    else if (quote === '`' && text.startsWith('${', next)) next = endOfBracket(text, next + 1) - 1;
  }
  return text.length;
}

function endOfComment(text: string, at: number): number {
  const [end, length] = text.startsWith('//', at) ? [text.indexOf('\n', at), 1] : [text.indexOf('*/', at), 2];
  return end < 0 ? text.length : end + length;
}

/** Steps over a string, a comment, a bracket with its content, or a letter. Returns the place after it. */
function stepOver(text: string, at: number): number {
  const letter = text[at] ?? '';
  if (`'"\``.includes(letter)) return endOfQuoted(text, at);
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return endOfComment(text, at);
  return letter in closing ? endOfBracket(text, at) : at + 1;
}

/** Returns the place after the bracket that closes this bracket. */
function endOfBracket(text: string, at: number): number {
  const end = closing[text[at] ?? ''];
  let next = at + 1;
  while (next < text.length && text[next] !== end) next = stepOver(text, next);
  return next + 1;
}

function endOfStatement(text: string, at: number): number {
  let next = at;
  while (next < text.length && text[next] !== ';') next = stepOver(text, next);
  return next;
}

/** Returns whether a place has code, instead of a string or a comment. */
function isCode(text: string): (at: number) => boolean {
  const silent = new Uint8Array(text.length);
  for (let at = 0; at < text.length; ) {
    const isSilent = `'"`.includes(text[at] ?? '') || text.startsWith('//', at) || text.startsWith('/*', at);
    const end = isSilent ? stepOver(text, at) : at + 1;
    if (isSilent) silent.fill(1, at, end);
    at = end;
  }
  return (at) => silent[at] !== 1;
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function place(text: string, from: number, to: number) {
  return { text: oneLine(text.slice(from, to)), line: text.slice(0, from).split('\n').length, from, to };
}

/** Finds `.whenStill(…)` and its kind in chains of an update. */
function* ofWrites(text: string): Generator<Found> {
  for (const { index, 0: match, 1: method = '' } of text.matchAll(/(?<!\bthis)\.(when[A-Z]\w*)\(/g)) {
    const to = endOfBracket(text, index + match.length - 1);
    const rest = text.slice(index + match.length - 1, to);
    yield { ...place(text, index, to), instead: holdsAlways, marked: (id) => `[reached(${id}, '${method}')]${rest}` };
  }
}

/** Finds the conditions of amendments, which are data (`Amendment` in `lib/kernel/table/effects.ts`). They have no mark. */
function* ofAmendments(text: string): Generator<Found> {
  for (const { index, 0: match } of text.matchAll(/\bifThere: true\b/g)) {
    yield { ...place(text, index, index + match.length), instead: 'ifThere: false' };
  }
  for (const { index, 0: match } of text.matchAll(/\bstill: \{/g)) {
    yield { ...place(text, index, endOfBracket(text, index + match.length - 1)), instead: 'still: {}' };
  }
}

/** Finds guards by name: their calls, and the constants that are computed. */
function* ofGuards(text: string): Generator<Found> {
  for (const [name, { passes }] of Object.entries(guards)) {
    for (const { index, 0: match } of text.matchAll(new RegExp(`(?<!\\bfunction )(?<![.\\w])${name}\\(`, 'g'))) {
      const to = endOfBracket(text, index + match.length - 1);
      const found = text.slice(index, to);
      yield { ...place(text, index, to), instead: `${passes}`, marked: (id) => `reached(${id}, ${found})` };
    }
    for (const { index, 0: match } of text.matchAll(new RegExp(`\\bconst ${name} = `, 'g'))) {
      const from = index + match.length;
      const to = endOfStatement(text, from);
      const found = text.slice(from, to);
      const worked = { ...place(text, index, to), from, instead: `${passes}` };
      yield { ...worked, marked: (id) => `reached(${id}, ${found})` };
    }
  }
}

/** Finds all conditions in the order of the source, and its operators if they are asked for. */
export function conditionsIn(text: string, { operators = false } = {}): Found[] {
  const isOfCode = isCode(text);
  const found = [...ofWrites(text), ...ofAmendments(text), ...ofGuards(text), ...(operators ? operatorsIn(text) : [])];
  const all = found.filter(({ from }) => isOfCode(from));
  return all.sort((one, other) => one.from - other.from);
}

/** Removes one condition from the source. Every line keeps its place. */
export function without(text: string, { from, to, instead }: Found): string {
  const lines = text.slice(from, to).split('\n').length - 1;
  return `${text.slice(0, from)}${instead}${'\n'.repeat(lines)}${text.slice(to)}`;
}

/** Marks all conditions of the source, except nested conditions. `from` is the path of `reached`. */
export function marked(text: string, conditions: readonly (Found & { readonly id: number })[], from: string): string {
  const outer = conditions.filter((one) => !conditions.some((other) => other.from < one.from && one.to < other.to));
  const byPlace = outer.toSorted((one, other) => other.from - one.from);
  const body = byPlace.reduce(
    (done, { from, to, id, marked: wrapped }) => (wrapped ? done.slice(0, from) + wrapped(id) + done.slice(to) : done),
    text,
  );
  return `import { reached } from '${from}'; ${body}`;
}
