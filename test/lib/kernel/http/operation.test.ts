import * as v from 'valibot';
import { expect, test } from 'vitest';
import { array } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';
import { empty, json } from '#kernel/http/route.ts';
import { caller } from '../../../support/call.ts';

const open = { caller: 'none', table: 'none', summary: 'Do it', answers: 'What was done.' } as const;

test('a deletion answers 204 without a body', async () => {
  const deleted: string[] = [];
  const remove = operation({ ...open, route: 'DELETE /v1/things/{id}', reply: empty }, async ({ params }) => {
    deleted.push(params.id);
  });
  const { status, body } = await caller(remove)({ params: { id: 'thing_1' } });
  expect([status, body, deleted]).toEqual([204, '', ['thing_1']]);
});

test('later work is answered with 202 and its body, checked like any other', async () => {
  const reply = json(v.object({ async_action_id: v.string() }), { status: 202 });
  const start = (answer: { async_action_id: string }) =>
    caller(operation({ ...open, route: 'POST /v1/things/bulk', reply }, async () => answer))({});
  const { status, body, headers } = await start({ async_action_id: 'aa_1' });
  expect([status, body]).toEqual([202, { async_action_id: 'aa_1' }]);
  expect(headers['Content-Type']).toContain('application/json');
});

test('bodies and replies may be arrays', async () => {
  const entry = v.object({ n: v.number() });
  const double = operation(
    { ...open, route: 'POST /v1/doubles', body: array(entry, 2), reply: v.array(entry) },
    async ({ body }) => body.map(({ n }) => ({ n: 2 * n })),
  );
  expect((await caller(double)({ body: [{ n: 1 }, { n: 2 }] })).body).toEqual([{ n: 2 }, { n: 4 }]);
  expect((await caller(double)({ body: { n: 1 } })).body.key).toBe('invalid_payload');
});
