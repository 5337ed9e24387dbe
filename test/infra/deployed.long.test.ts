import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App, type CfnElement } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import * as v from 'valibot';
import { afterAll, expect, inject, test } from 'vitest';
import { TesseraStack } from '../../infra/aws/stack.ts';
import { bucket, startQueueService } from '../../infra/local/queue-service.ts';
import { apiEvent } from '../support/api-event.ts';
import { bundledFunctions, bundledOperations, linesOf, sharedBundles, sharingOperations } from '../support/bundles.ts';
import { checkReply } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { ownTable, testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { emptyBundle } from '../support/stack.ts';
import { wholeTemplate } from '../support/template.ts';

const functionResource = v.object({
  Properties: v.object({
    Handler: v.literal('index.handler'),
    Code: v.object({ S3Key: v.pipe(v.string(), v.regex(/^[\da-f]{64}\.zip$/)) }),
    Environment: v.object({
      Variables: v.record(v.string(), v.union([v.string(), v.strictObject({ Ref: v.string() })])),
    }),
  }),
});

/** Describes one call of a function of the template: its code, its environment, the event. */
interface Invocation {
  module: string;
  environment: Record<string, string>;
  event: unknown;
}

const outcome = v.variant('done', [
  v.object({ done: v.literal(true), reply: v.optional(v.unknown()) }),
  v.object({ done: v.literal(false), error: v.string() }),
]);

const replyShape = v.object({
  statusCode: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/**
 * Reads the environment from the function in the template. The test adds only the table's name, which CloudFormation
 * sets.
 */
function invocationOf(lambda: LambdaFunction, event: unknown, tableName: string): Invocation {
  const id = lambda.stack.getLogicalId(lambda.node.defaultChild as CfnElement);
  const resource = template.findResources('AWS::Lambda::Function')[id];
  const { Code, Environment } = v.parse(functionResource, resource).Properties;
  const [tableId] = Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'));
  const [bucketId] = Object.keys(template.findResources('AWS::S3::Bucket'));
  const environment = Object.entries(Environment.Variables).map(([name, value]) => {
    if (typeof value === 'string') return [name, value];
    if (value.Ref === tableId) return [name, tableName];
    if (value.Ref === bucketId) return [name, bucket];
    expect(name).toMatch(/_QUEUE_URL$/);
    return [name, `http://127.0.0.1:1/${value.Ref}`];
  });
  return {
    module: pathToFileURL(join(assembly, `asset.${Code.S3Key.replace('.zip', '')}`, 'index.mjs')).href,
    environment: {
      ...Object.fromEntries(environment),
      DYNAMODB_ENDPOINT: inject('endpoint'),
      FILES_ENDPOINT: service.endpoint,
    },
    event,
  };
}

/** Runs functions one after the other in a Node.js process with an empty environment, each with its own. */
const runner = `
  import { readFileSync } from 'node:fs';
  const outcomes = [];
  for (const { module, environment, event } of JSON.parse(readFileSync(process.argv[1], 'utf8'))) {
    process.env = environment;
    const { handler } = await import(module);
    const context = { getRemainingTimeInMillis: () => 60_000 };
    outcomes.push(await handler(event, context).then(
      (reply) => ({ done: true, reply }),
      (error) => ({ done: false, error: String(error?.stack ?? error) }),
    ));
  }
  console.log(JSON.stringify(outcomes));`;

async function run(invocations: readonly Invocation[]): Promise<v.InferOutput<typeof outcome>[]> {
  const file = join(workDir, 'invocations.json');
  await writeFile(file, JSON.stringify(invocations));
  const lines = await linesOf(runner, {}, [file]);
  return v.parse(v.array(outcome), JSON.parse(lines.at(-1) ?? ''));
}

/** Adds the gateway's IAM data to the event, because IAM guards the management paths by default. */
const letIn = { iam: { userArn: 'arn:aws:iam::123456789012:user/operator' } };

// The functions sign with the credentials of every local service.
const service = await startQueueService(undefined, undefined, 'local');
const workDir = await mkdtemp(join(tmpdir(), 'tessera-deployed-'));
// The order is reversed, because a worker with the tests of bundles may start at the other end.
const bundles = await sharedBundles(bundledFunctions.toReversed());
const stack = new TesseraStack(new App({ outdir: join(workDir, 'cdk.out') }), {
  stage: 'prod',
  bundleDirOf: (name) => bundles[name]?.dir ?? emptyBundle,
});
const template = wholeTemplate(stack);
const assembly = join(workDir, 'cdk.out');

// The bundles use the machine's clock, and so must the prepared data.
const dependencies = testDependencies({ clock: () => new Date() });
const requestTo = await requestsTo(await loadDemo(dependencies), dependencies);
const called = [...bundledOperations, ...sharingOperations];
const calls = called.map((one, index) => {
  const { name: operation, route } = one;
  // Browsers at one address may call five times in five seconds, and a fast machine exceeds that.
  const event = apiEvent(route, { ...requestTo(one), sourceIp: `198.51.100.${index % 250}` });
  const requestContext = {
    ...event.requestContext,
    ...(route.authentication === 'management' ? { authorizer: letIn } : {}),
  };
  const lambda = stack.endpoints.get(operation);
  if (lambda === undefined) throw new Error(`${operation} is not in the stack`);
  const invocation = invocationOf(lambda, { ...event, requestContext }, dependencies.tableName);
  return { operation, invocation, requestId: event.requestContext.requestId };
});
const results = await run(calls.map(({ invocation }) => invocation));
const outcomes = new Map(
  calls.flatMap(({ operation, requestId }, index) => {
    const result = results[index];
    return result ? [[operation, { requestId, outcome: result }] as const] : [];
  }),
);

afterAll(async () => {
  await service.stop();
  await rm(workDir, { recursive: true, force: true });
});

test.each(called)(
  "$name answers as its route says, with the template's code and environment",
  ({ name: operation, route }) => {
    const { requestId, outcome } = outcomes.get(operation) ?? {};
    if (!outcome?.done) throw new Error(outcome?.error ?? `${operation} was not called`);
    const { statusCode: status, headers, body, isBase64Encoded } = v.parse(replyShape, outcome.reply);
    const json = body === '' || isBase64Encoded ? body : JSON.parse(body);
    // The stack has no engine of reports yet.
    const expected = operation === 'make-report' ? 403 : route.reply.status;
    expect({ status, body: json }).toMatchObject({ status: expected });
    checkReply(route, requestId ?? '', { status, headers, body: json });
  },
);

test('the workers accept the events of the stream, the queues and the schedule', async () => {
  const tableName = await ownTable();
  const Keys = { pk: { S: 'proj#VOUCHER#v_1' }, sk: { S: 'VOUCHER' } };
  const record = { eventName: 'REMOVE', dynamodb: { Keys, OldImage: Keys, SequenceNumber: '1' } };
  const message = { messageId: '1', body: JSON.stringify({ pk: 'proj#JOB#camp_1', sk: 'JOB' }) };
  const replies = await run([
    invocationOf(stack.streamWorker.function, { Records: [record] }, tableName),
    invocationOf(stack.totalsWorker.function, { Records: [record], shardId: 'shard' }, tableName),
    invocationOf(stack.jobQueues.workers.generation, { Records: [message] }, tableName),
    invocationOf(stack.dueWorker.function, {}, tableName),
  ]);
  expect(replies).toEqual([
    { done: true },
    { done: true, reply: { state: {} } },
    { done: true, reply: { batchItemFailures: [] } },
    { done: true },
  ]);
});
