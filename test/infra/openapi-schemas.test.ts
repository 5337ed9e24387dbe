import * as v from 'valibot';
import { expect, test } from 'vitest';
import { convertSchemas } from '../../infra/openapi/schemas.ts';

test('the body of one operation inside the body of another stands in its place', () => {
  const row = v.object({ name: v.string() });
  const { requests } = convertSchemas({ requests: { one: row, many: v.object({ rows: v.array(row) }) }, replies: {} });
  expect(requests.many).toMatchObject({ properties: { rows: { type: 'array', items: requests.one } } });
  expect(JSON.stringify(requests)).not.toContain('$ref');
});
