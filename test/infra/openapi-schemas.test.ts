import * as v from 'valibot';
import { expect, test } from 'vitest';
import { convertSchemas } from '../../infra/openapi/schemas.ts';

test("an operation's body inside another operation's body is written in its place", () => {
  const row = v.object({ name: v.string() });
  const { requests } = convertSchemas({ requests: { one: row, many: v.object({ rows: v.array(row) }) }, replies: {} });
  expect(requests.many).toMatchObject({ properties: { rows: { type: 'array', items: requests.one } } });
  expect(JSON.stringify(requests)).not.toContain('$ref');
});
