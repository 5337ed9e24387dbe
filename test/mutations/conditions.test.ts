import { describe, expect, test } from 'vitest';
import { accepted } from './accepted.ts';
import { conditionsIn, marked, without } from './conditions.ts';
import { guards } from './guards.ts';
import { acceptedFor, conditionsOf } from './mutations.ts';
import { readSources } from './tree.ts';

const source = `
/** Text such as .whenThere() is none. */
export const by = (update: Update, name = '.whenThere()') =>
  update
    .whenThere()
    .whenStill('it', item[")"] ?? undefined) // Not .whenThere().
    .whenBelow(
      'number',
      most - \`a\${last(')')})\`.length,
    );
const isStillSo = seen === undefined || (isSame(';') && true);
if (!isStillSo || !(await isOfOneMoment(context, { at: ')' }))) return undefined;
class Own { atMost() { return this.whenBelow('number', 1); } }
export async function isOfOneMoment(context: Context) {}
`;

const replaced = ".whenStill('field_of_no_item', undefined)";

describe('the conditions of a source', () => {
  test('are the ones in its chains, and the guards that it computes or calls, in order', () => {
    expect(conditionsIn(source).map(({ line, text }) => [line, text])).toEqual([
      [5, '.whenThere()'],
      [6, `.whenStill('it', item[")"] ?? undefined)`],
      [7, expect.stringMatching(/^\.whenBelow\( .number., most - .*length, \)$/)],
      [11, "const isStillSo = seen === undefined || (isSame(';') && true)"],
      [12, "isOfOneMoment(context, { at: ')' })"],
    ]);
  });

  test.each([
    [0, `update\n    ${replaced}\n    .whenStill('it'`],
    [2, `// Not .whenThere().\n    ${replaced}\n\n\n;\nconst isStillSo`],
    [3, `const isStillSo = true;\nif (`],
    [4, '!(await true)) return undefined;'],
  ])('are removed one at a time, and every line keeps its place', (index, text) => {
    const found = conditionsIn(source)[index];
    const left = found && without(source, found);
    expect(left).toContain(text);
    expect(left?.split('\n')).toHaveLength(source.split('\n').length);
  });

  test('have their effect while they are marked', () => {
    const all = conditionsIn(source).map((one, index) => ({ ...one, id: index + 1 }));
    const text = marked(source, all, '../reached.ts');
    expect(text).toMatch(/^import \{ reached \} from '\.\.\/reached\.ts'; \n/);
    expect(text).toContain("update\n    [reached(1, 'whenThere')]()\n    [reached(2, 'whenStill')]('it',");
    expect(text).toContain('!(await reached(5, isOfOneMoment(context,');
    expect(text.split('\n')).toHaveLength(source.split('\n').length);
  });
});

test('the conditions of an amendment are found and removed', () => {
  const amending = "amend(key, { still: { status: 'it }' },\n  set: { ifThere: 1 }, ifThere: true });";
  const found = conditionsIn(amending);
  expect(found.map(({ line, text }) => [line, text])).toEqual([
    [1, "still: { status: 'it }' }"],
    [2, 'ifThere: true'],
  ]);
  expect(found.map((one) => without(amending, one))).toEqual([
    'amend(key, { still: {},\n  set: { ifThere: 1 }, ifThere: true });',
    "amend(key, { still: { status: 'it }' },\n  set: { ifThere: 1 }, ifThere: false });",
  ]);
});

const rule = `
/** Gives at most a > b. */
const given = Math.min(left, part + rest - 1 < most && left > 0 ? part : rest);
const words = 'a > b';
const map: Map<string, number> = new Map(list.map((one) => [one, 1]));
`;

describe('the operators of a source', () => {
  const all = conditionsIn(rule, { operators: true });

  test('are found in its code, and not in types, comments and texts', () => {
    expect(all.map(({ line, text }) => [line, text.slice(text.indexOf('['))])).toEqual(
      ['Math.min( to Math.max(', '+ to -', '- to +', '< to <=', '&& to ||', '> to >='].map((one) => [3, `[${one}]`]),
    );
    expect(conditionsIn(rule)).toEqual([]);
  });

  test('are replaced one at a time', () => {
    const texts = all.map((one) => without(rule, one).split('\n')[2]);
    expect(texts[0]).toBe('const given = Math.max(left, part + rest - 1 < most && left > 0 ? part : rest);');
    expect(texts[3]).toBe('const given = Math.min(left, part + rest - 1 <= most && left > 0 ? part : rest);');
    expect(new Set(texts).size).toBe(6);
  });

  test('are told apart if a line has one twice', () => {
    const texts = conditionsIn('const a = b + c + d;\n', { operators: true }).map(({ text }) => text);
    expect(texts).toEqual(['const a = b + c + d; [+ to - (1)]', 'const a = b + c + d; [+ to - (2)]']);
  });
});

test('every guard and every accepted condition exists in the project', async () => {
  const conditions = conditionsOf(await readSources(), [], { operators: true });
  const lost = Object.keys(guards).filter((name) => !conditions.some(({ text }) => text.includes(name)));
  expect(lost).toEqual([]);
  const reasons = new Set(conditions.map(acceptedFor));
  expect(accepted.filter(({ reason }) => !reasons.has(reason))).toEqual([]);
});
