import { expect, test } from 'vitest';
import { figureWords } from '../../infra/openapi/figure-words.ts';
import { formWords } from '../../infra/openapi/form-words.ts';
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

test('every operation has a description that says more than its summary', () => {
  const { paths } = theDocument() as { paths: Record<string, Record<string, Json>> };
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  const alike = all.filter(({ summary, description }) => {
    const words = (text: unknown) =>
      String(text ?? '')
        .toLowerCase()
        .split(/[^a-z]+/)
        .filter(({ length }) => length > 3);
    return words(description).filter((word) => !words(summary).includes(word)).length < 2;
  });
  expect(alike.map(({ operationId }) => operationId)).toEqual([]);
});

test('no property is described by the rule of its value alone', () => {
  const ruled = properties.filter(({ description }) => String(description).startsWith('must '));
  expect(ruled.map(({ place }) => place)).toEqual([]);
});

test('the default form of codes and the form of a campaign have the same words', () => {
  const described = (schema: string, ...names: string[]) => {
    const fields = names.reduce<Json>(
      (found, name) => ((found.properties as Json)[name] ?? {}) as Json,
      components.schemas[schema] ?? {},
    ).properties as Record<string, Json>;
    return ['length', 'charset', 'pattern', 'prefix', 'postfix'].map((name) => fields[name]?.description);
  };
  const form = described('CodeConfig');
  expect(form[2]).toContain('`SPRING-####` makes `SPRING-x4Tq`');
  expect(described('CreateProjectRequest', 'default_code_config')).toEqual(form);
  expect(described('Project', 'default_code_config')).toEqual(form);
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
  const kept = [objectWords, figureWords, formWords].flatMap((words) => Object.keys(words));
  expect(kept.filter((name) => !names.has(name.split(':')[0] ?? ''))).toEqual([]);
  expect(new Set(kept).size).toBe(kept.length);
});
