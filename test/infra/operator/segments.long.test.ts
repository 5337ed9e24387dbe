import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { handler as listSegmentsOfCustomer } from '../../../functions/customers/list-customer-segments.ts';
import { handler as createSegment } from '../../../functions/segments/create-segment.ts';
import { caller } from '../../support/call.ts';
import { segmentMessages } from '../../support/changes.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { operate } from '../../support/operator.ts';
import { itemsOf, messagesFor, recordOf, runOutbox } from '../../support/outbox.ts';
import { loadProject } from '../../support/project.ts';

const segments = (...args: string[]) => operate('segments', args);
const filter = { junction: 'and', 'metadata.roast': { conditions: { $is: ['dark'] } } };

describe('npm run segments -- resync', () => {
  test('puts customers into their filtered and static segments after lost messages', async () => {
    const customers = ['ada', 'eve'].map((id) => ({ id, source_id: id, metadata: { roast: 'dark' } }));
    const project = await loadProject({
      customers,
      segments: [{ id: 'seg_dark', name: 'Dark', type: 'auto-update', filter }],
    });
    const { credentials: headers } = project;
    const body = { type: 'static', name: 'Two', customers: ['ada', 'eve'] };
    expect(await caller(createSegment)({ headers, body })).toMatchObject({ status: 200 });
    const totalOf = async (customerId: string) =>
      (await caller(listSegmentsOfCustomer)({ headers, params: { customerId } })).body.total;
    const keptIn = async () => (await itemsOf(project.id, 'SEGMENT_MEMBER')).length;
    const { dynamodb, tableName: TableName } = testDependencies();
    for (const item of await itemsOf(project.id, 'SEGMENT_MEMBER')) {
      await dynamodb.send(new DeleteCommand({ TableName, Key: keyOf(item) }));
    }
    expect(await keptIn()).toBe(0);

    const run = await segments('resync', project.id);
    expect(run).toEqual({
      code: 0,
      stdout: `${project.id}: every customer is checked for segments with a filter. The members of 1 static segments are written again\n`,
      stderr: '',
    });
    const dependencies = testDependencies();
    await runOutbox(project.id, dependencies);
    const looked = dependencies.queues.messages.filter(({ queue }) => queue === 'segments').map(({ key }) => key);
    expect(looked).toHaveLength(2);
    const parts = (await itemsOf(project.id, 'SEGMENT_PART')).map((after) => {
      const { resynced_at: _, ...before } = after;
      return recordOf(after, 'MODIFY', before);
    });
    const put = segmentMessages(parts).map(({ key }) => key);
    expect(put).toHaveLength(1);
    await runMessages(messagesFor([...looked, ...put]), dependencies, createWorks());
    expect([await totalOf('ada'), await totalOf('eve'), await keptIn()]).toEqual([2, 2, 4]);

    await runMessages(messagesFor([...looked, ...put]), dependencies, createWorks());
    expect(await keptIn()).toBe(4);
  });

  test.each([
    [['resync', 'proj_unknown'], 1, 'proj_unknown'],
    [['resync'], 2, 'missing'],
    [['repair', 'proj_demo'], 2, '"repair" is not a verb of this command: write resync'],
  ])('%j is refused', async (args, code, words) => {
    expect(await segments(...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
  });
});
