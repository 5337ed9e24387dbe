import { describe, expect, test } from 'vitest';
import { handler as addNamedHandler } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler } from '../../functions/campaigns/get-campaign-summary.ts';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { handler as balanceHandler } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as deleteVoucherHandler } from '../../functions/vouchers/delete-voucher.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const clock = standingClock();
const dependencies = testDependencies({ clock });

type Handler = Parameters<typeof caller>[0];

const ask = (
  project: TestProject,
  handler: Handler,
  params: Record<string, string>,
  rest: { query?: string; body?: unknown } = {},
) => caller(handler, dependencies)({ params, headers: project.credentials, ...rest });

async function create(project: TestProject, body: Record<string, unknown>): Promise<string> {
  const reply = await ask(project, createHandler, {}, { body });
  expect(reply.status).toBe(200);
  await runOutbox(project.id, dependencies);
  return reply.body.id;
}

const summaryOf = async (project: TestProject, campaignId: string, query = '') =>
  (await ask(project, handler, { campaignId }, { query })).body;

describe('the summary of a campaign', () => {
  test('counts what happened to gift vouchers, in minor units', async () => {
    const project = await loadProject({ customers: [{ id: 'cust_1' }] });
    const gift = { amount: 1_000 };
    const id = await create(project, { campaign_type: 'GIFT_VOUCHERS', vouchers_count: 3, voucher: { gift } });
    await ask(project, addNamedHandler, { campaignId: id, code: 'ONE' });
    await ask(project, addNamedHandler, { campaignId: id, code: 'TWO' });
    expect((await ask(project, balanceHandler, { code: 'ONE' }, { body: { amount: 250 } })).status).toBe(200);
    expect((await ask(project, balanceHandler, { code: 'ONE' }, { body: { amount: -50 } })).status).toBe(200);
    const publish = { voucher: 'TWO', customer: { id: 'cust_1' } };
    expect((await ask(project, publishHandler, {}, { body: publish })).status).toBe(200);
    expect((await ask(project, publishHandler, {}, { body: publish })).status).toBe(400);
    expect((await ask(project, deleteVoucherHandler, { code: 'ONE' }, { query: 'force=true' })).status).toBe(204);
    const summary = await summaryOf(project, id);
    expect(summary).toMatchObject({
      object: 'campaign_summary',
      campaign: { id, categories: [], object: 'campaign', vouchers_count: 4 },
      vouchers_created: 5,
      vouchers_deleted: 1,
      publications: 2,
      publications_succeeded: 1,
      publications_failed: 1,
      created_vouchers_amount: 5_000,
      amount_added: 250,
      amount_subtracted: 50,
      amount_deleted: 1_200,
      amount_redeemed: 0,
      redemptions: 0,
    });
    expect(summary).not.toHaveProperty('discounted_amount');
    expect(summary).not.toHaveProperty('points_added');
  });

  test('has zeros of its kind where nothing has happened, and no vouchers of a promotion', async () => {
    const project = await loadProject();
    const promotion = await summaryOf(project, await create(project, { campaign_type: 'PROMOTION' }));
    expect(promotion).toMatchObject({ redemptions: 0, validations_failed: 0, discounted_amount: 0 });
    expect(promotion).not.toHaveProperty('vouchers_created');
    const voucher = { loyalty_card: { points: 5 } };
    const loyalty = await create(project, { campaign_type: 'LOYALTY_PROGRAM', vouchers_count: 2, voucher });
    expect(await summaryOf(project, loyalty)).toMatchObject({ created_vouchers_points: 10, points_added: 0 });
  });

  test('is of the days that are asked for, both included', async () => {
    const project = await loadProject();
    const id = await create(project, { vouchers_count: 1 });
    const today = clock().toISOString().slice(0, 10);
    clock.advance(24 * 3_600);
    const tomorrow = clock().toISOString().slice(0, 10);
    for (const code of ['A', 'B']) await ask(project, addNamedHandler, { campaignId: id, code });
    const created = async (query: string) => (await summaryOf(project, id, query)).vouchers_created;
    expect([await created(''), await created(`end_date=${today}`)]).toEqual([3, 1]);
    expect(await created(`start_date=${tomorrow}&end_date=${tomorrow}`)).toBe(2);
    expect(await created(`start_date=${today}&end_date=${tomorrow}`)).toBe(3);
    expect(await created(`start_date=${tomorrow}T23:59:59.000Z&end_date=${tomorrow}T00:00:00Z`)).toBe(2);
    expect(await created(`start_date=${tomorrow}T00:30:00%2B01:00&end_date=${today}T23:59:59.999Z`)).toBe(1);
    const wrong = await ask(
      project,
      handler,
      { campaignId: id },
      { query: 'start_date=2026-02-01&end_date=2026-01-01' },
    );
    expect([wrong.status, wrong.body.key]).toEqual([400, 'invalid_query_params']);
  });

  test('counts each of twenty at once, and is nobody else’s', async () => {
    const project = await loadProject();
    const [id, other] = [await create(project, {}), await create(project, {})];
    const codes = Array.from({ length: 20 }, (_, index) => `AT-ONCE-${index}`);
    await Promise.all(codes.map((code) => ask(project, addNamedHandler, { campaignId: id, code })));
    expect((await summaryOf(project, id)).vouchers_created).toBe(20);
    expect((await summaryOf(project, other)).vouchers_created).toBe(0);
    const none = await ask(project, handler, { campaignId: 'camp_none' });
    expect([none.status, none.body.resource_type]).toEqual([404, 'campaign']);
  });
});
