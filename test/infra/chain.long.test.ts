import * as v from 'valibot';
import { expect, test } from 'vitest';
import { deployed } from '../support/stack.ts';
import { resourcesIn, templatesOf } from '../support/template.ts';

const { stack } = deployed('standard');
const templates = templatesOf(stack);

const waiting = v.object({ DependsOn: v.optional(v.array(v.string()), []) });

/** Returns what each resource of a type waits for, among resources of the same type. */
function waitsOf(name: string, type: string): Map<string, readonly string[]> {
  const template = templates.get(name);
  if (!template) throw new Error(`${name} is missing`);
  const found = Object.entries(resourcesIn(template, type));
  const ids = new Set(found.map(([id]) => id));
  return new Map(found.map(([id, one]) => [id, v.parse(waiting, one).DependsOn.filter((other) => ids.has(other))]));
}

/** Groups resources by the number of others that must be ready first. */
function linksOf(waits: ReadonlyMap<string, readonly string[]>): string[][] {
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    const depth = depths.get(id) ?? Math.max(0, ...(waits.get(id) ?? []).map((other) => depthOf(other) + 1));
    depths.set(id, depth);
    return depth;
  };
  const byDepth = Map.groupBy(waits.keys(), depthOf);
  return [...byDepth].toSorted(([one], [other]) => one - other).map(([, ids]) => ids);
}

const families = () =>
  new Map([...waitsOf('tessera', 'AWS::CloudFormation::Stack')].filter(([id]) => id.includes('functionsNestedStack')));

const nameOf = (id: string) =>
  [...templates.keys()].find((name) => id.startsWith(`${name.replaceAll('-', '')}NestedStack`)) ?? '';

const countIn = (ids: readonly string[], type: string) =>
  ids.reduce((sum, id) => sum + waitsOf(nameOf(id), type).size, 0);

test('the stacks of families are created in four to six links, and each link waits for the whole link before it', () => {
  const waits = families();
  const links = linksOf(waits);
  expect(waits.size).toBeGreaterThan(30);
  expect(links.length).toBeGreaterThanOrEqual(4);
  expect(links.length).toBeLessThanOrEqual(6);
  for (const [index, link] of links.entries()) {
    for (const id of link) expect([id, waits.get(id)?.toSorted()]).toEqual([id, (links[index - 1] ?? []).toSorted()]);
  }
});

test('no link has more than a third of the functions, or more than a dozen stacks', () => {
  const links = linksOf(families());
  const counts = links.map((link) => countIn(link, 'AWS::Lambda::Function'));
  const all = counts.reduce((sum, one) => sum + one, 0);
  for (const count of counts) expect(count).toBeLessThanOrEqual(all / 3);
  for (const link of links) expect(link.length).toBeLessThanOrEqual(12);
});

test('a family creates its log groups one after the other, so that a dozen are created simultaneously', () => {
  for (const id of families().keys()) {
    const links = linksOf(waitsOf(nameOf(id), 'AWS::Logs::LogGroup'));
    expect([id, Math.max(...links.map(({ length }) => length))]).toEqual([id, 1]);
  }
});
