import { Match, type Template } from 'aws-cdk-lib/assertions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { projectDeletions } from '#addons/admin/management/projects.ts';
import { exportedObjects } from '#addons/files/exported-objects.ts';
import { countedKeys, countRecords } from '#addons/upkeep/count-records.ts';
import { retentionKey } from '#addons/upkeep/retention/job.ts';
import type { FileRight } from '#kernel/core/files/access.ts';
import { newJob } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { createWorks, settleDue } from '#registry.ts';
import { handler as create } from '../../functions/campaigns/create-campaign.ts';
import { handler as update } from '../../functions/campaigns/update-campaign.ts';
import { handler as erase } from '../../functions/customers/delete-customer-permanently.ts';
import { handler as updateCustomer } from '../../functions/customers/update-customer.ts';
import { handler as deleteProject } from '../../functions/management/delete-project.ts';
import { handler as invite } from '../../functions/management/invite-user.ts';
import { handler as createSegment } from '../../functions/segments/create-segment.ts';
import { handler as deleteSegment } from '../../functions/segments/delete-segment.ts';
import type { KeptQueue } from '../../infra/aws/kept-parts.ts';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { grants, type TableGrant } from '../../infra/aws/table-grants.ts';
import { findOperation, operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { changesOf, segmentMessages } from '../support/changes.ts';
import { changeRecord } from '../support/counted.ts';
import { loadDemo } from '../support/demo.ts';
import { coldDependencies, ownTable, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { startExport } from '../support/exports.ts';
import { fileActionsOf } from '../support/iam.ts';
import { mailsTo, uniqueEmail } from '../support/invitations.ts';
import { exampleIn, requestsTo } from '../support/one-of-each.ts';
import { deliver, itemsOf, messagesFor, openJobs, recordOf } from '../support/outbox.ts';
import { fileActionFor, isLeadingKey, type Permission, watched, watchedFiles } from '../support/permissions.ts';
import { loadProject } from '../support/project.ts';
import { sampled } from '../support/sampled.ts';
import { deployed, idOf } from '../support/stack.ts';
import { tablePermissionsIn } from '../support/template.ts';

const project = await loadDemo();
const requestTo = await requestsTo(project, testDependencies());

/** Records the needed rights. `breaksAfter` lets the table fail after that call, except for deletions. */
function recorder({ breaksAfter, grant }: { breaksAfter?: Permission; grant?: Pick<TableGrant, 'makes'> } = {}) {
  const { dynamodb, ...others } = coldDependencies();
  const needed = new Set<Permission>();
  let broken = false;
  const usedFiles = new Set<FileRight>();
  const needs = (permission: Permission) => {
    if (broken && permission !== 'dynamodb:DeleteItem') throw new Error('out of order');
    if (permission === breaksAfter) broken = true;
    needed.add(permission);
  };
  const client = watched(dynamodb, needs, undefined, grant);
  const files = watchedFiles(others.files, (right) => usedFiles.add(right));
  return { needed, usedFiles, dependencies: { ...others, files, dynamodb: client } };
}

const isRead = (permission: Permission) => /^(index\/|dynamodb:(Get|BatchGet|Query))/.test(permission);

/** These examples write nothing. Others start the count of a new limit (`limits-of-promotions.long.test.ts`), or take long. */
const writeSometimes = /^(validate-promotion|discount-cart$|show-loyalty$|make-report$)/;
const chosen = sampled(operations, 120);

/** An operation that enables has something to write once the operation that disables has run. */
const undone = operations.filter(({ name }) =>
  chosen.some((one) => one.name.startsWith('enable-') && one.name === name.replace('disable-', 'enable-')),
);

/** `caller` refuses everything that the operation's word does not allow, here and in each operation's tests. */
describe('an operation writes only if its description says so, and uses the table only if it says so', () => {
  test.each(operations.filter((one) => chosen.includes(one) || undone.includes(one)))('$name', async (operation) => {
    const { access, reply } = operation.route;
    const { needed, dependencies } = recorder();
    expect((await caller(operation.handler, dependencies)(requestTo(operation))).status).toBe(reply.status);
    expect({ reads: needed.size > 0, writes: ![...needed].every(isRead) }).toEqual({
      reads: access !== 'none',
      writes: access === 'write' && !writeSometimes.test(operation.name),
    });
  });
});

/** Starts the job for old orders of a project that keeps them for ever. */
async function startOfOrders(projectId: string): Promise<void> {
  const { dynamodb, tableName } = testDependencies();
  const key = retentionKey(projectId, 'orders');
  const job = { kind: 'remove-old' as const, about: 'orders', project_id: projectId };
  const fields = { retained: 'orders', before: testTime.toISOString(), noted: 0 };
  await commit(new Table(dynamodb, tableName, testTime), [insert(key, newJob(key, job, testTime, fields).insert)]);
}

describe("a worker's role has exactly the rights that its work needs:", () => {
  let stack: TesseraStack;
  let template: Template;

  beforeAll(() => {
    ({ stack, template } = deployed());
  });

  const grantedTo = (lambda: LambdaFunction): Permission[] => tablePermissionsIn(template, idOf(lambda));

  test('the workers of the queues', async () => {
    const { credentials: headers } = project;
    const few = { name: 'Behind it', vouchers_count: 30, voucher: { code_config: { pattern: 'BEHIND-####' } } };
    const created = await caller(create)({ headers, body: few });
    expect(created.status).toBe(200);
    const campaign = { campaignId: created.body.id };
    expect((await caller(update)({ headers, params: campaign, body: { description: 'New' } })).status).toBe(200);
    const email = uniqueEmail();
    const { body } = exampleIn(project.id, findOperation('invite-user'));
    expect((await caller(invite)({ body: { ...Object(body), email } })).status).toBe(204);

    const works = { sendMail: async () => {} };
    const failing = { sendMail: () => Promise.reject(new Error('refused')) };
    const open = async (about: string) => {
      const items = [...(await openJobs(project.id)), ...(await mailsTo(email))];
      const found = items.filter(({ kind, sk }) => (kind ?? sk) === about);
      expect(found.length).toBeGreaterThan(0);
      return found;
    };
    const neededFor = async (queue: KeptQueue, work: (dependencies: JobDependencies) => Promise<unknown>) => {
      const { needed, usedFiles, dependencies } = recorder({ grant: {} });
      await work(dependencies);
      const worker = stack.jobQueues.workers[queue];
      expect(grantedTo(worker)).toEqual([...needed].sort());
      const used = [...usedFiles].map(fileActionFor);
      expect(fileActionsOf(template, idOf(worker))).toEqual(expect.arrayContaining(used));
    };
    await neededFor('generation', async (dependencies) => {
      await deliver(await open('generate-codes'), dependencies);
      // Rows that were inserted but not counted before a crash are checked again.
      const chunks = await open('generate-chunk');
      await deliver(chunks, recorder({ breaksAfter: 'dynamodb:PartiQLInsert' }).dependencies);
      await deliver(chunks, dependencies);
      expect(
        (await openJobs(project.id)).filter(({ kind }) => ['generate-codes', 'generate-chunk'].includes(String(kind))),
      ).toEqual([]);
    });
    const filter = { junction: 'and', 'metadata.roast': { conditions: { $has_value: true } } };
    const { body: segment } = await caller(createSegment)({
      headers,
      body: { name: 'Followed', type: 'auto-update', filter },
    });
    await neededFor('segments', async (dependencies) => {
      const items = [...(await itemsOf(project.id, 'SEGMENT')), ...(await itemsOf(project.id, 'CUSTOMER'))];
      const keys = segmentMessages(items.map((item) => recordOf(item)));
      const handOver = () => runMessages(messagesFor(keys.map(({ key }) => key)), dependencies, createWorks());
      await handOver();
      const body = { metadata: { roast: null } };
      await caller(updateCustomer)({ headers, params: { customerId: 'crm-101' }, body });
      await handOver();
    });
    for (const exported_object of exportedObjects.map(({ object }) => object))
      await startExport(project, { exported_object });
    await startExport(project, { exported_object: 'voucher', parameters: { campaign_id: 'camp_morning' } });
    await neededFor('exports', async (dependencies) => {
      await deliver(await open('export'), dependencies);
      expect((await caller(erase)({ headers, params: { customerId: 'crm-102' } })).status).toBe(200);
      await deliver(await open('erase-person'), dependencies);
      await startOfOrders(project.id);
      await deliver(await open('remove-old'), dependencies);
      const { id: projectId } = await loadProject();
      expect((await caller(deleteProject)({ params: { projectId } })).status).toBe(204);
      await deliver([{ ...projectDeletions(projectId) }], dependencies);
    });
    const params = { segmentId: segment.id };
    expect((await caller(deleteSegment)({ headers, params })).status).toBe(204);
    // The worker has the rights of the operations that it works for.
    const { needed, usedFiles, dependencies } = recorder({ grant: {} });
    const behind = ['finish-update', 'bulk', 'sync-segment', 'delete-segment'];
    await deliver((await Promise.all(behind.map(open))).flat(), dependencies);
    const { actions, indexes = [] } = grants.write;
    const all = [...actions.map((action) => `dynamodb:${action}`), ...indexes.map((index) => `index/${index}`)];
    expect(grantedTo(stack.jobQueues.workers.bulk)).toEqual(all.sort());
    expect(all).toEqual(expect.arrayContaining([...needed]));
    expect([...usedFiles]).toEqual(['read rows', 'put reports']);
    await neededFor('mail', async (dependencies) => {
      const mails = await open('send-invitation');
      await deliver(mails, dependencies, failing);
      await deliver(mails, dependencies, works);
      expect(await mailsTo(email)).toEqual([]);
    });
    expect(grantedTo(stack.streamWorker.function)).toEqual(['dynamodb:Query']);
  });

  test('the totals worker, which touches only totals, counters and the zone of a project', async () => {
    const { dynamodb, tableName } = testDependencies();
    const needed = new Set<Permission>();
    const touched = new Set<string>();
    const client = watched(
      dynamodb,
      (permission) => needed.add(permission),
      (key) => touched.add(key),
    );
    const after = { gsi1pk: `${project.id}#COUNTED#PEBBLES#0`, gsi1sk: 'p1' };
    // Earlier operations have deleted some items.
    const campaign = (await itemsOf(project.id, 'CAMPAIGN')).find(
      ({ kind, deleted_at }) => kind === 'CAMPAIGN' && deleted_at === undefined,
    );
    expect(campaign).toBeDefined();
    const entry = {
      kind: 'LEDGER',
      project: project.id,
      campaign_id: campaign?.id,
      created_at: testTime.toISOString(),
    };
    const records = [
      changeRecord(1, { after }),
      changeRecord(2, { after: { ...entry, type: 'POINTS_ACCRUAL', points: 5 } }),
    ];
    await countRecords(new Table(client, tableName, testTime), 'shard', changesOf(records));
    expect(touched.size).toBe(4);
    expect(grantedTo(stack.totalsWorker.function)).toEqual([...needed].sort());
    expect([...touched].filter((key) => !countedKeys.some((pattern) => isLeadingKey(pattern, key)))).toEqual([]);
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:UpdateItem'],
            Condition: {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': countedKeys },
              Null: { 'dynamodb:LeadingKeys': 'false' },
            },
          }),
        ]),
      },
    });
  });

  test('the due worker', async () => {
    const tableName = await ownTable();
    const demo = await loadDemo(testDependencies({ tableName }));
    expect(demo.id).toBeDefined();
    const { needed, dependencies } = recorder({ grant: {} });
    await settleDue(
      { ...dependencies, tableName, clock: standingClock(new Date('2032-01-01T00:00:00.000Z')) },
      () => false,
    );
    expect(grantedTo(stack.dueWorker.function)).toEqual([...needed].sort());
  });
});
