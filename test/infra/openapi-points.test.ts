import { describe, expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { bodyIn, type Json, resolved, theDocument, theOperation } from '../support/openapi.ts';

/** Lists the names by which bodies send points, credits and the bounds of tiers. */
const names = new Set(['points', 'from', 'to', 'points_ratio', 'credits']);

const document = theDocument();

/** Returns the schemas of numbers under these names, by their place in a body. */
function numbersIn(part: Json, place: string): [place: string, schema: Json][] {
  const here = resolved(document, part);
  const parts = (name: string) => (here[name] ?? []) as Json[];
  const properties = Object.entries((here.properties ?? {}) as Record<string, Json>);
  return [
    ...properties.filter(([name]) => names.has(name)).map(([name, one]): [string, Json] => [`${place}.${name}`, one]),
    ...properties.flatMap(([name, one]) => numbersIn(one, `${place}.${name}`)),
    ...[...parts('anyOf'), ...parts('oneOf')].flatMap((one) => numbersIn(one, place)),
    ...(here.items ? numbersIn(here.items as Json, `${place}[]`) : []),
    ...(typeof here.additionalProperties === 'object'
      ? numbersIn(here.additionalProperties as Json, `${place}{}`)
      : []),
  ].filter(([, schema]) => typesOf(schema).some((type) => type === 'integer'));
}

function typesOf(schema: Json): unknown[] {
  const here = resolved(document, schema);
  return [here.type, ...((here.anyOf ?? []) as Json[]).map(({ type }) => type)].flat();
}

describe('points in the body of', () => {
  const bodies = operations.flatMap(({ name }) => {
    const body = bodyIn(theOperation(document, name));
    const found = body?.type === 'application/json' ? numbersIn(body.schema, '') : [];
    return found.length > 0 ? [[name, found] as const] : [];
  });

  test('some twenty operations are found', () => {
    expect(bodies.length).toBeGreaterThan(15);
  });

  test.each(bodies)('%s may be texts of whole numbers', (_, found) => {
    for (const [place, schema] of found)
      expect([place, typesOf(schema)]).toEqual([place, expect.arrayContaining(['string'])]);
  });
});
