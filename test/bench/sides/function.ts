import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { LambdaHandler } from '../../../lib/http/operation.ts';
import { serveTurns } from './side.ts';

/** A container of one function: its bundle as it is deployed, with the environment alone. */

const [file = ''] = process.argv.slice(2);
const { handler }: { handler: LambdaHandler } = await import(pathToFileURL(file).href);
const context = { getRemainingTimeInMillis: () => 20_000 } as Context;

serveTurns(async (turn) => {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const { statusCode = 0 } = await handler(turn as APIGatewayProxyEventV2, context);
  const { user, system } = process.cpuUsage(before);
  const cpuMilliseconds = (user + system) / 1_000;
  return { milliseconds: performance.now() - startedAt, cpuMilliseconds, status: statusCode };
});
