import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { compose } from '../../lib/composition.ts';

test('an environment that is wrong is refused by the name of the variable, and nothing of it is in the error that Lambda logs', () => {
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
