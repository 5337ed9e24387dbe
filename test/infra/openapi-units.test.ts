import { expect, test } from 'vitest';
import { isJson } from '../../infra/openapi/schemas.ts';
import { theDocument } from '../support/openapi.ts';

/** Returns every property with the name in the document, at any place. */
function propertiesNamed(name: string): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(theDocument(), (key, value) => {
    if (key === 'properties' && isJson(value) && name in value) found.push(value[name]);
    return value;
  });
  return found;
}

test.each([
  ['exchange_ratio', /major currency units .* With 1 and 1, 18 points pay 18\.00/],
  ['points_ratio', /points in one block/],
])('%s names its unit in every request and reply', (name, words) => {
  const found = propertiesNamed(name);
  expect(found.length).toBeGreaterThan(3);
  for (const property of found) expect(property).toMatchObject({ description: expect.stringMatching(words) });
});
