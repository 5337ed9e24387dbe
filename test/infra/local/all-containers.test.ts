import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { allContainersAtOnce } from '../../../infra/local/all-containers.ts';

/** Answers no call until this many calls have arrived. */
async function engineThatWaitsFor(count: number): Promise<string> {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => {
    waiting.push(response);
    if (waiting.length === count) for (const each of waiting) each.end('{"TableNames":[]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

test('the local server can make two hundred parallel calls to the engine', async () => {
  const client = createDynamodbClient(await engineThatWaitsFor(200), allContainersAtOnce);
  onTestFinished(() => client.destroy());
  const calls = Array.from({ length: 200 }, () => client.send(new ListTablesCommand({})));
  expect(await Promise.all(calls)).toHaveLength(200);
});
