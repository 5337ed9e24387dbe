import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { compose, createDynamodbClient } from '#kernel/http/composition.ts';

test("a wrong environment is refused by the name of the variable, and the error in Lambda's log shows no value", () => {
  const env = { TABLE_NAME: 'tessera', RATE_LIMIT_PER_MINUTE: 'plenty', AWS_SECRET_ACCESS_KEY: 'kept-to-itself' };
  let refusal: unknown;
  try {
    compose(env);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ message: expect.stringContaining('RATE_LIMIT_PER_MINUTE must be') });
  expect(inspect(refusal, { depth: null })).not.toMatch(/kept-to-itself|plenty/);
});

test("a client of the table makes no copies of its data for the SDK's own log", () => {
  const client = createDynamodbClient('http://127.0.0.1:1');
  expect(client.middlewareStack.identify().filter((name) => /logger/i.test(name))).toEqual([]);
  client.destroy();
});
