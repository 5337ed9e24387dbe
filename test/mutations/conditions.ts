import { guards } from './guards.ts';

/** Finds the conditions of writes in a source, and takes one away. Reads the text alone: no parser is installed. */

export interface Found {
  /** Gives the condition as it stands, on one line. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** Marks where the text to be replaced begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Stands in its place when it is taken away. */
  readonly instead: string;
  /** Wraps it, so that a run tells whether it was reached. */
  readonly marked: (id: number) => string;
}

/** Holds of every item: no kind has this field. So a check or a removal keeps a condition, which DynamoDB asks for. */
const holdsAlways = `.whenStill('field_of_no_item', undefined)`;

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function endOfQuoted(text: string, at: number): number {
  const quote = text[at];
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === '\\') next++;
    else if (text[next] === quote) return next + 1;
    // A quote by itself, as in a regular expression, opens nothing.
    else if (text[next] === '\n' && quote !== '`') return at + 1;
    else if (quote === '`' && text.startsWith('${', next)) next = endOfBracket(text, next + 1) - 1;
  }
  return text.length;
}

function endOfComment(text: string, at: number): number {
  const [end, length] = text.startsWith('//', at) ? [text.indexOf('\n', at), 1] : [text.indexOf('*/', at), 2];
  return end < 0 ? text.length : end + length;
}

/** Steps over a string, a comment, a bracket with all that is in it, or a letter. Returns the place behind it. */
function stepOver(text: string, at: number): number {
  const letter = text[at] ?? '';
  if (`'"\``.includes(letter)) return endOfQuoted(text, at);
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return endOfComment(text, at);
  return letter in closing ? endOfBracket(text, at) : at + 1;
}

/** Returns the place behind the bracket that closes the one here. */
export function endOfBracket(text: string, at: number): number {
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

/** Tells of a place whether code stands there, and no string or comment. */
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

/** Finds guards by name: their calls, and the constants that are worked out. */
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

/** Finds all conditions, in the order in which they stand. */
export function conditionsIn(text: string): Found[] {
  const isOfCode = isCode(text);
  const all = [...ofWrites(text), ...ofGuards(text)].filter(({ from }) => isOfCode(from));
  return all.sort((one, other) => one.from - other.from);
}

/** Takes one condition out of the source. Every line stays where it is. */
export function without(text: string, { from, to, instead }: Found): string {
  const lines = text.slice(from, to).split('\n').length - 1;
  return `${text.slice(0, from)}${instead}${'\n'.repeat(lines)}${text.slice(to)}`;
}

/** Marks all conditions of the source, but for those that stand inside another. `from` is the place of `reached`. */
export function marked(text: string, conditions: readonly (Found & { readonly id: number })[], from: string): string {
  const outer = conditions.filter((one) => !conditions.some((other) => other.from < one.from && one.to < other.to));
  const byPlace = outer.toSorted((one, other) => other.from - one.from);
  const body = byPlace.reduce(
    (done, { from, to, id, marked: wrapped }) => done.slice(0, from) + wrapped(id) + done.slice(to),
    text,
  );
  return `import { reached } from '${from}'; ${body}`;
}
