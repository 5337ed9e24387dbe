import { expect, test } from 'vitest';
import { figureWords } from '../../infra/openapi/figure-words.ts';
import { objectWords } from '../../infra/openapi/property-words.ts';
import { type Json, theDocument } from '../support/openapi.ts';

const { components } = theDocument() as { components: { schemas: Record<string, Json> } };

interface Property {
  place: string;
  name: string;
  description: unknown;
}

/** Yields each property of a schema at any depth, but not inside referenced components. */
function* propertiesIn(schema: unknown, place: string): Generator<Property> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema as Record<string, unknown>;
  for (const [name, property] of Object.entries(properties as Record<string, Json>)) {
    const within = `${place}.${name}`;
    const referred = components.schemas[String(property.$ref).replace('#/components/schemas/', '')];
    yield { place: within, name, description: property.description ?? referred?.description };
    yield* propertiesIn(property, within);
  }
  for (const inner of [items, additionalProperties, ...(anyOf as unknown[]), ...(oneOf as unknown[])]) {
    yield* propertiesIn(inner, place);
  }
}

const properties = Object.entries(components.schemas).flatMap(([name, schema]) => [...propertiesIn(schema, name)]);

test('every property has a description', () => {
  expect(properties.length).toBeGreaterThan(3_000);
  const silent = properties.filter(({ description }) => typeof description !== 'string' || description.length < 5);
  expect(silent.map(({ place }) => place)).toEqual([]);
});

test('every parameter has a description', () => {
  const { paths } = theDocument() as { paths: Record<string, Record<string, { parameters?: Json[] }>> };
  const parameters = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => operation.parameters ?? []),
  );
  const silent = parameters.filter(({ description, $ref }) => description === undefined && $ref === undefined);
  expect([...new Set(silent.map(({ name }) => name))]).toEqual([]);
});

test('every entry of the words belongs to a property', () => {
  const names = new Set(properties.map(({ name }) => name));
  const kept = [...Object.keys(objectWords), ...Object.keys(figureWords)].map((name) => name.split(':')[0] ?? '');
  expect(kept.filter((name) => !names.has(name))).toEqual([]);
  const both = Object.keys(objectWords).filter((name) => name in figureWords);
  expect(both).toEqual([]);
});
