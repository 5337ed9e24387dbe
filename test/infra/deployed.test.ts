import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { App, type CfnElement } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { bundleDocs, bundleDueWorker, bundleFunctions, bundleStreamWorker } from '../../infra/bundle.ts';
import { TesseraStack } from '../../infra/stack.ts';
import { type Operation, routes } from '../../lib/routes/index.ts';
import type { Route } from '../../lib/routes/route.ts';
import { apiEvent } from '../support/api-event.ts';
import { checkReply } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { ownTable, testDependencies } from '../support/dependencies.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { wholeTemplate } from '../support/template.ts';

const operations = Object.entries(routes) as [Operation, Route][];

const functionResource = v.object({
  Properties: v.object({
    Handler: v.literal('index.handler'),
    Code: v.object({ S3Key: v.pipe(v.string(), v.regex(/^[\da-f]{64}\.zip$/)) }),
    Environment: v.object({
      Variables: v.record(v.string(), v.union([v.string(), v.strictObject({ Ref: v.string() })])),
    }),
  }),
});

/** One call of a function of the template: its code, the environment that it is given, the event. */
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

let workDir: string;
let stack: TesseraStack;
let template: Template;
let assembly: string;
let outcomes: Map<string, { requestId: string; outcome: v.InferOutput<typeof outcome> }>;

/** Of the function in the template: nothing of what this test knows of it but the table's name, which CloudFormation gives. */
function invocationOf(lambda: LambdaFunction, event: unknown, tableName: string): Invocation {
  const id = lambda.stack.getLogicalId(lambda.node.defaultChild as CfnElement);
  const resource = template.findResources('AWS::Lambda::Function')[id];
  const { Code, Environment } = v.parse(functionResource, resource).Properties;
  const [tableId] = Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'));
  const environment = Object.entries(Environment.Variables).map(([name, value]) => {
    if (typeof value === 'string') return [name, value];
    expect(value.Ref).toBe(tableId);
    return [name, tableName];
  });
  return {
    module: pathToFileURL(join(assembly, `asset.${Code.S3Key.replace('.zip', '')}`, 'index.mjs')).href,
    environment: { ...Object.fromEntries(environment), DYNAMODB_ENDPOINT: inject('endpoint') },
    event,
  };
}

/** In a Node.js process with nothing in its environment; one function after the other, each with its own. */
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
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', runner, file], {
    env: {},
    maxBuffer: 64 * 1024 * 1024,
  });
  return v.parse(v.array(outcome), JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
}

/** The guard of the management paths is the gateway's by default: this is how it tells whom it has let in. */
const letIn = { iam: { userArn: 'arn:aws:iam::123456789012:user/operator' } };

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'tessera-deployed-'));
  const bundles = await bundleFunctions(join(workDir, 'bundles'));
  stack = new TesseraStack(new App({ outdir: join(workDir, 'cdk.out') }), {
    stage: 'prod',
    bundleDirs: Object.fromEntries(Object.entries(bundles).map(([operation, { dir }]) => [operation, dir])),
    streamWorkerBundleDir: (await bundleStreamWorker(join(workDir, 'bundles'))).dir,
    dueWorkerBundleDir: (await bundleDueWorker(join(workDir, 'bundles'))).dir,
    docsBundleDir: (await bundleDocs(join(workDir, 'bundles'))).dir,
  });
  template = wholeTemplate(stack);
  assembly = join(workDir, 'cdk.out');

  // The bundles tell the time by the machine's clock, and so must what is prepared for them.
  const dependencies = testDependencies({ clock: () => new Date() });
  const requestTo = await requestsTo(await loadDemo(dependencies), dependencies);
  const calls = operations.map(([operation, route]) => {
    const event = apiEvent(route, requestTo(operation, route));
    const requestContext = {
      ...event.requestContext,
      ...(route.authentication === 'management' ? { authorizer: letIn } : {}),
    };
    const lambda = stack.endpoints.get(operation)?.function;
    if (lambda === undefined) throw new Error(`${operation} is not in the stack`);
    const invocation = invocationOf(lambda, { ...event, requestContext }, dependencies.tableName);
    return { operation, invocation, requestId: event.requestContext.requestId };
  });
  const results = await run(calls.map(({ invocation }) => invocation));
  outcomes = new Map(
    calls.flatMap(({ operation, requestId }, index) => {
      const result = results[index];
      return result ? [[operation, { requestId, outcome: result }] as const] : [];
    }),
  );
});

afterAll(() => rm(workDir, { recursive: true, force: true }));

test.each(operations)(
  '%s answers as its route says: the code of the template, with its environment',
  (operation, route) => {
    const { requestId, outcome } = outcomes.get(operation) ?? {};
    if (!outcome?.done) throw new Error(outcome?.error ?? `${operation} was not called`);
    const { statusCode: status, headers, body, isBase64Encoded } = v.parse(replyShape, outcome.reply);
    const json = body === '' || isBase64Encoded ? body : JSON.parse(body);
    expect({ status, body: json }).toMatchObject({ status: operation === 'unknown-path' ? 404 : route.reply.status });
    checkReply(route, requestId ?? '', { status, headers, body: json });
  },
);

test('the workers take what the stream and the schedule send them', async () => {
  const tableName = await ownTable();
  const Keys = { pk: { S: 'proj#VOUCHER#v_1' }, sk: { S: 'VOUCHER' } };
  const record = { eventName: 'REMOVE', dynamodb: { Keys, OldImage: Keys, SequenceNumber: '1' } };
  const replies = await run([
    invocationOf(stack.streamWorker.function, { Records: [record] }, tableName),
    invocationOf(stack.dueWorker.function, {}, tableName),
  ]);
  expect(replies).toEqual([{ done: true, reply: { batchItemFailures: [] } }, { done: true }]);
});
