import { expect, test } from 'vitest';
import { handler as saveCustomer } from '../../../../../functions/customers/create-customer.ts';
import { segmentMessages } from '../../../../support/changes.ts';
import { darkRoast, fixed, openEarning } from '../../../../support/earning.ts';
import { card } from '../../../../support/loyalty.ts';
import { itemsOf, recordOf } from '../../../../support/outbox.ts';
import { loadFile, projectFile } from '../../../../support/project.ts';

const passive = { id: 'seg_dark', ...darkRoast('Dark'), type: 'passive' };
const rule = {
  id: 'ern_dark',
  campaign_id: 'camp_club',
  event: 'customer.segment.entered',
  active: true,
  segment: { id: 'seg_dark' },
  loyalty: fixed(20),
};
const people = [
  { id: 'cust_ada', name: 'Ada', metadata: { roast: 'light' } },
  { id: 'cust_bo', name: 'Bo', metadata: { roast: 'dark' } },
];

/** A shop of members with a passive segment of a file, and what else its file has. */
async function openShop(lists: Record<string, unknown> = {}) {
  const world = await openEarning({
    customers: people,
    vouchers: [card('ADA', 0, { holder_id: 'cust_ada' }), card('BO', 0, { holder_id: 'cust_bo' })],
    segments: [passive],
    ...lists,
  });
  const segments = () => itemsOf(world.project.id, 'SEGMENT#');
  return {
    ...world,
    segments,
    load: (more: Record<string, unknown>) => loadFile({ ...world.project.file, ...more }),
    states: async () => (await segments()).map(({ type, turning }) => [type, turning !== undefined]),
    /** Lets the stream tell of the segment, and its job do everything. */
    settle: async () => {
      world.clock.advance(10);
      await world.hand(segmentMessages((await segments()).map((item) => recordOf(item))).map(({ key }) => key));
      await world.run();
      await world.follow();
    },
    roast: (customerId: string, name: string) =>
      world.ask(saveCustomer, { body: { id: customerId, metadata: { roast: name } } }),
  };
}

test('a passive segment that a rule of the file names turns active: its members earn nothing, and later entries earn', async () => {
  const shop = await openShop({ earning_rules: [rule] });
  expect(await shop.states()).toEqual([['auto-update', true]]);
  await shop.settle();
  expect(await shop.states()).toEqual([['auto-update', false]]);
  expect([await shop.balance('ADA'), await shop.balance('BO')]).toEqual([0, 0]);
  await shop.roast('cust_ada', 'dark');
  await shop.follow();
  expect([await shop.balance('ADA'), await shop.balance('BO')]).toEqual([20, 0]);
});

test('a rule that a later file brings turns the stored segment, and further loads do not change it', async () => {
  const shop = await openShop();
  expect(await shop.states()).toEqual([['passive', false]]);
  await shop.load({ earning_rules: [rule] });
  const turning = await shop.segments();
  expect(turning).toMatchObject([{ type: 'auto-update', revision: 1, turning: expect.any(String) }]);
  await shop.load({ earning_rules: [rule] });
  expect(await shop.segments()).toEqual(turning);
  await shop.settle();
  await shop.load({ earning_rules: [rule] });
  expect(await shop.states()).toEqual([['auto-update', false]]);
});

test('a segment that a request has turned stays active where a file says that it is passive', async () => {
  const shop = await openShop();
  await shop.rules('camp_club', { event: rule.event, segment: rule.segment, loyalty: rule.loyalty });
  await shop.settle();
  const turned = await shop.segments();
  expect(turned).toMatchObject([{ type: 'auto-update' }]);
  await shop.load({});
  expect(await shop.segments()).toEqual(turned);
});

test('a segment that was active from the beginning becomes passive where a later file says so and no rule names it', async () => {
  const file = projectFile({ segments: [{ ...passive, type: 'auto-update' }] });
  await loadFile(file);
  await loadFile({ ...file, segments: [passive] });
  expect((await itemsOf(file.project.id, 'SEGMENT#')).map(({ type }) => type)).toEqual(['passive']);
});
