import * as v from 'valibot';
import { expect, test } from 'vitest';
import { serialise } from '../../../lib/http/reply.ts';

const reply = {
  kind: 'json',
  status: 200,
  schema: v.object({ id: v.string(), inner: v.object({ n: v.number() }) }),
} as const;

test('only what the schema of the reply names leaves the service', () => {
  const { body } = serialise(reply, { id: 'a', secret: 's', inner: { n: 1, token_hash: 'h' } });
  expect(JSON.parse(body ?? '')).toEqual({ id: 'a', inner: { n: 1 } });
});

test('an answer that does not fit its reply fails by its places, without its values', () => {
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
