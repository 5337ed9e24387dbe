import * as v from 'valibot';
import { expect, expectTypeOf, test } from 'vitest';
import { childKind, kind, projectKind } from '#kernel/table/kind.ts';

const text = v.object({ text: v.string() });
const letter = kind('LETTER', text);
const stamp = kind<typeof text, [country: string, year: string]>('STAMP', text);
const office = projectKind('OFFICE', text);
const page = childKind(letter, 'PAGE', text);
const drawer = childKind<typeof text, []>({ kind: 'DRAWERS' }, 'DRAWER', text);

test("a key names its item's kind, and no id in it can be read as two", () => {
  const { pk, ...rest } = letter('p', 'a');
  expect(rest).toEqual({ sk: 'LETTER', kind: 'LETTER', project: 'p', schema: text });
  expect(pk).toBe('p#LETTER#a');
  expect(stamp('p', 'a#b', 'c').pk).not.toBe(stamp('p', 'a', 'b#c').pk);
  expect(office('p').pk).toBe('p#OFFICE');
});

test('children have the partition of their parent, all of them in one range', () => {
  const { partition, from, to } = page.all('p', 'a');
  const { pk, sk } = page('p', 'a', '7');
  expect([partition, pk]).toEqual([letter('p', 'a').pk, letter('p', 'a').pk]);
  expect(from < sk && sk < to).toBe(true);
  expect(drawer('p', '1').pk).toBe(drawer.all('p').partition);
});

test('a key takes as many ids as lead to its item', () => {
  expectTypeOf(letter).parameters.toEqualTypeOf<[projectId: string, id: string]>();
  expectTypeOf(stamp).parameters.toEqualTypeOf<[projectId: string, country: string, year: string]>();
  expectTypeOf(office).parameters.toEqualTypeOf<[projectId: string]>();
  expectTypeOf(page).parameters.toEqualTypeOf<[projectId: string, parentId: string, id: string]>();
  expectTypeOf(page.all).parameters.toEqualTypeOf<[projectId: string, parentId: string]>();
  expectTypeOf(drawer).parameters.toEqualTypeOf<[projectId: string, id: string]>();
});
