import { expect, test } from 'vitest';
import { campaigns } from '#engine/campaigns/campaign.ts';
import { parseTerms } from '#engine/campaigns/campaign-terms.ts';
import { countRedemptions } from '#engine/checkout/redemptions/history-job.ts';
import { createCounterOpener } from '#engine/checkout/redemptions/open-counters.ts';
import { placeRedemption, type RedemptionItem, redemptions } from '#engine/checkout/redemptions/redemption.ts';
import { readAsked } from '#engine/checkout/request/checkout-body.ts';
import { gatherCounted } from '#engine/checkout/request/judge-checkout.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { addUp } from '#kernel/core/sum.ts';
import { jobItem } from '#kernel/kit/jobs/job.ts';
import { createJobContext } from '#kernel/kit/jobs/run.ts';
import { insertManyLimit } from '#kernel/table/command.ts';
import { parseStored } from '#kernel/table/item.ts';
import { handler as rollBackHandler } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as assignHandler } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { caller } from '../support/call.ts';
import { keptQueues, standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, itemsOf, openJobs } from '../support/outbox.ts';
import { cart, coupon, shop, vouchers } from '../support/redeeming.ts';
import { isLong } from '../support/sampled.ts';

/** A job counts the redemptions for a new limit that are too many for one request. */

const limit = 'campaign.redemptions.count';
const many = isLong ? 5_000 : 500;
/** In these tests a request counts this many. */
const ofRequest = 100;

const nobody = { customer: undefined, order: undefined, session: undefined, tracking_id: undefined };
const asked = readAsked({
  ...{ ...nobody, metadata: undefined },
  redeemables: [{ object: 'voucher', id: 'A', gift: undefined, reward: undefined }],
});

const open = { redemption: { quantity: null, redeemed_quantity: 0 } };

/** Makes a campaign with this many redemptions and a new limit. All redemptions copy the first. */
async function running(earlier: number, most: number) {
  const opened = await shop({
    campaigns: [{ id: 'camp_1', name: 'Sale', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
    vouchers: ['A', 'B'].map((code) => coupon(code, { campaign_id: 'camp_1', ...open })),
    validation_rules: [
      { id: 'val_1', name: 'Few', rules: { 1: { name: limit, conditions: { $less_than_or_equal: [most] } } } },
    ],
  });
  const { id: projectId, headers } = opened;
  const table = tableOfFile();
  const redeem = async (code: string) => {
    const { status, body } = await opened.redeem({ redeemables: vouchers(code), order: cart(1) });
    return status === 200 ? String(body.redemptions[0].id) : String(body.key);
  };
  const id = await redeem('A');
  const [stored = {}] = await table.getMany([redemptions(projectId, id)]);
  const first = parseStored(redemptions.schema, stored);
  const copyAt = (time: Date) => {
    const item: RedemptionItem = { ...first, id: newTimedId('redemption', time), date: time.toISOString() };
    return { key: redemptions(projectId, item.id), item: { ...item, ...placeRedemption(projectId, item) } };
  };
  const copies = Array.from({ length: earlier - 1 }, (_, index) =>
    copyAt(new Date(testTime.getTime() - 90_000 - index)),
  );
  const batches = Array.from({ length: Math.ceil(copies.length / insertManyLimit) }, (_, index) =>
    copies.slice(index * insertManyLimit, (index + 1) * insertManyLimit),
  );
  for (const batch of batches) await table.insertMany(batch);
  const project = await findProject(table, projectId);
  if (!project) throw new Error('the project was not loaded');
  const params = { validationRuleId: 'val_1' };
  const body = { related_object_type: 'campaign', related_object_id: 'camp_1' };
  expect((await caller(assignHandler)({ headers, params, body })).status).toBe(200);
  return {
    ...opened,
    redeem,
    times: async (count: number) => {
      const all = await Promise.all(Array.from({ length: count }, (_, index) => redeem(index % 2 ? 'A' : 'B')));
      return all.filter((one) => one.startsWith('r_')).length;
    },
    copyAt,
    rollBack: async (redemptionId: string) =>
      (await caller(rollBackHandler)({ headers, params: { redemptionId } })).status,
    /** Sends a request that meets the limit. */
    meet: async () => {
      const context = { table, project, now: testTime };
      await gatherCounted(context, asked, createCounterOpener(ofRequest));
    },
    first: id,
    state: async () => {
      const [campaign = {}] = await table.getMany([campaigns(projectId, 'camp_1')]);
      const { state, job } = parseTerms(campaign).counted_limits?.[limit] ?? {};
      return { state, isOfJob: job !== undefined };
    },
    /** Returns the count without uses that containers reserved and may return. Simultaneous redemptions reserve eight at a time. */
    counted: async () => {
      const blocks = (await itemsOf(projectId, 'HOLD_BLOCK')).filter(
        ({ attribute, deleted_at }) => attribute === 'count' && deleted_at === undefined,
      );
      const ahead = addUp(blocks, ({ size, used }) => Number(size ?? 0) - Number(used ?? 0));
      return (await itemsOf(projectId, 'RULE_COUNTER')).map(({ count }) => Number(count) - ahead);
    },
    table,
  };
}

/** Makes a worker's container at this many seconds after the limit's creation. */
function workerAt(seconds: number) {
  const clock = standingClock();
  clock.advance(seconds);
  return testDependencies({ clock });
}

test('a long history is counted exactly by workers that die, run twice, and meet redemptions', {
  timeout: 600_000,
}, async () => {
  const { id, meet, times, rollBack, state, counted, copyAt, first, table, redeem } = await running(many, many + 20);
  await meet();
  expect(await state()).toEqual({ state: 'BEGUN', isOfJob: true });
  expect(await counted()).toEqual([100]);
  const [job, ...others] = await openJobs(id);
  expect([job?.kind, others]).toEqual(['count-redemptions', []]);
  if (!job) return;

  const atOnce: Promise<unknown>[] = [times(8), rollBack(first)];
  for (const [index, call] of [6, 14, isLong ? 450 : 23].entries()) {
    for (let worker = 0; worker < 2; worker++) await deliver([job], mortal(call, index % 2 === 0)).catch(() => {});
  }
  const queues = keptQueues();
  await Promise.all([deliver([job], workerAt(1)), deliver([job], { ...workerAt(1), queues }), ...atOnce]);
  expect(await counted()).toEqual([many - 1 + 8]);
  expect(await state()).toEqual({ state: 'WALKED', isOfJob: true });
  // The job returns when current redemptions are committed.
  expect(queues.messages).toMatchObject([{ queue: 'bulk', delayInS: 59 }]);
  await table.insertMany([copyAt(new Date(testTime.getTime() - 1_000))]);
  await Promise.all([deliver([job], workerAt(60)), deliver([job], workerAt(60))]);
  expect([await state(), await openJobs(id)]).toEqual([{ state: 'DONE', isOfJob: false }, []]);
  expect(await counted()).toEqual([many + 8]);
  await deliver([job], workerAt(120));
  expect(await times(16)).toBe(12);
  expect([await counted(), await redeem('A')]).toEqual([[many + 20], 'redemption_rules_violated']);
});

test('a job that is given up leaves the rest to requests, which begin another', async () => {
  const { id, meet, state, counted } = await running(300, 300);
  await meet();
  const [job] = await openJobs(id);
  if (!job) throw new Error('no job was begun');
  await meet();
  expect(await counted()).toEqual([100]);
  const given = parseStored(jobItem, job);
  await countRedemptions.giveUp?.(
    createJobContext(workerAt(1), given, () => false),
    given,
  );
  expect([await state(), await openJobs(id)]).toEqual([{ state: 'BEGUN', isOfJob: false }, []]);
  await meet();
  expect([await counted(), (await openJobs(id)).length]).toEqual([[200], 1]);
});
