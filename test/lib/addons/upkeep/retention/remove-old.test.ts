import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { settleDue } from '#registry.ts';
import { handler as customerHandler } from '../../../../../functions/customers/get-customer.ts';
import { handler as activitiesHandler } from '../../../../../functions/customers/list-customer-activities.ts';
import { handler as eventHandler } from '../../../../../functions/events/send-event.ts';
import { handler as orderHandler } from '../../../../../functions/orders/create-order.ts';
import { handler as listOrdersHandler } from '../../../../../functions/orders/list-orders.ts';
import { handler as publishHandler } from '../../../../../functions/publications/create-publication.ts';
import { handler as listPublicationsHandler } from '../../../../../functions/publications/list-publications.ts';
import { handler as getRedemptionHandler } from '../../../../../functions/redemptions/get-redemption.ts';
import { handler as listRedemptionsHandler } from '../../../../../functions/redemptions/list-redemptions.ts';
import { handler as redeemHandler } from '../../../../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollbackHandler } from '../../../../../functions/redemptions/rollback-redemption.ts';
import { handler as voucherHandler } from '../../../../../functions/vouchers/get-voucher.ts';
import { handler as transactionsHandler } from '../../../../../functions/vouchers/list-voucher-transactions.ts';
import { caller } from '../../../../support/call.ts';
import { filesOf, ownTable, standingClock, testDependencies } from '../../../../support/dependencies.ts';
import { mortal } from '../../../../support/mortal.ts';
import { deliver, openJobs, runOutbox } from '../../../../support/outbox.ts';
import { credentialsOf, loadFile, projectFile } from '../../../../support/project.ts';

const old = '2026-06-20T10:00:00.000Z';
const young = '2026-07-20T00:00:00.000Z';
/** The young day is three months before this run. */
const run = '2026-10-20T05:30:00.000Z';

const customer = { source_id: 'ada' };

const lists = {
  campaigns: [
    {
      ...{ id: 'camp_once', name: 'Once', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', join_once: true },
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } },
    },
  ],
  customers: [{ id: 'cust_ada', source_id: 'ada' }],
  event_schema: [{ name: 'seen', metadata: {} }],
  vouchers: [
    {
      code: 'TEN',
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'AMOUNT', amount_off: 100 },
      redemption: { quantity: 9 },
    },
    { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 5000, balance: 5000 }, holder_id: 'cust_ada' },
  ],
};

/** Makes a shop with activity on an old day and on a recent day. */
async function openShop(retention: Record<string, number>) {
  const clock = standingClock();
  const tableName = await ownTable();
  const dependencies = testDependencies({ tableName, clock });
  const file = projectFile(lists);
  await loadFile({ ...file, project: { ...file.project, retention } }, clock(), dependencies);
  const { id } = file.project;
  const headers = credentialsOf(file);
  const send = (handler: Endpoint, request: object) => caller(handler, dependencies)({ headers, ...request });
  const call = async (handler: Endpoint, request: object) => {
    const { status, body } = await send(handler, request);
    expect([status, body.details]).toEqual([200, undefined]);
    return body;
  };
  const liveOn = async (time: string) => {
    clock.set(time);
    const order = { source_id: `order ${time}`, amount: 1_000, metadata: { to: 'Quay 1' } };
    await call(orderHandler, { body: { ...order, source_id: `paid ${time}`, status: 'PAID', customer } });
    const redeemables = [
      { object: 'voucher', id: 'TEN' },
      { object: 'voucher', id: 'GIFT', gift: { credits: 300 } },
    ];
    const { redemptions } = await call(redeemHandler, { body: { customer, order, redeemables } });
    await call(publishHandler, { body: { campaign: { name: 'Once' }, customer, source_id: `pub ${time}` } }).catch(
      () => {},
    );
    for (let number = 0; number < 3; number++) await call(eventHandler, { body: { event: 'seen', customer } });
    return redemptions.map((one: { id: string }) => one.id);
  };
  const start = async () => {
    clock.set(run);
    expect((await settleDue(dependencies)).finished).toBe(true);
    return openJobs(id, dependencies);
  };
  const shown = async () => {
    const params = { customerId: 'ada' };
    const list = (handler: Endpoint, more = {}) => call(handler, { query: 'limit=100', ...more });
    const [redemptions, orders, publications, activities, ledger] = await Promise.all([
      list(listRedemptionsHandler),
      list(listOrdersHandler),
      list(listPublicationsHandler),
      list(activitiesHandler, { params }),
      list(transactionsHandler, { params: { code: 'GIFT' } }),
    ]);
    return { redemptions, orders, publications, activities, ledger };
  };
  const figures = async () => {
    const vouchers = await Promise.all(['TEN', 'GIFT'].map((code) => call(voucherHandler, { params: { code } })));
    const { summary, loyalty } = await call(customerHandler, { params: { customerId: 'ada' } });
    return [...vouchers.map(({ redemption, gift }) => [redemption, gift]), summary, loyalty];
  };
  return { id, clock, tableName, dependencies, send, call, liveOn, start, shown, figures };
}

/** Returns the lines of all archives, by the kind of record and the day in the file's name. */
function archived(projectId: string): { place: string; record: Shown }[] {
  const files = [...filesOf(projectId)].filter(([name]) => name.startsWith('archives/'));
  return files.flatMap(([name, content]) => {
    const [, , kind, day] = name.split('/');
    const lines = gunzipSync(content).toString().trimEnd().split('\n');
    return lines.map((line) => ({ place: `${kind} ${day}`, record: JSON.parse(line) }));
  });
}

interface Shown {
  id: string;
  date?: string;
  created_at?: string;
}

const isOld = ({ date, created_at }: Shown) => String(date ?? created_at) < young;
const idsOf = (some: readonly Shown[]) => some.map(({ id }) => id).sort();
const three = { redemptions: 3, orders: 3, publications: 3, activities: 3 };

test('records older than the project keeps are archived once and removed, though workers die and meet; younger records and figures stay', async () => {
  const shop = await openShop(three);
  const redeemed = await shop.liveOn(old);
  await shop.liveOn(young);
  const [before, figures] = [await shop.shown(), await shop.figures()];
  const jobs = await shop.start();
  expect(jobs.map(({ about }) => about).sort()).toEqual(['activities', 'orders', 'publications', 'redemptions']);
  for (let left = 2; left < 14; left += 1) {
    for (const isDone of [true, false]) await deliver(jobs, mortal(left, isDone, { tableName: shop.tableName }));
  }
  await Promise.all([deliver(jobs, shop.dependencies), deliver(jobs, shop.dependencies)]);
  await runOutbox(shop.id, shop.dependencies);
  const after = await shop.shown();
  const lines = archived(shop.id);
  const linesOf = (kind: string) =>
    lines.filter(({ place }) => place === `${kind} 2026-06-20`).map(({ record }) => record);
  for (const kind of ['redemptions', 'orders', 'publications'] as const) {
    const [was, is]: Shown[][] = [before[kind][kind], after[kind][kind]];
    expect(idsOf(linesOf(kind))).toEqual(idsOf(was?.filter(isOld) ?? []));
    expect(idsOf(is ?? [])).toEqual(idsOf(was?.filter((one) => !isOld(one)) ?? []));
    expect(is?.length).toBeGreaterThan(0);
  }
  // Ledger entries are also activities, and stay.
  const isKept = (one: Shown) => !isOld(one) || before.ledger.data.some(({ id }: Shown) => id === one.id);
  expect(idsOf(after.activities.data)).toEqual(idsOf(before.activities.data.filter(isKept)));
  expect(after.activities.total).toBe(after.activities.data.length);
  expect(linesOf('activities').length).toBeGreaterThan(5);
  expect(new Set(lines.map(({ place }) => place.split(' ')[1]))).toEqual(new Set(['2026-06-20']));
  expect(JSON.stringify(lines)).not.toContain('Quay 1');
  expect(after.ledger).toEqual(before.ledger);
  expect(await shop.figures()).toEqual(figures);
  const [redemptionId] = redeemed;
  for (const handler of [getRedemptionHandler, rollbackHandler]) {
    const { status, body } = await shop.send(handler, { params: { redemptionId } });
    const details = 'redemptions are kept for 3 months: this record was archived and removed';
    expect([status, body.details]).toEqual([404, details]);
  }
});

test('names stay in use after the records that had them are removed', async () => {
  const shop = await openShop(three);
  await shop.liveOn(old);
  await shop.start();
  await runOutbox(shop.id, shop.dependencies);
  const order = await shop.send(orderHandler, { body: { source_id: `paid ${old}`, amount: 5 } });
  expect([order.status, order.body.key]).toEqual([409, 'duplicate_found']);
  const body = { campaign: { name: 'Once' }, customer, source_id: `pub ${old}` };
  const publication = await shop.send(publishHandler, { body });
  expect([publication.status, publication.body.key]).toEqual([400, 'duplicate_source_id']);
  const another = await shop.send(publishHandler, { body: { ...body, source_id: 'another' } });
  expect([another.status, another.body.key]).toEqual([400, 'voucher_cannot_be_published']);
});

test("a project without a period of retention loses no record, and another project's period changes nothing for it", async () => {
  const shop = await openShop({ orders: 3 });
  await shop.liveOn(old);
  const before = await shop.shown();
  expect((await shop.start()).map(({ about }) => about)).toEqual(['orders']);
  await runOutbox(shop.id, shop.dependencies);
  const after = await shop.shown();
  expect(after.orders.orders).toEqual([]);
  expect([after.redemptions, after.publications]).toEqual([before.redemptions, before.publications]);
  expect(idsOf(after.activities.data)).toEqual(idsOf(before.activities.data));
  // The run happens once a day.
  expect(await shop.start()).toEqual([]);
});
