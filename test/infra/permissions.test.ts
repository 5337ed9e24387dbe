import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type CfnElement } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handler as sendEvent } from '../../functions/send-event.ts';
import { requestExamples } from '../../infra/openapi/examples.ts';
import { TesseraStack } from '../../infra/stack.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { settleDue } from '../../lib/loyalty/due.ts';
import { processRecords } from '../../lib/outbox/worker.ts';
import { type Operation, routes } from '../../lib/routes/index.ts';
import { type Route, takesIdempotencyKey } from '../../lib/routes/route.ts';
import type { Request } from '../support/api-event.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { ownTable, standingClock, testDependencies } from '../support/dependencies.ts';
import { mailsTo, uniqueEmail } from '../support/invitations.ts';
import { requestsTo } from '../support/one-of-each.ts';
import { itemsOf, recordOf } from '../support/outbox.ts';
import { type Permission, watched } from '../support/permissions.ts';
import { loadFile, type TestProject } from '../support/project.ts';
import { tablePermissionsIn, wholeTemplate } from '../support/template.ts';

const operations = Object.entries(routes) as [Operation, Route][];

/** What the one request of the documentation does not do. */
const alsoAsked: Readonly<Partial<Record<Operation, Request>>> = {
  'create-campaign': { body: { name: 'In a category', category_id: 'cat_counter' } },
  'list-customer-activities': {
    params: { customerId: 'crm-101' },
    query: 'campaign_type=LOYALTY_PROGRAM&campaign_id=camp_crew',
  },
  'update-promotion-tier': { params: { promotionTierId: 'promo_two_bags' }, body: { hierarchy: 3 } },
};

let workDir: string;
let stack: TesseraStack;
let template: Template;
let project: TestProject;
let requestTo: (operation: Operation, route: Route) => Request;

beforeAll(async () => {
  workDir = mkdtempSync(join(tmpdir(), 'tessera-permissions-'));
  writeFileSync(join(workDir, 'index.mjs'), 'export const handler = () => {};\n');
  const bundleDirs = Object.fromEntries(operations.map(([operation]) => [operation, workDir]));
  const workers = { streamWorkerBundleDir: workDir, dueWorkerBundleDir: workDir, docsBundleDir: workDir };
  stack = new TesseraStack(new App(), { stage: 'dev', bundleDirs, managementGuard: 'keys', ...workers });
  template = wholeTemplate(stack);
  project = await loadDemo();
  requestTo = await requestsTo(project, testDependencies());
  // A card that nothing has happened to has no transactions to be read.
  const { body } = requestTo('send-event', routes['send-event']);
  expect((await caller(sendEvent)({ headers: project.credentials, body })).status).toBe(200);
});

afterAll(() => rmSync(workDir, { recursive: true, force: true }));

function grantedTo(lambda: LambdaFunction | undefined): Permission[] {
  if (lambda === undefined) throw new Error('the function is not in the stack');
  return tablePermissionsIn(template, lambda.stack.getLogicalId(lambda.node.defaultChild as CfnElement));
}

/** Remembers what was needed; `breaksAfter` lets the table fail from the call after that one on, but for deletions. */
function recorder(breaksAfter?: Permission) {
  const { dynamodb, ...others } = testDependencies();
  const needed = new Set<Permission>();
  let broken = false;
  const client = watched(dynamodb, (permission) => {
    if (broken && permission !== 'dynamodb:DeleteItem') throw new Error('out of order');
    if (permission === breaksAfter) broken = true;
    needed.add(permission);
  });
  return { needed, dependencies: { ...others, dynamodb: client } };
}

async function neededBy(operation: Operation, route: Route): Promise<Permission[]> {
  const { handler }: { handler: Endpoint } = await import(`../../functions/${operation}.ts`);
  const request = requestTo(operation, route);
  const { needed, dependencies } = recorder();
  const managementGuard = route.authentication === 'management' ? 'keys' : dependencies.managementGuard;
  const managed = managementGuard === 'keys' ? { headers: managementHeaders } : {};
  const call = caller(handler, { ...dependencies, managementGuard });
  const { status } = await call({ ...request, ...managed });
  expect(status).toBe(operation === 'unknown-path' ? 404 : route.reply.status);
  const other = alsoAsked[operation];
  if (other) expect((await call({ headers: project.credentials, ...other })).status).toBe(200);
  if (takesIdempotencyKey(route)) {
    const failing = recorder('dynamodb:UpdateItem');
    const reply = await caller(
      handler,
      failing.dependencies,
    )({
      ...request,
      headers: { ...request.headers, 'idempotency-key': `broken-${operation}` },
    });
    expect(reply.status).toBe(500);
    for (const permission of failing.needed) needed.add(permission);
  }
  return [...needed].sort();
}

let managementHeaders: Record<string, string>;

describe('the role of each function lets it do what it does, and nothing else', () => {
  beforeAll(async () => {
    const key = { management_id: `operator-${project.id}`, management_token: 'token-of-an-operator' };
    await loadFile({ project: { id: project.id, name: 'Test' }, management_keys: [key] });
    managementHeaders = { 'x-management-id': key.management_id, 'x-management-token': key.management_token };
  });

  test.each(operations)('%s', async (operation, route) => {
    const needed = await neededBy(operation, route);
    expect(grantedTo(stack.endpoints.get(operation)?.function)).toEqual(needed);
  });

  test('the stream worker', async () => {
    const { needed, dependencies } = recorder();
    const { handler: create } = await import('../../functions/create-campaign.ts');
    const { handler: invite } = await import('../../functions/invite-user.ts');
    const few = { name: 'Behind it', vouchers_count: 30, voucher: { code_config: { pattern: 'BEHIND-####' } } };
    expect((await caller(create)({ headers: project.credentials, body: few })).status).toBe(200);
    const email = uniqueEmail();
    const invitation = { ...requestExamples['invite-user']?.body, email, projects: { [project.id]: 'role_barista' } };
    expect((await caller(invite)({ body: invitation })).status).toBe(204);

    const deliver = async (items: readonly Record<string, unknown>[], eventName: 'INSERT' | 'MODIFY' = 'INSERT') => {
      expect(items.length).toBeGreaterThan(0);
      const records = items.map((item) => recordOf(item, eventName));
      const result = await processRecords(records, { ...dependencies, sendMail: async () => {} });
      expect(result.batchItemFailures).toEqual([]);
    };
    await deliver(await itemsOf(project.id, 'GENERATION_JOB'));
    const chunks = await itemsOf(project.id, 'GENERATION_CHUNK');
    // What was inserted, but not yet counted when the worker was cut off, is looked at again.
    const cutOff = recorder('dynamodb:PartiQLInsert');
    await processRecords(
      chunks.map((item) => recordOf(item)),
      cutOff.dependencies,
    );
    await deliver(chunks);
    await deliver(await mailsTo(email));
    expect(grantedTo(stack.streamWorker.function)).toEqual([...needed].sort());
  });

  test('the due worker', async () => {
    const tableName = await ownTable();
    const demo = await loadDemo(testDependencies({ tableName }));
    expect(demo.id).toBeDefined();
    const { needed, dependencies } = recorder();
    await settleDue(
      { ...dependencies, tableName, clock: standingClock(new Date('2032-01-01T00:00:00.000Z')) },
      () => false,
    );
    expect(grantedTo(stack.dueWorker.function)).toEqual([...needed].sort());
  });
});
