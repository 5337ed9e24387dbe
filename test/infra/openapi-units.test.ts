import { expect, test } from 'vitest';
import { isJson } from '../../infra/openapi/schemas.ts';
import { theDocument } from '../support/openapi.ts';

/** Every property of the document under the name, whatever stands above it. */
function propertiesNamed(name: string): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(theDocument(), (key, value) => {
    if (key === 'properties' && isJson(value) && name in value) found.push(value[name]);
    return value;
  });
  return found;
}

test.each([
  ['exchange_ratio', /^Major currency units .* With 1 and 1, 18 points pay 18\.00/],
  ['points_ratio', /^Points in one block/],
])('%s says its unit wherever it is sent or shown', (name, words) => {
  const found = propertiesNamed(name);
  expect(found.length).toBeGreaterThan(3);
  for (const property of found) expect(property).toMatchObject({ description: expect.stringMatching(words) });
});
