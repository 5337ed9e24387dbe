import { describe, expect, test } from 'vitest';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { segmentMessages } from '../../../../support/changes.ts';
import { deliver, messagesFor, recordOf, runOutbox } from '../../../../support/outbox.ts';
import { watched } from '../../../../support/permissions.ts';
import { loadFile, loadProject } from '../../../../support/project.ts';
import { filter, followed, people, world } from '../../../../support/segment-world.ts';

describe('a customer that meets the filter of an auto-update segment', () => {
  test('enters it once and leaves it once, however often each change is handed over at the same time', async () => {
    const { handOver, changed, customer, told } = world(
      await loadProject({ segments: [followed], customers: people(1, { roast: 'light' }) }),
    );
    const keys = await changed('CUSTOMER');
    await handOver(keys);
    expect(await told('cust_0')).toEqual([]);
    await customer({ id: 'cust_0', metadata: { roast: 'dark' } });
    expect(await handOver(keys, 20)).toBe(0);
    expect(await told('cust_0')).toEqual([['entered', 'Dark']]);
    await customer({ id: 'cust_0', metadata: { roast: 'light' } });
    await handOver(keys, 20);
    await handOver(keys);
    expect(await told('cust_0')).toEqual([
      ['entered', 'Dark'],
      ['left', 'Dark'],
    ]);
  });

  test('is in the segments of the last change, whatever changes while others are looked at', async () => {
    const { handOver, changed, customer, told, segmentsOf, items } = world(
      await loadProject({ segments: [followed], customers: people(1, { roast: 'light' }) }),
    );
    const keys = await changed('CUSTOMER');
    await Promise.all(
      Array.from({ length: 10 }, async (_, turn) => {
        await customer({ id: 'cust_0', metadata: { roast: turn % 2 ? 'dark' : 'light' } });
        await handOver(keys);
      }),
    );
    const isIn = (await segmentsOf('cust_0')) === 1;
    expect(await items('SEGMENT_MEMBER')).toHaveLength(isIn ? 1 : 0);
    const moves = (await told('cust_0')).map(([type]: string[]) => type);
    const sum = moves.reduce((all: number, type: string) => all + (type === 'entered' ? 1 : -1), 0);
    expect(sum).toBe(isIn ? 1 : 0);
  });

  test('enters it once if the worker was cut off before or after its write', async () => {
    const { handOver, changed, told, dependencies } = world(
      await loadProject({ segments: [followed], customers: people(1, { roast: 'dark' }) }),
    );
    const keys = await changed('CUSTOMER');
    for (const last of ['dynamodb:Query', 'dynamodb:PutItem']) {
      let broken = false;
      const dynamodb = watched(dependencies.dynamodb, (permission) => {
        if (broken) throw new Error('cut off');
        broken = permission === last;
      });
      expect(await handOver(keys, 1, { ...dependencies, dynamodb })).toBe(1);
    }
    expect(await handOver(keys, 2)).toBe(0);
    expect(await told('cust_0')).toEqual([['entered', 'Dark']]);
  });

  test('is kept nowhere after the deletion, also while others look at the customer', async () => {
    const { handOver, changed, erase, items, dependencies, id } = world(
      await loadProject({ segments: [followed], customers: people(5, { roast: 'dark' }) }),
    );
    const keys = await changed('CUSTOMER');
    await Promise.all([
      ...people(5, {}).map((person) => erase(person.id)),
      ...keys.flatMap((key) => [handOver([key]), handOver([key])]),
    ]);
    await runOutbox(id, dependencies);
    expect(await handOver(keys)).toBe(0);
    expect([await items('SEGMENT_MEMBER'), await items('CUSTOMER')]).toEqual([[], []]);
  });

  test('enters a hundred of them, more than one transaction takes', async () => {
    const segments = Array.from({ length: 100 }, (_, index) => ({ name: `S${index}`, type: 'auto-update', filter }));
    const { handOver, changed, told } = world(await loadProject({ segments, customers: people(1, { roast: 'dark' }) }));
    await handOver(await changed('CUSTOMER'));
    expect(new Set((await told('cust_0')).map(([, name]: string[]) => name)).size).toBe(100);
  });
});

describe('a new auto-update segment', () => {
  test('finds its members among existing customers, though its job is cut off and delivered again', async () => {
    const { create, handOver, changed, jobs, dependencies, told, remove, items } = world(
      await loadProject({ customers: [...people(520, { roast: 'dark' })] }),
    );
    const { id } = await create({ ...followed, id: undefined });
    await handOver(await changed('SEGMENT#'), 3);
    const job = await jobs('sync-segment');
    expect(job).toHaveLength(1);
    await runMessages(messagesFor(job.map(keyOf)), dependencies, createWorks(), () => true);
    expect(dependencies.queues.messages.filter(({ queue }) => queue === 'segments')).toHaveLength(500);
    await deliver(job, dependencies);
    expect(await jobs('sync-segment')).toEqual([]);
    const sent = dependencies.queues.messages.filter(({ queue }) => queue === 'segments').map(({ key }) => key);
    expect(new Set(sent.map(({ pk }) => pk)).size).toBe(520);
    expect(await handOver(sent.slice(-20))).toBe(0);
    expect(await items('SEGMENT_MEMBER')).toHaveLength(20);
    const [member] = await items('SEGMENT_MEMBER');
    expect(await told(String(member?.customer_id))).toEqual([['entered', 'Dark']]);
    await remove(id);
    await deliver(await jobs('delete-segment'), dependencies);
    expect(await jobs('delete-segment')).toEqual([]);
    expect(await items('SEGMENT_MEMBER')).toEqual([]);
    expect(await told(String(member?.customer_id))).toEqual([['entered', 'Dark']]);
  });

  test('is evaluated again if a file gives it another filter', async () => {
    const project = await loadProject({ segments: [followed], customers: people(1, { roast: 'light' }) });
    const { handOver, changed, jobs } = world(project);
    await handOver(await changed('SEGMENT#'));
    const other = { junction: 'and', 'metadata.roast': { conditions: { $is: ['light'] } } };
    await loadFile({ ...project.file, segments: [{ ...followed, filter: other }] });
    await handOver(await changed('SEGMENT#'), 2);
    expect(await jobs('sync-segment')).toHaveLength(2);
  });
});

describe('a static segment', () => {
  test('has its first sixty members at once and all later, each once, until it is deleted', async () => {
    const { create, handOver, changed, items, segmentsOf, remove, jobs, dependencies, told } = world(
      await loadProject({ customers: people(73, {}) }),
    );
    const named = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    // The segment has two parts, and most of their customers do not exist.
    const customers = [...named(71, 'cust_'), ...named(1_000, 'nobody_'), 'cust_71'];
    const { id } = await create({ name: 'Opening', type: 'static', customers });
    expect(await segmentsOf('cust_0')).toBe(1);
    expect(await items('SEGMENT_MEMBER')).toHaveLength(60);
    const parts = await changed('SEGMENT_PART#');
    expect(parts).toHaveLength(2);
    await handOver(parts);
    await handOver(parts.slice(1), 2);
    expect(await items('SEGMENT_MEMBER')).toHaveLength(72);
    expect([await segmentsOf('cust_71'), await segmentsOf('cust_72')]).toEqual([1, 0]);
    await handOver((await changed('CUSTOMER')).slice(0, 3));
    expect(await told('cust_0')).toEqual([]);
    await remove(id);
    expect(await segmentsOf('cust_71')).toBe(0);
    await deliver(await jobs('delete-segment'), dependencies);
    expect([await items('SEGMENT_MEMBER'), await items('SEGMENT_PART#')]).toEqual([[], []]);
    await handOver(parts);
    expect(await items('SEGMENT_MEMBER')).toEqual([]);
  });

  test('of a file gets its members like one of a request', async () => {
    const { handOver, changed, segmentsOf } = world(
      await loadProject({
        customers: people(2, {}),
        segments: [{ id: 'seg_a', name: 'A', type: 'static', customers: ['cust_1', 'cust_nobody'] }],
      }),
    );
    await handOver(await changed('SEGMENT_PART#'));
    expect([await segmentsOf('cust_0'), await segmentsOf('cust_1')]).toEqual([0, 1]);
  });
});

describe('a record of the stream', () => {
  const customer = { pk: 'p#CUSTOMER#c', sk: 'CUSTOMER', id: 'c', name: 'A', activities: 1 };
  const card = { pk: 'p#VOUCHER#v_1', sk: 'VOUCHER', holder_id: 'c', activities: 1, points: 1 };
  const key = { pk: 'p#CUSTOMER#c', sk: 'CUSTOMER' };

  test.each([
    ['a new customer', recordOf(customer), [key]],
    ['a changed customer', recordOf(customer, 'MODIFY', { ...customer, name: 'B' }), [key]],
    ['a customer with a new activity', recordOf({ ...customer, activities: 2 }, 'MODIFY', customer), []],
    ['a card with changed points', recordOf({ ...card, points: 2 }, 'MODIFY', card), [key]],
    ['a card without a holder', recordOf({ ...card, holder_id: undefined, points: 2 }, 'MODIFY', card), []],
    ['the holding of a card', recordOf({ pk: 'p#CUSTOMER#c', sk: 'HELD_CARD#v_1' }), [key]],
    ['a member', recordOf({ pk: 'p#CUSTOMER#c', sk: 'SEGMENT_MEMBER#s' }), []],
  ])('about %s hands over the right keys', (_, record, keys) => {
    expect(segmentMessages([record, record]).map((one) => one.key)).toEqual(keys);
  });
});
