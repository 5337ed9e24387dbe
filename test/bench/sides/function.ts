import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { LambdaHandler } from '#kernel/http/operation.ts';
import { serveTurns, timedInBoth } from './side.ts';

/** Runs a container of one function: its bundle in the deployed form, with the environment alone. */

const [file = ''] = process.argv.slice(2);
const { handler }: { handler: LambdaHandler } = await import(pathToFileURL(file).href);
const context = { getRemainingTimeInMillis: () => 20_000 } as Context;

serveTurns(async (turn) => {
  let status = 0;
  const times = await timedInBoth(async () => {
    status = (await handler(turn as APIGatewayProxyEventV2, context)).statusCode ?? 0;
  });
  return { ...times, status };
});
