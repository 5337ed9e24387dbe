import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ServiceError } from '#kernel/core/errors.ts';
import { operation } from '#kernel/http/operation.ts';
import { serialise, writeErrorReply } from '#kernel/http/reply.ts';
import { caller } from '../../../support/call.ts';

const reply = {
  kind: 'json',
  status: 200,
  schema: v.object({ id: v.string(), inner: v.object({ n: v.number() }) }),
} as const;

test("only the fields in the reply's schema leave the service", () => {
  const { body } = serialise(reply, { id: 'a', secret: 's', inner: { n: 1, token_hash: 'h' } });
  expect(JSON.parse(body ?? '')).toEqual({ id: 'a', inner: { n: 1 } });
});

test('an answer that does not fit its schema fails with its places, without its values', () => {
  const failure = (() => {
    try {
      return serialise(reply, { id: 5, inner: { n: 'SECRET-CODE' } });
    } catch (error) {
      return String(error);
    }
  })();
  expect(failure).toContain('id, inner.n');
  expect(failure).not.toContain('SECRET');
});

test('an error is well-formed Unicode, whatever a caller has sent', () => {
  const error = new ServiceError('not_found', { details: 'no \ud800', resource: { id: 'a\udc00', type: 'voucher' } });
  const { body } = writeErrorReply(error, 'r');
  expect(JSON.parse(body ?? '')).toMatchObject({ details: 'no \ufffd', resource_id: 'a\ufffd' });
});

test("a page that exceeds a reply's size is refused, so that its caller can request a shorter one", async () => {
  const pages = operation(
    {
      route: 'GET /v1/pages',
      caller: 'none',
      table: 'none',
      summary: 'List pages',
      answers: 'A page.',
      query: v.object({ limit: v.pipe(v.string(), v.transform(Number)) }),
      reply: v.object({ data: v.array(v.string()) }),
    },
    async ({ query }) => ({ data: ['"'.repeat(query.limit * 100_000)] }),
  );
  // A quote has two characters in the body, and four in the reply.
  const call = caller(pages);
  expect((await call({ query: 'limit=14' })).status).toBe(200);
  const { status, body } = await call({ query: 'limit=16' });
  expect([status, body.key, body.details]).toEqual([400, 'invalid_query_params', expect.stringContaining('limit')]);
});
