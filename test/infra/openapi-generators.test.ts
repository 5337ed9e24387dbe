import { describe, expect, test } from 'vitest';
import { bodyIn, componentIn, followed, type Json, theDocument, theOperation } from '../support/openapi.ts';

const document = theDocument();
const { schemas } = document.components as { schemas: Record<string, Json> };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the places of all schemas that a condition holds for. */
function placesOf(holds: (schema: Json, place: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (value: unknown, place: string, isSchema: boolean) => {
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(one, `${place}/${index}`, isSchema);
      return;
    }
    if (!isObject(value)) return;
    if (isSchema && holds(value, place)) found.push(place);
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'example' || key === 'examples' || key === 'default' || key === 'mapping') continue;
      const isMap = isSchema && (key === 'properties' || key === 'patternProperties');
      visit(inner, `${place}/${key}`, !isMap);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name, true);
  visit(document.paths, 'paths', true);
  return found;
}

const unionOf = ({ anyOf, oneOf }: Json) => (anyOf ?? oneOf ?? []) as Json[];
const isNullable = (schema: Json) => {
  const [first, second, ...rest] = unionOf(schema);
  return rest.length === 0 && first?.$ref !== undefined && second?.type === 'null';
};

describe('generators of clients find', () => {
  test('no list whose items depend on their place', () => {
    expect(placesOf((schema) => 'prefixItems' in schema || typeof schema.items === 'boolean')).toEqual([]);
    const [position] = followed(document, componentIn(document, 'Location'), [
      ...['shape', 'geojson', 'coordinates', '[]', '[]'],
    ]);
    expect(position).toMatchObject({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 });
  });

  test('no default, because a generated client would send it with each request', () => {
    expect(placesOf((schema) => 'default' in schema)).toEqual([]);
    const { parameters } = theOperation(document, 'list-vouchers') as { parameters: Json[] };
    expect(parameters.find(({ name }) => name === 'limit')?.description).toContain('Default: `10`.');
    const body = bodyIn(theOperation(document, 'create-promotion-tier'))?.schema ?? {};
    expect(followed(document, body, ['active'])[0]?.description).toContain('Default: `true`.');
  });

  test('no property that can only be null', () => {
    const nulls = placesOf(({ type }, place) => type === 'null' && !/\/anyOf\/1$/.test(place));
    expect(nulls).toEqual([]);
  });

  test('a name for each union, and for each object in it', () => {
    const nameless = placesOf(
      (schema, place) => unionOf(schema).length > 0 && place.includes('/') && !isNullable(schema),
    );
    expect(nameless).toEqual([]);
    expect(placesOf((schema) => unionOf(schema).some(({ properties }) => properties !== undefined))).toEqual([]);
  });

  test('a type for each constant, and no constant that is a boolean', () => {
    const untyped = placesOf(({ const: one, type }, place) => {
      return one !== undefined && !place.includes('/responses/') && (type !== 'string' || typeof one !== 'string');
    });
    expect(untyped).toEqual([]);
    expect(placesOf((schema) => Array.isArray(schema.enum) && schema.enum.includes(true))).toEqual([]);
  });

  test('no two properties of an object that differ in their spelling alone', () => {
    const spelt = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
    const places = placesOf(({ properties = {} }) => {
      const names = Object.keys(properties as Json).map(spelt);
      return new Set(names).size < names.length;
    });
    expect(places).toEqual([]);
    const body = bodyIn(theOperation(document, 'create-own-metadata-schema'))?.schema ?? {};
    const [length] = followed(document, body, ['properties', '{}', 'minLength']);
    expect(length?.description).toBe('The least number of characters of a text. `min_length` means the same.');
  });

  test.each([
    [
      'Discount',
      { AMOUNT: 'DiscountAmount', PERCENT: 'DiscountPercent', FIXED: 'DiscountFixed', UNIT: 'DiscountUnit' },
    ],
    [
      'SentDiscount',
      {
        AMOUNT: 'SentDiscountAmount',
        PERCENT: 'SentDiscountPercent',
        FIXED: 'SentDiscountFixed',
        UNIT: 'SentDiscountUnit',
      },
    ],
  ])('the kind of a %s by its type', (name, kinds) => {
    const mapping = Object.entries(kinds).map(([type, component]) => [type, `#/components/schemas/${component}`]);
    expect(componentIn(document, name).discriminator).toEqual({
      propertyName: 'type',
      mapping: Object.fromEntries(mapping),
    });
  });

  test('a name for each object that a query takes', () => {
    const parameters = Object.values(document.paths as Record<string, Record<string, { parameters?: Json[] }>>)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters: some = [] }) => some);
    const objects = parameters.filter(({ style }) => style === 'deepObject');
    expect(objects.length).toBeGreaterThan(20);
    expect(objects.filter(({ schema }) => (schema as Json).$ref === undefined)).toEqual([]);
  });
});
