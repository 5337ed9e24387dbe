import { expect, test } from 'vitest';
import { createCounterOpener } from '#engine/checkout/redemptions/open-counters.ts';
import { placeRedemption, type RedemptionItem, redemptions } from '#engine/checkout/redemptions/redemption.ts';
import { readAsked } from '#engine/checkout/request/checkout-body.ts';
import { gatherCounted } from '#engine/checkout/request/judge-checkout.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { inProjectTime } from '#kernel/core/local-time.ts';
import { parseStored } from '#kernel/table/item.ts';
import { handler as assign } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { validationRule } from '../support/lists.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { deliver, itemsOf, openJobs } from '../support/outbox.ts';
import { coupon, shop, vouchers } from '../support/redeeming.ts';

const asked = readAsked({
  ...{ customer: undefined, order: undefined, session: undefined, tracking_id: undefined, metadata: undefined },
  redeemables: [{ object: 'voucher', id: 'A', gift: undefined, reward: undefined }],
});

// It is the 15th of June in Oslo, a Monday, and still Sunday in UTC. A request counts 50 redemptions, and a job the rest.
test.each([
  ['redemption.count.daily', {}],
  ['redemption.count.weekly', {}],
  ['redemption.count.weekly', { week_starts_on: 'SUNDAY' }],
])('the job for a long history counts %s by the days and weeks of the project: %j', async (name, settings) => {
  const [time, later] = ['2026-06-14T22:30:00Z', '2026-06-14T22:45:00Z'];
  const clock = standingClock();
  clock.set(time);
  const dependencies = testDependencies({ clock });
  const opened = await shop({
    vouchers: [coupon('A', { redemption: { quantity: null, redeemed_quantity: 0 } })],
    validation_rules: [validationRule('val_1', 'Few', { name, conditions: { $less_than_or_equal: [500] } })],
  });
  const { id: projectId, headers } = opened;
  await manageProjects().update(projectId, { timezone: 'Europe/Oslo', ...settings });
  const { body } = await opened.redeem({ redeemables: vouchers('A') });
  const table = tableOfFile();
  const [stored = {}] = await table.getMany([redemptions(projectId, body.redemptions[0].id)]);
  const first = parseStored(redemptions.schema, stored);
  const copies = Array.from({ length: 69 }, (_, index) => {
    const at = new Date(Date.parse(time) - 1_000 - index);
    const item: RedemptionItem = { ...first, id: newTimedId('redemption', at), date: at.toISOString() };
    return { key: redemptions(projectId, item.id), item: { ...item, ...placeRedemption(projectId, item) } };
  });
  for (const some of [copies.slice(0, 25), copies.slice(25, 50), copies.slice(50)]) await table.insertMany(some);
  clock.set(later);
  const assigned = { related_object_type: 'voucher', related_object_id: 'A' };
  await caller(assign, dependencies)({ headers, params: { validationRuleId: 'val_1' }, body: assigned });
  const project = await findProject(table, projectId);
  if (!project) throw new Error('the project was not loaded');
  await gatherCounted({ table, project, now: inProjectTime(clock(), project) }, asked, createCounterOpener(21));
  const counts = async () => (await itemsOf(projectId, 'RULE_COUNTER')).map(({ count }) => count);
  expect(await counts()).toEqual([50]);
  clock.advance(15 * 60);
  await deliver(await openJobs(projectId), dependencies);
  expect(await counts()).toEqual([70]);
});
