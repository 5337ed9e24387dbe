import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Counts where the console overrules the compiler, because a renamed field of the API would pass there. */

/** The greatest number of casts. It only falls. */
const mostCasts = 3;

const folder = join(import.meta.dirname, '../console');

const comments = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g;
const imports = /^(?:import|export) [^;]*? from '[^']*';$/gm;
const texts = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
/** A template's text is not code, but the values in it are. */
const templates = /`(?:\\.|[^`\\])*`/g;
const values = /\$\{[^}]*\}/g;

function codeOf(source: string): string {
  return source
    .replaceAll(comments, '')
    .replaceAll(imports, '')
    .replaceAll(templates, (template) => (template.match(values) ?? []).join(' '))
    .replaceAll(texts, "''");
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

const cast = /\bas (?!const\b)[\w({[].*/g;

function find(pattern: RegExp): string[] {
  return files.flatMap((file) =>
    (codeOf(readFileSync(join(folder, file), 'utf8')).match(pattern) ?? []).map((found) => `${file}: ${found}`),
  );
}

test('the console never casts to never or any, and switches no check off', () => {
  expect(find(/\bas (?:unknown|never|any)\b|[<:] ?any\b|@ts-(?:ignore|expect-error|nocheck)/g)).toEqual([]);
});

test(`the console has at most ${mostCasts} casts`, () => {
  const casts = find(cast);
  expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(mostCasts);
});

test('the count sees casts in code and in templates, and no words', () => {
  const template = ['`', '{as text}', '$', '{(one as Row).id}`'].join('');
  const code = ['body as { id: string }', 'x as readonly string[]', 'y as (typeof z)[number]', template];
  expect(code.map((line) => codeOf(line).match(cast)?.length)).toEqual([1, 1, 1, 1]);
  const others = [
    "import { a as b } from './c.ts';",
    "say('as text')",
    '// as text',
    '/** as text */',
    "['x'] as const",
  ];
  expect(others.map((line) => codeOf(line).match(cast))).toEqual(others.map(() => null));
  expect(files.length).toBeGreaterThan(100);
});
