import { expect, test } from 'vitest';
import { dynamodbClient } from '../../lib/composition.ts';

test("a client of the table makes no copies of what it sends and gets for the SDK's own log", () => {
  const client = dynamodbClient('http://127.0.0.1:1');
  expect(client.middlewareStack.identify().filter((name) => /logger/i.test(name))).toEqual([]);
  client.destroy();
});
