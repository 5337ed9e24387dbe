import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { operationNamed, routes } from '../../infra/operations.ts';
import { bySpecificity, matchPath } from '../../lib/http/match.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import type { TestProject } from '../support/project.ts';
import { type Case, type Client, DiscountVouchersTypesEnum, VoucherifyServerSide } from './case.ts';
import { programmeCases } from './programme-cases.ts';
import { promotionCases } from './promotion-cases.ts';
import { rewardCases } from './reward-cases.ts';
import { unserved } from './unserved.ts';

const dependencies = testDependencies();
let server: RunningServer;
let project: TestProject;
let client: Client;

function clientAt(apiUrl: string, credentials: Record<string, string>): Client {
  return VoucherifyServerSide({
    apiUrl,
    applicationId: credentials['x-app-id'] ?? '',
    secretKey: credentials['x-app-token'] ?? '',
  });
}

beforeAll(async () => {
  // The library asks the environment for a proxy, even for loopback.
  vi.stubEnv('NO_PROXY', '127.0.0.1');
  server = await startServer({ dependencies, port: 0 });
  project = await loadDemo(dependencies);
  client = clientAt(server.baseUrl, project.credentials);
});

/** The library's own type of a voucher lacks it. */
async function balanceOf(code: string): Promise<number> {
  const { loyalty_card } = (await client.vouchers.get(code)) as unknown as { loyalty_card: { balance: number } };
  return loyalty_card.balance;
}

const outcomes: { method: string; path: string; outcome: string }[] = [];

afterAll(async () => {
  await server.close();
  const width = (column: 'method' | 'path') => Math.max(0, ...outcomes.map((row) => row[column].length));
  const lines = outcomes
    .toSorted((a, b) => (a.method < b.method ? -1 : 1))
    .map(
      ({ method, path, outcome }) => `  ${method.padEnd(width('method'))}  ${path.padEnd(width('path'))}  ${outcome}`,
    );
  process.stdout.write(`${['Methods of @voucherify/sdk whose path the service has:', ...lines].join('\n')}\n`);
});

const list = { object: 'list', data_ref: 'data' };

/** What a caller asks of each method, by its name in the client. */
const newCategory = (name: string) => client.categories.create({ name, hierarchy: 7 });

/** The library's own type may be without it. */
type Made = { id: string };

const newRule = (name: string) => ({
  name,
  rules: { '1': { name: 'order.amount', conditions: { $more_than: [100] } }, logic: '1' },
});

async function assignedRule() {
  const { id } = await client.validationRules.create(newRule('Assigned'));
  const gift = { type: 'GIFT_VOUCHER', gift: { amount: 100, balance: 100 } } as const;
  const { code = '' } = await client.vouchers.create(gift);
  return { id, made: await client.validationRules.createAssignment(id, { voucher: code }) };
}

/** A request to redeem a new code. */
async function oneOfOwn() {
  const discount = { type: DiscountVouchersTypesEnum.AMOUNT, amount_off: 100 };
  const { code = '' } = await client.vouchers.create({ type: 'DISCOUNT_VOUCHER', discount });
  return { redeemables: [{ object: 'voucher' as const, id: code }], order: { amount: 900 } };
}

const cases: Record<string, Case> = {
  'asyncActions.list': {
    operation: 'list-async-actions',
    check: async () => {
      const { async_actions } = await client.asyncActions.list({
        limit: 1,
        end_date: '2030-01-01T00:00:00Z',
      });
      expect(async_actions).toHaveLength(1);
    },
  },
  'asyncActions.get': {
    operation: 'get-async-action',
    check: async () => {
      const action = await client.asyncActions.get('aa_of_the_example');
      expect(action).toMatchObject({ type: 'CAMPAIGN.VOUCHERS_UPDATE', status: 'DONE', object: 'async_action' });
    },
  },
  'distributions.exports.create': {
    operation: 'create-export',
    check: async () => {
      const { id } = await client.distributions.exports.create({
        exported_object: 'customer',
        parameters: { fields: ['source_id'] },
      });
      await runOutbox(project.id, dependencies);
      const made = await client.distributions.exports.get(id);
      expect(made).toMatchObject({ exported_object: 'customer', status: 'DONE', result: { url: expect.any(String) } });
    },
  },
  'distributions.exports.get': {
    operation: 'get-export',
    check: async () => {
      expect(await client.distributions.exports.get('exp_of_the_example')).toMatchObject({
        object: 'export',
        status: 'DONE',
      });
    },
  },
  'distributions.exports.list': {
    operation: 'list-exports',
    check: async () => {
      const { exports, total } = await client.distributions.exports.list({ limit: 1, order: 'created_at' });
      expect([exports.length, total]).toEqual([1, expect.any(Number)]);
    },
  },
  'distributions.exports.delete': {
    operation: 'delete-export',
    check: async () => {
      const { id } = await client.distributions.exports.create({ exported_object: 'customer' });
      await client.distributions.exports.delete(id);
      await expect(client.distributions.exports.get(id)).rejects.toMatchObject({ code: 404 });
    },
  },
  'campaigns.qualifications.examine': {
    operation: 'examine-campaigns',
    check: async () => {
      const found = await client.campaigns.qualifications.examine({});
      expect(found).toMatchObject({ object: 'list', data: expect.any(Array) });
    },
  },
  'vouchers.qualifications.examine': {
    operation: 'examine-vouchers',
    check: async () => {
      const found = await client.vouchers.qualifications.examine({});
      expect(found).toMatchObject({ object: 'list', data: expect.any(Array) });
    },
  },
  'qualifications.checkEligibility': {
    operation: 'qualify',
    check: async () => {
      const { redeemables } = await client.qualifications.checkEligibility({
        scenario: 'ALL',
        order: { items: [{ product_id: 'prod_beans', quantity: 4 }] },
      });
      expect(redeemables).toMatchObject({ object: 'list', data: expect.arrayContaining([expect.any(Object)]) });
    },
  },
  'segments.create': {
    operation: 'create-segment',
    check: async () => {
      const filter = { junction: 'AND' as const, 'metadata.roast': { conditions: { $is: ['light'] } } };
      const made = await client.segments.create({ name: 'By the client', type: 'auto-update', filter });
      expect(made).toMatchObject({
        id: expect.stringMatching(/^seg_/),
        type: 'auto-update',
        filter,
        object: 'segment',
      });
    },
  },
  'segments.get': {
    operation: 'get-segment',
    check: async () => {
      expect(await client.segments.get('seg_regulars')).toMatchObject({ name: 'Regulars', type: 'auto-update' });
    },
  },
  'segments.list': {
    operation: 'list-customer-segments',
    check: async () => {
      const { data } = await client.segments.list('crm-102');
      expect(data).toContainEqual({ id: 'seg_dark_roast', name: 'Dark roast', object: 'segment' });
    },
  },
  'segments.delete': {
    operation: 'delete-segment',
    check: async () => {
      const { id } = await client.segments.create({ name: 'Gone soon', type: 'static', customers: ['cust_ingrid'] });
      await client.segments.delete(id);
      await expect(client.segments.get(id)).rejects.toMatchObject({ code: 404 });
    },
  },
  'validationRules.create': {
    operation: 'create-validation-rule',
    check: async () => {
      const made = await client.validationRules.create(newRule('By the client'));
      expect(made).toMatchObject({ ...newRule('By the client'), object: 'validation_rules' });
    },
  },
  'validationRules.get': {
    operation: 'get-validation-rule',
    check: async () => {
      const found = await client.validationRules.get('val_two_bags');
      expect(found).toMatchObject({ name: 'At least two bags of beans' });
    },
  },
  'validationRules.update': {
    operation: 'update-validation-rule',
    check: async () => {
      const { id } = await client.validationRules.create(newRule('To be changed'));
      const changed = await client.validationRules.update({ id, name: 'Changed' });
      expect(changed).toMatchObject({ ...newRule('Changed'), id });
    },
  },
  'validationRules.delete': {
    operation: 'delete-validation-rule',
    check: async () => {
      const { id } = await client.validationRules.create(newRule('Gone soon'));
      await client.validationRules.delete(id);
      await expect(client.validationRules.get(id)).rejects.toMatchObject({ code: 404 });
    },
  },
  'validationRules.list': {
    operation: 'list-validation-rules',
    check: async () => {
      const { data, ...rest } = await client.validationRules.list({ limit: 1 });
      expect(rest).toMatchObject(list);
      expect(data).toHaveLength(1);
    },
  },
  'validationRules.createAssignment': {
    operation: 'create-validation-rule-assignment',
    check: async () => {
      const { id, made } = await assignedRule();
      expect(made).toMatchObject({ rule_id: id, related_object_type: 'voucher' });
    },
  },
  'validationRules.deleteAssignment': {
    operation: 'delete-validation-rule-assignment',
    check: async () => {
      const { id, made } = await assignedRule();
      await client.validationRules.deleteAssignment(id, made.id);
      expect(await client.validationRules.listAssignments(id)).toMatchObject({ data: [] });
    },
  },
  'validationRules.listAssignments': {
    operation: 'list-validation-rule-assignments',
    check: async () => {
      const { data } = await client.validationRules.listAssignments('val_two_bags');
      expect(data).toMatchObject([{ id: 'asgm_beans', related_object_id: 'promo_two_bags' }]);
    },
  },
  'validationRules.listRulesAssignments': {
    operation: 'list-validation-rules-assignments',
    check: async () => {
      const found = await client.validationRules.listRulesAssignments({ related_object_id: 'camp_morning' });
      expect(found).toMatchObject({ ...list, data: [{ id: 'asgm_morning', rule_id: 'val_weekday' }] });
    },
  },
  'campaigns.create': {
    operation: 'create-campaign',
    check: async () => {
      const created = await client.campaigns.create({
        name: 'Made by the client',
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'AUTO_UPDATE',
        start_date: '2026-01-01T00:00:00Z',
        vouchers_count: 3,
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount: { type: DiscountVouchersTypesEnum.PERCENT, percent_off: 10 },
          code_config: { pattern: 'SDK-######' },
        },
        metadata: { origin: 'sdk' },
      });
      expect(created).toMatchObject({
        id: expect.stringMatching(/^camp_/),
        object: 'campaign',
        name: 'Made by the client',
        start_date: '2026-01-01T00:00:00.000Z',
        vouchers_generation_status: 'IN_PROGRESS',
        vouchers_count: 0,
        active: true,
        voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
        metadata: { origin: 'sdk' },
      });
      await runOutbox(project.id, dependencies);
      expect(await client.campaigns.get(created.id)).toMatchObject({
        vouchers_generation_status: 'DONE',
        vouchers_count: 3,
      });
    },
  },
  'campaigns.get': {
    operation: 'get-campaign',
    check: async () => {
      const wanted = { id: 'camp_morning', name: 'Early tide', object: 'campaign', category: 'Counter' };
      expect(await client.campaigns.get('Early tide')).toMatchObject(wanted);
      expect(await client.campaigns.get('camp_morning')).toMatchObject(wanted);
    },
  },
  'campaigns.list': {
    operation: 'list-campaigns',
    check: async () => {
      const { campaigns, total } = await client.campaigns.list({ limit: 1, campaign_type: 'PROMOTION' });
      expect([campaigns.length, total]).toEqual([1, expect.any(Number)]);
      expect(campaigns[0]).toMatchObject({ object: 'campaign', campaign_type: 'PROMOTION' });
    },
  },
  'campaigns.addVoucher': {
    operation: 'add-vouchers',
    check: async () => {
      const added = await client.campaigns.addVoucher('Early tide', {}, { vouchers_count: 1 });
      expect(added).toMatchObject({ object: 'voucher', campaign: 'Early tide', code: expect.any(String) });
      expect(await client.campaigns.addVoucher('Early tide', {}, { vouchers_count: 2 })).toEqual({
        async_action_id: expect.stringMatching(/^aa_/),
      });
      await runOutbox(project.id, dependencies);
    },
  },
  'campaigns.delete': {
    operation: 'delete-campaign',
    check: async () => {
      const { id } = await client.campaigns.create({
        name: 'Gone soon',
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'AUTO_UPDATE',
        start_date: '2026-01-01T00:00:00Z',
        voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: DiscountVouchersTypesEnum.PERCENT, percent_off: 10 } },
      });
      await client.campaigns.delete('Gone soon', { force: true });
      await runOutbox(project.id, dependencies);
      await expect(client.campaigns.get(id)).rejects.toMatchObject({ code: 404 });
    },
  },
  'campaigns.addCertainVoucher': {
    operation: 'add-voucher-with-code',
    check: async () => {
      const added = await client.campaigns.addCertainVoucher('Early tide', 'OF-THE-CLIENT', {});
      expect(added).toMatchObject({ code: 'OF-THE-CLIENT', campaign: 'Early tide' });
    },
  },
  'campaigns.disable': {
    operation: 'disable-campaign',
    check: async () => {
      expect(await client.campaigns.disable('Early tide')).toEqual({});
      expect(await client.campaigns.get('Early tide')).toMatchObject({ active: false });
    },
  },
  'campaigns.enable': {
    operation: 'enable-campaign',
    check: async () => {
      expect(await client.campaigns.enable('Early tide')).toEqual({});
      expect(await client.campaigns.get('Early tide')).toMatchObject({ active: true });
    },
  },
  'campaigns.update': {
    operation: 'update-campaign',
    check: async () => {
      const change = { description: 'Now with cake', metadata: { cake: true } };
      const updated = await client.campaigns.update('Early tide', { type: 'STATIC', ...change });
      expect(updated).toMatchObject({ id: 'camp_morning', vouchers_generation_status: 'MODIFYING', ...change });
    },
  },
  'vouchers.create': {
    operation: 'create-voucher-with-code',
    check: async () => {
      const gift = { type: 'GIFT_VOUCHER', gift: { amount: 10000, balance: 10000 } } as const;
      const named = await client.vouchers.create({ ...gift, code: 'SDK 1/2', metadata: { a: 1 } });
      expect(named).toMatchObject({ ...gift, code: 'SDK 1/2', campaign: null, metadata: { a: 1 } });
      // It calls the path with a slash at its end.
      const drawn = await client.vouchers.create({ ...gift, additional_info: 'drawn' });
      expect(drawn).toMatchObject({ additional_info: 'drawn', code: expect.stringMatching(/^\w{8}$/) });
    },
  },
  'vouchers.list': {
    operation: 'list-vouchers',
    check: async () => {
      const { vouchers, total } = await client.vouchers.list({ campaign: 'Early tide', limit: 1, order: 'created_at' });
      expect(vouchers).toMatchObject([{ code: 'TIDE-HELLO', campaign: 'Early tide' }]);
      expect(total).toBeGreaterThan(1);
      const before = { created_at: { before: '2026-01-12T09:00:30Z' }, customer: 'crm-101' };
      expect((await client.vouchers.list(before)).vouchers).toEqual([]);
    },
  },
  'vouchers.update': {
    operation: 'update-voucher',
    check: async () => {
      const { code } = await client.vouchers.create({
        type: 'GIFT_VOUCHER',
        gift: { amount: 100, balance: 100 },
        metadata: { a: 1 },
      });
      const updated = await client.vouchers.update({ code, additional_info: 'new', metadata: { b: 2 } });
      expect(updated).toMatchObject({ code, additional_info: 'new', metadata: { a: 1, b: 2 } });
    },
  },
  'vouchers.delete': {
    operation: 'delete-voucher',
    check: async () => {
      const gift = { type: 'GIFT_VOUCHER', gift: { amount: 100, balance: 100 } } as const;
      for (const params of [undefined, { force: true }]) {
        const { code } = await client.vouchers.create(gift);
        await client.vouchers.delete(code, params);
        await expect(client.vouchers.get(code)).rejects.toMatchObject({ code: 404 });
      }
    },
  },
  'vouchers.get': {
    operation: 'get-voucher',
    check: async () => {
      const code = 'KAFFE & KAKE/50% på Bryggen';
      expect(await client.vouchers.get(code)).toMatchObject({
        code,
        object: 'voucher',
        type: 'DISCOUNT_VOUCHER',
        campaign: 'Early tide',
        discount: { type: 'PERCENT', percent_off: 50 },
        redemption: { quantity: null, redeemed_quantity: 0 },
        active: true,
      });
    },
  },
  'vouchers.enable': {
    operation: 'enable-voucher',
    check: async () => {
      expect(await client.vouchers.get('TIDE-ASLEEP')).toMatchObject({ active: false });
      expect(await client.vouchers.enable('TIDE-ASLEEP')).toMatchObject({ code: 'TIDE-ASLEEP', active: true });
    },
  },
  'vouchers.disable': {
    operation: 'disable-voucher',
    check: async () => {
      expect(await client.vouchers.disable('TIDE-CAPTAIN')).toMatchObject({ code: 'TIDE-CAPTAIN', active: false });
    },
  },
  'vouchers.balance.create': {
    operation: 'adjust-voucher-balance',
    check: async () => {
      const before = await balanceOf('CREW-INGRID');
      const balance = await client.vouchers.balance.create('CREW-INGRID', { amount: 5 });
      expect(balance).toMatchObject({ amount: 5, balance: before + 5, type: 'loyalty_card', object: 'balance' });
    },
  },
  'vouchers.bulkUpdate': {
    operation: 'update-vouchers-in-bulk',
    check: async () => {
      const started = await client.vouchers.bulkUpdate([{ code: 'TIDE-HELLO', metadata: { by: 'client' } }]);
      expect(started).toMatchObject({ async_action_id: expect.stringMatching(/^aa_/) });
    },
  },
  'vouchers.bulkUpdateMetadata': {
    operation: 'update-vouchers-metadata',
    check: async () => {
      const metadata = { season: 'spring' };
      const { async_action_id } = await client.vouchers.bulkUpdateMetadata({ codes: ['TIDE-HELLO'], metadata });
      await runOutbox(project.id, dependencies);
      expect(await client.asyncActions.get(async_action_id)).toMatchObject({ operation_status: 'SUCCESS' });
      expect(await client.vouchers.get('TIDE-HELLO')).toMatchObject({ metadata: { season: 'spring' } });
    },
  },
  'vouchers.import': {
    operation: 'import-vouchers',
    check: async () => {
      const discount = { type: DiscountVouchersTypesEnum.PERCENT, percent_off: 10 };
      // The library's own type has a result that no import has.
      const { async_action_id } = (await client.vouchers.import([
        { code: 'SDK-IMPORTED', type: 'DISCOUNT_VOUCHER', discount },
      ])) as unknown as { async_action_id: string };
      await runOutbox(project.id, dependencies);
      expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 1, failed: [] } });
      expect(await client.vouchers.get('SDK-IMPORTED')).toMatchObject({ discount });
    },
  },
  'campaigns.importVouchers': {
    operation: 'import-campaign-vouchers',
    check: async () => {
      const started = await client.campaigns.importVouchers('Early tide', [{ code: 'SDK-TIDE' }]);
      expect(started).toMatchObject({ async_action_id: expect.stringMatching(/^aa_/) });
      await runOutbox(project.id, dependencies);
      expect(await client.vouchers.get('SDK-TIDE')).toMatchObject({ campaign: 'Early tide' });
    },
  },
  'vouchers.listTransactions': {
    operation: 'list-voucher-transactions',
    check: async () => {
      await client.vouchers.balance.create('CREW-INGRID', { amount: 6 });
      const transactions = await client.vouchers.listTransactions('CREW-INGRID', { limit: 1, page: 1 });
      const balance = await balanceOf('CREW-INGRID');
      expect(transactions).toMatchObject({ ...list, data: [{ type: 'POINTS_ADDITION', points: 6, balance }] });
    },
  },
  'vouchers.exportTransactions': {
    operation: 'export-voucher-transactions',
    check: async () => {
      const started = await client.vouchers.exportTransactions('CREW-INGRID', { parameters: { order: 'created_at' } });
      expect(started).toMatchObject({ status: 'SCHEDULED', parameters: { order: 'created_at' } });
    },
  },
  'loyalties.get': {
    operation: 'get-loyalty-campaign',
    check: async () => {
      expect(await client.loyalties.get('camp_crew')).toMatchObject({
        id: 'camp_crew',
        name: 'Harbour Crew',
        campaign_type: 'LOYALTY_PROGRAM',
        voucher: { type: 'LOYALTY_CARD' },
        object: 'campaign',
      });
    },
  },
  'loyalties.listRewardAssignments': {
    operation: 'list-rewards',
    check: async () => {
      const all = await client.loyalties.listRewardAssignments('Harbour Crew');
      expect(all).toMatchObject({ ...list, total: 5 });
      expect(all.data.map(({ id }) => id)).toEqual([
        'rewa_large_tin',
        'rewa_tin',
        'rewa_coins',
        'rewa_morning',
        'rewa_beans',
      ]);
      const second = await client.loyalties.listRewardAssignments('camp_crew', { limit: 1, page: 4 });
      expect(second).toMatchObject({ total: 5, data: [{ id: 'rewa_morning', reward_id: 'rew_morning' }] });
    },
  },
  'loyalties.transferPoints': {
    operation: 'transfer-points',
    check: async () => {
      const [from, to] = [await balanceOf('CREW-INGRID'), await balanceOf('CREW-OLUF')];
      const entry = { code: 'CREW-INGRID', points: 10, source_id: 'till-7-0001', reason: 'a present' };
      const destination = await client.loyalties.transferPoints('camp_crew', 'CREW-OLUF', [entry]);
      expect(destination).toMatchObject({
        code: 'CREW-OLUF',
        type: 'LOYALTY_CARD',
        campaign: 'Harbour Crew',
        loyalty_card: { balance: to + 10 },
      });
      expect(await balanceOf('CREW-INGRID')).toBe(from - 10);
    },
  },
  'loyalties.listLoyaltyTierRewards': {
    operation: 'list-loyalty-tier-rewards',
    check: async () => {
      const rewards = await client.loyalties.listLoyaltyTierRewards('Harbour Crew', 'ltr_captain');
      expect(rewards).toMatchObject({ ...list, total: rewards.data.length });
      expect(rewards.data).not.toHaveLength(0);
      for (const { object, reward, assignment } of rewards.data) {
        expect(object).toBe('loyalty_tier_reward');
        expect(assignment.reward_id).toBe(reward.id);
      }
    },
  },
  'loyalties.listMemberLoyaltyTiers': {
    operation: 'list-member-tiers',
    check: async () => {
      expect(await client.loyalties.listMemberLoyaltyTiers('CREW-INGRID')).toMatchObject({
        ...list,
        total: 1,
        data: [{ object: 'loyalty_tier', campaign_id: 'camp_crew', points: { from: expect.any(Number) } }],
      });
    },
  },
  'loyalties.listMembers': {
    operation: 'list-members',
    check: async () => {
      const { vouchers, total, data_ref } = await client.loyalties.listMembers('Harbour Crew', { limit: 100 });
      expect([data_ref, vouchers.length]).toEqual(['vouchers', total]);
      expect(vouchers.map(({ code }) => code)).toEqual(expect.arrayContaining(['CREW-INGRID', 'CREW-OLUF']));
    },
  },
  'loyalties.createMember': {
    operation: 'add-member',
    check: async () => {
      const member = await client.loyalties.createMember('Harbour Crew', {
        customer: { source_id: 'sdk-member', name: 'Mia' },
        channel: 'desk',
        metadata: { desk: 2 },
      });
      expect(member).toMatchObject({
        object: 'voucher',
        type: 'LOYALTY_CARD',
        campaign_id: 'camp_crew',
        loyalty_card: { points: 0, balance: 0 },
      });
      expect(await client.customers.get('sdk-member')).toMatchObject({ id: member.holder_id, name: 'Mia' });
    },
  },
  'loyalties.getMember': {
    operation: 'get-member',
    check: async () => {
      const member = await client.loyalties.getMember(null, 'CREW-INGRID');
      expect(member).toMatchObject({ code: 'CREW-INGRID', type: 'LOYALTY_CARD', holder_id: 'cust_ingrid' });
      expect(await client.loyalties.getMember('camp_crew', 'CREW-INGRID')).toEqual(member);
    },
  },
  'loyalties.listMemberActivity': {
    operation: 'list-member-activity',
    check: async () => {
      await client.loyalties.addOrRemoveCardBalance('CREW-INGRID', { points: 1 });
      const found = await client.loyalties.listMemberActivity(null, 'CREW-INGRID', { limit: 1 });
      expect(found).toMatchObject({ object: 'list', data_ref: 'data', data: [{ id: expect.stringMatching(/^act_/) }] });
      expect(await client.loyalties.listMemberActivity('camp_crew', 'CREW-INGRID', { limit: 1 })).toEqual(found);
    },
  },
  'loyalties.addOrRemoveCardBalance': {
    operation: 'adjust-member-balance',
    check: async () => {
      const before = await balanceOf('CREW-OLUF');
      const added = { points: 9, expiration_type: 'NON_EXPIRING' } as const;
      expect(await client.loyalties.addOrRemoveCardBalance('CREW-OLUF', added)).toMatchObject({
        points: 9,
        balance: before + 9,
        type: 'loyalty_card',
        object: 'balance',
      });
      const removed = await client.loyalties.addOrRemoveCardBalance('CREW-OLUF', { points: -9 }, 'camp_crew');
      expect(removed).toMatchObject({ points: -9, balance: before });
    },
  },
  'loyalties.addPoints': {
    operation: 'adjust-campaign-member-balance',
    check: async () => {
      const before = await balanceOf('CREW-OLUF');
      expect(await client.loyalties.addPoints('Harbour Crew', 'CREW-OLUF', { points: 4 })).toMatchObject({
        points: 4,
        balance: before + 4,
        type: 'loyalty_card',
      });
    },
  },
  'loyalties.getPointsExpiration': {
    operation: 'list-points-expiration',
    check: async () => {
      const found = await client.loyalties.getPointsExpiration('camp_crew', 'CREW-INGRID', { limit: 1 });
      expect(found).toMatchObject({ object: 'list', data: [{ status: 'ACTIVE', object: 'loyalty_points_bucket' }] });
    },
  },
  'loyalties.exportCardTransactions': {
    operation: 'export-member-transactions',
    check: async () => {
      for (const campaign of [null, 'camp_crew']) {
        const sent = { parameters: { order: '-created_at', fields: ['id', 'amount'] } } as const;
        const started = await client.loyalties.exportCardTransactions('CREW-OLUF', campaign, {
          parameters: { order: sent.parameters.order, fields: [...sent.parameters.fields] },
        });
        expect(started).toMatchObject({ status: 'SCHEDULED', exported_object: 'voucher_transactions', ...sent });
      }
    },
  },
  'loyalties.listCardTransactions': {
    operation: 'list-member-transactions',
    check: async () => {
      await client.loyalties.addOrRemoveCardBalance('CREW-OLUF', { points: 8 });
      const transactions = await client.loyalties.listCardTransactions('CREW-OLUF', null, { limit: 20 });
      expect(transactions).toMatchObject({ ...list, has_more: false });
      expect(transactions.data[0]).toMatchObject({ type: 'POINTS_ADDITION', balance: await balanceOf('CREW-OLUF') });
      for (const { voucher_id, campaign_id } of transactions.data) {
        expect([voucher_id, campaign_id]).toEqual([expect.stringMatching(/^v_/), 'camp_crew']);
      }
    },
  },
  'promotions.tiers.listAll': {
    operation: 'list-promotion-tiers',
    check: async () => {
      const all = await client.promotions.tiers.listAll();
      expect(all).toMatchObject({ object: 'list', data_ref: 'tiers', has_more: false });
      const ids = ['promo_two_bags', 'promo_four_bags', 'promo_crate', 'promo_rainy_day'];
      expect(all.tiers.map(({ id }) => id)).toEqual(ids);
      const available = await client.promotions.tiers.listAll({ is_available: true, limit: 1, page: 1 });
      expect(available.tiers).toHaveLength(1);
    },
  },
  'promotions.tiers.list': {
    operation: 'list-campaign-promotion-tiers',
    check: async () => {
      const { tiers } = await client.promotions.tiers.list('Bean basket');
      expect(tiers.map(({ campaign }) => campaign?.id)).toEqual(Array(4).fill('camp_beans'));
    },
  },
  'promotions.tiers.get': {
    operation: 'get-promotion-tier',
    check: async () => {
      expect(await client.promotions.tiers.get('promo_two_bags')).toMatchObject({
        id: 'promo_two_bags',
        name: 'Two bags',
        object: 'promotion_tier',
        action: { discount: { type: 'PERCENT', percent_off: 5 } },
      });
    },
  },
  'promotions.tiers.update': {
    operation: 'update-promotion-tier',
    check: async () => {
      // As callers do who read, change one thing and send all of it back.
      const tier = await client.promotions.tiers.get('promo_two_bags');
      const updated = await client.promotions.tiers.update({ ...tier, banner: 'Two bags: 6 % off' });
      const changed = { banner: 'Two bags: 6 % off', updated_at: dependencies.clock().toISOString() };
      expect(updated).toEqual({ ...tier, ...changed });
    },
  },
  'customers.get': {
    operation: 'get-customer',
    check: async () => {
      const byId = await client.customers.get('cust_ingrid');
      expect(byId).toMatchObject({ id: 'cust_ingrid', object: 'customer', metadata: expect.any(Object) });
      const { source_id } = byId as { source_id: string };
      expect(await client.customers.get(source_id)).toEqual(byId);
    },
  },
  'customers.delete': {
    operation: 'delete-customer',
    check: async () => {
      await client.customers.delete('crm-190');
      await expect(client.customers.get('crm-190')).rejects.toMatchObject({ code: 404 });
    },
  },
  'customers.deletePermanently': {
    operation: 'delete-customer-permanently',
    check: async () => {
      const deleted = await client.customers.deletePermanently('crm-191');
      expect(deleted).toMatchObject({ related_object_id: 'cust_leaving', status: 'DONE', data_json: { customer: 1 } });
    },
  },
  'customers.updateInBulk': {
    operation: 'update-customers-in-bulk',
    check: async () => {
      const { async_action_id } = await client.customers.updateInBulk([{ source_id: 'crm-bulk', name: 'Bulk' }]);
      await runOutbox(project.id, dependencies);
      expect(await client.asyncActions.get(async_action_id)).toMatchObject({
        status: 'DONE',
        result: { done_count: 1 },
      });
      expect(await client.customers.get('crm-bulk')).toMatchObject({ name: 'Bulk' });
    },
  },
  'customers.updateMetadataInBulk': {
    operation: 'update-customers-metadata',
    check: async () => {
      const body = { source_ids: ['crm-101', 'crm-102'], metadata: { wave: 2 } };
      const { async_action_id } = await client.customers.updateMetadataInBulk(body);
      await runOutbox(project.id, dependencies);
      expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 2 } });
    },
  },
  'customers.create': {
    operation: 'create-customer',
    check: async () => {
      const { id } = (await client.customers.create({ source_id: 'sdk-1', name: 'Sol', metadata: { a: 1 } })) as Made;
      expect(id).toMatch(/^cust_/);
      const merged = await client.customers.create({ source_id: 'sdk-1', metadata: { b: 2 } });
      expect(merged).toMatchObject({ id, name: 'Sol', metadata: { a: 1, b: 2 } });
    },
  },
  'customers.update': {
    operation: 'update-customer',
    check: async () => {
      const { id } = (await client.customers.create({ source_id: 'sdk-2', name: 'Lua' })) as Made;
      expect(await client.customers.update({ source_id: 'sdk-2', phone: '1' })).toMatchObject({ id, phone: '1' });
      expect(await client.customers.update({ id, name: 'Luz' })).toMatchObject({ id, phone: '1', name: 'Luz' });
    },
  },
  'customers.list': {
    operation: 'list-customers',
    check: async () => {
      const page = await client.customers.list({ limit: 2, order: 'created_at' });
      expect(page).toMatchObject({ object: 'list', data_ref: 'customers', customers: [{ id: 'cust_ingrid' }, {}] });
      const dated = { email: 'oluf@post.example', created_at: { before: '2026-01-17' } };
      expect(await client.customers.list(dated)).toMatchObject({ total: 1, customers: [{ id: 'cust_oluf' }] });
      for (const order of ['created_at', '-created_at'] as const) {
        const scroll = client.customers.scroll({ limit: 1, order }) as AsyncIterable<Made>;
        const found: string[] = [];
        for await (const { id } of scroll) found.push(id);
        expect(new Set(found).size).toBe(found.length);
        expect(found).toEqual(expect.arrayContaining(['cust_ingrid', 'cust_oluf', 'cust_sian']));
      }
    },
  },
  'customers.listActivity': {
    operation: 'list-customer-activity',
    check: async () => {
      const first = await client.customers.listActivity('cust_ingrid', { limit: 1, order: 'created_at' });
      expect(first).toMatchObject({ ...list, data: [{ type: 'customer.created' }], has_more: true });
      const rest = { limit: 100, order: 'created_at' as const, starting_after_id: first.more_starting_after ?? '' };
      expect(await client.customers.listActivity('cust_ingrid', rest)).toMatchObject({ ...list, has_more: false });
    },
  },
  'customers.listRedeemables': {
    operation: 'list-customer-redeemables',
    check: async () => {
      const filters = { junction: 'and', voucher_type: { conditions: { $in: ['LOYALTY_CARD'] } } };
      const found = await client.customers.listRedeemables('cust_ingrid', { limit: 5, order: '-id', filters });
      expect(found).toMatchObject({
        ...list,
        data: [{ redeemable_object: 'voucher', redeemable: { voucher: { code: 'CREW-INGRID' } } }],
        has_more: false,
      });
    },
  },
  'customers.listActivities': {
    operation: 'list-customer-activities',
    check: async () => {
      const first = await client.customers.listActivities('cust_ingrid', { limit: 1, order: 'created_at' });
      expect(first).toMatchObject({ ...list, data: [{ type: 'customer.created' }] });
      const rest = await client.customers.listActivities('cust_ingrid', {
        limit: 100,
        order: 'created_at',
        starting_after_id: first.data[0]?.id,
      });
      expect(rest.data).toHaveLength(first.total - 1);
    },
  },
  'categories.create': {
    operation: 'create-category',
    check: async () => {
      expect(await newCategory('Made')).toMatchObject({ object: 'category', name: 'Made', hierarchy: 7 });
    },
  },
  'categories.get': {
    operation: 'get-category',
    check: async () => {
      const category = await newCategory('Read');
      expect(await client.categories.get(category.id)).toEqual(category);
    },
  },
  'categories.list': {
    operation: 'list-categories',
    check: async () => {
      const category = await newCategory('Listed');
      const all = await client.categories.list();
      expect(all).toMatchObject({ object: 'list', data_ref: 'data' });
      expect(all.data).toContainEqual(category);
    },
  },
  'categories.update': {
    operation: 'update-category',
    check: async () => {
      const { id } = await newCategory('Old');
      expect(await client.categories.update(id, { name: 'New', hierarchy: 8 })).toMatchObject({ id, name: 'New' });
    },
  },
  'categories.delete': {
    operation: 'delete-category',
    check: async () => {
      const { id } = await newCategory('Gone');
      await client.categories.delete(id);
      await expect(client.categories.get(id)).rejects.toMatchObject({ code: 404 });
    },
  },
  'distributions.publications.create': {
    operation: 'create-publication',
    check: async () => {
      const body = { voucher: 'TIN-LANTERN', customer: { source_id: 'crm-102' }, metadata: { a: 1 } };
      const made = await client.distributions.publications.create(body);
      expect(made).toMatchObject({ object: 'publication', result: 'SUCCESS', voucher: { holder_id: 'cust_oluf' } });
      expect(await client.vouchers.get('TIN-LANTERN')).toMatchObject({ holder_id: 'cust_oluf', publish: { count: 1 } });
    },
  },
  'distributions.publications.list': {
    operation: 'list-publications',
    check: async () => {
      const campaign = { name: 'Bring a shipmate', count: 2 };
      const made = await client.distributions.publications.create({ campaign, customer: { source_id: 'crm-102' } });
      const found = await client.distributions.publications.list({
        customer: 'crm-102',
        order: '-created_at',
        limit: 5,
      });
      expect([found.data_ref, found.publications?.[0]?.id]).toEqual(['publications', made.id]);
    },
  },
  'orders.create': {
    operation: 'create-order',
    check: async () => {
      const before = await balanceOf('CREW-OLUF');
      const made = await client.orders.create({
        source_id: 'sdk-1',
        status: 'PAID',
        items: [{ source_id: 'filter-paper', quantity: 2 }],
        customer: { source_id: 'crm-102' },
      });
      expect(made).toMatchObject({ object: 'order', status: 'PAID', amount: 9800, customer_id: 'cust_oluf' });
      expect(await balanceOf('CREW-OLUF')).toBe(before + 9);
    },
  },
  'orders.get': {
    operation: 'get-order',
    check: async () => {
      expect(await client.orders.get('till-3-2041')).toMatchObject({ id: 'ord_pickup', total_amount: 22700 });
    },
  },
  'orders.list': {
    operation: 'list-orders',
    check: async () => {
      const { orders, data_ref } = await client.orders.list({ limit: 100 });
      expect([data_ref, orders.map(({ id }) => id)]).toEqual(['orders', expect.arrayContaining(['ord_guest'])]);
    },
  },
  'orders.import': {
    operation: 'import-orders',
    check: async () => {
      const { async_action_id } = (await client.orders.import([
        { source_id: 'sdk-2', amount: 5 },
      ])) as unknown as Made & {
        async_action_id: string;
      };
      await runOutbox(project.id, dependencies);
      expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 1 } });
      expect(await client.orders.get('sdk-2')).toMatchObject({ amount: 5 });
    },
  },
  'orders.update': {
    operation: 'update-order',
    check: async () => {
      const changed = await client.orders.update({ id: 'ord_pickup', status: 'CANCELED' });
      expect(changed).toMatchObject({ id: 'ord_pickup', status: 'CANCELED', amount: 24700 });
    },
  },
  'redemptions.list': {
    operation: 'list-redemptions',
    check: async () => {
      const { redemptions, data_ref } = await client.redemptions.list({ limit: 100, result: 'SUCCESS' });
      expect([data_ref, redemptions.map(({ id }) => id)]).toEqual([
        'redemptions',
        expect.arrayContaining(['r_of_the_example']),
      ]);
    },
  },
  'redemptions.get': {
    operation: 'get-redemption',
    check: async () => {
      expect(await client.redemptions.get('r_of_several')).toMatchObject({ object: 'redemption', result: 'SUCCESS' });
    },
  },
  'redemptions.getForVoucher': {
    operation: 'get-voucher-redemptions',
    check: async () => {
      expect(await client.redemptions.getForVoucher('TIDE-HELLO')).toMatchObject({
        object: 'list',
        data_ref: 'redemption_entries',
        redeemed_quantity: expect.any(Number),
      });
    },
  },
  'redemptions.redeemStackable': {
    operation: 'redeem-redeemables',
    check: async () => {
      const { redemptions } = await client.redemptions.redeemStackable(await oneOfOwn());
      expect(redemptions).toMatchObject([{ result: 'SUCCESS', voucher: { redemption: { redeemed_quantity: 1 } } }]);
    },
  },
  'redemptions.rollback': {
    operation: 'rollback-redemption',
    check: async () => {
      const { redemptions } = await client.redemptions.redeemStackable(await oneOfOwn());
      const { id = '' } = redemptions[0] ?? {};
      expect(await client.redemptions.rollback(id, { reason: 'torn' })).toMatchObject({
        object: 'redemption_rollback',
        redemption: id,
        reason: 'torn',
        order: { status: 'CANCELED', total_amount: 900 },
      });
    },
  },
  'redemptions.rollbackStackable': {
    operation: 'rollback-redemptions',
    check: async () => {
      const { redemptions } = await client.redemptions.redeemStackable(await oneOfOwn());
      const { id = '' } = redemptions[0] ?? {};
      expect(await client.redemptions.rollbackStackable(id, { reason: 'torn' })).toMatchObject({
        rollbacks: [{ redemption: id, reason: 'torn' }],
        order: { status: 'CANCELED' },
      });
    },
  },
  'productCollections.create': {
    operation: 'create-product-collection',
    check: async () => {
      const filter = { junction: 'and', name: { conditions: { $is: ['House beans'] } } } as const;
      const made = await client.productCollections.create({ type: 'AUTO_UPDATE', name: 'Found', filter });
      expect(made).toMatchObject({ id: expect.stringMatching(/^pc_/), name: 'Found', type: 'AUTO_UPDATE', filter });
    },
  },
  'productCollections.list': {
    operation: 'list-product-collections',
    check: async () => {
      const { data } = await client.productCollections.list({ limit: 100, order: 'created_at' });
      expect(data.map(({ id }) => id).slice(0, 2)).toEqual(['pc_pantry', 'pc_dear']);
    },
  },
  'productCollections.get': {
    operation: 'get-product-collection',
    check: async () => {
      expect(await client.productCollections.get('pc_a11pr0dUc75')).toMatchObject({ name: 'All Products' });
    },
  },
  'productCollections.listProducts': {
    operation: 'list-collection-products',
    check: async () => {
      expect(await client.productCollections.listProducts('pc_pantry', { limit: 5 })).toMatchObject({
        total: 2,
        data: [{ id: 'prod_filter' }, { id: 'sku_beans_1000', product: { id: 'prod_beans' } }],
      });
    },
  },
  'productCollections.delete': {
    operation: 'delete-product-collection',
    check: async () => {
      const { id } = await client.productCollections.create({ type: 'STATIC', name: 'Gone', products: [] });
      await client.productCollections.delete(id);
      await expect(client.productCollections.get(id)).rejects.toMatchObject({ code: 404 });
    },
  },
  'products.bulkUpdate': {
    operation: 'update-products-in-bulk',
    check: async () => {
      const { async_action_id } = await client.products.bulkUpdate([{ source_id: 'beans', price: 9100 }]);
      await runOutbox(project.id, dependencies);
      expect(await client.asyncActions.get(async_action_id)).toMatchObject({
        status: 'DONE',
        result: { done_count: 1 },
      });
      expect(await client.products.get('beans')).toMatchObject({ price: 9100, name: 'House beans' });
    },
  },
  'products.bulkUpdateMetadata': {
    operation: 'update-products-metadata',
    check: async () => {
      const { async_action_id } = await client.products.bulkUpdateMetadata({
        source_ids: ['beans', 'filter-paper'],
        metadata: { shelf: 3 },
      });
      await runOutbox(project.id, dependencies);
      expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 2 } });
      expect(await client.products.get('beans')).toMatchObject({ metadata: { shelf: 3, roast: 'light' } });
    },
  },
  'products.create': {
    operation: 'create-product',
    check: async () => {
      const made = await client.products.create({ name: 'Mug', source_id: 'sdk-mug', price: 900, metadata: { a: 1 } });
      expect(made).toMatchObject({ object: 'product', source_id: 'sdk-mug', price: 900, metadata: { a: 1 } });
    },
  },
  'products.get': {
    operation: 'get-product',
    check: async () => {
      expect(await client.products.get('beans')).toMatchObject({ id: 'prod_beans', skus: { total: 2 } });
    },
  },
  'products.list': {
    operation: 'list-products',
    check: async () => {
      const { products, data_ref } = await client.products.list({ limit: 100 });
      expect([data_ref, products.map(({ id }) => id)]).toEqual(['products', expect.arrayContaining(['prod_beans'])]);
    },
  },
  'products.update': {
    operation: 'update-product',
    check: async () => {
      const changed = await client.products.update({ source_id: 'beans', price: 9100 });
      expect(changed).toMatchObject({ id: 'prod_beans', name: 'House beans', price: 9100 });
    },
  },
  'products.delete': {
    operation: 'delete-product',
    check: async () => {
      const { id } = await client.products.create({ name: 'Gone' });
      await client.products.delete(id, { force: true });
      await expect(client.products.get(id)).rejects.toMatchObject({ code: 404 });
    },
  },
  'products.createSku': {
    operation: 'create-sku',
    check: async () => {
      const { id } = await client.products.create({ source_id: 'sdk-cup' });
      const made = await client.products.createSku(id, { sku: 'Large', source_id: 'sdk-cup-l', price: 5 });
      expect(made).toMatchObject({ object: 'sku', product_id: id, sku: 'Large' });
      const { skus, total } = await client.products.listSkus('sdk-cup');
      expect([skus, total]).toEqual([[made], 1]);
    },
  },
  'products.listSkus': {
    operation: 'list-skus',
    check: async () => {
      expect(await client.products.listSkus('beans')).toMatchObject({ data_ref: 'skus', total: 2 });
    },
  },
  'products.getSku': {
    operation: 'get-sku',
    check: async () => {
      expect(await client.products.getSku('beans-1000')).toMatchObject({ id: 'sku_beans_1000', sku: '1 kg' });
    },
  },
  'products.updateSku': {
    operation: 'update-sku',
    check: async () => {
      const changed = await client.products.updateSku('beans', { id: 'sku_beans_250', sku: '250 g', price: 8100 });
      expect(changed).toMatchObject({ id: 'sku_beans_250', price: 8100 });
    },
  },
  'products.deleteSku': {
    operation: 'delete-sku',
    check: async () => {
      const { id } = await client.products.createSku('filter-paper', { sku: 'Gone' });
      await client.products.deleteSku('filter-paper', id);
      await expect(client.products.getSku(id)).rejects.toMatchObject({ code: 404 });
    },
  },
  'events.create': {
    operation: 'send-event',
    check: async () => {
      const record = await client.events.create('cup_returned', {
        event: 'cup_returned',
        customer: { source_id: 'web-77', name: 'Wanda' },
        loyalty: { code: 'CREW-INGRID' },
      });
      expect(record).toMatchObject({
        object: 'event',
        type: 'cup_returned',
        customer: { object: 'customer', source_id: 'web-77', name: 'Wanda' },
        referral: null,
        loyalty: null,
      });
    },
  },
  'promotions.create': {
    operation: 'create-campaign',
    check: async () => {
      const action = { discount: { type: DiscountVouchersTypesEnum.AMOUNT, amount_off: 500 } };
      const promotion = { tiers: [{ name: 'Silver', banner: 'First', action }] };
      expect(
        await client.promotions.create({ name: 'Of the client', campaign_type: 'PROMOTION', promotion }),
      ).toMatchObject({
        campaign_type: 'PROMOTION',
        vouchers_generation_status: 'DONE',
        promotion: { tiers: [{ name: 'Silver', hierarchy: 1, action }], has_more: false },
      });
    },
  },
  ...programmeCases(() => client),
  ...rewardCases(() => client),
  ...promotionCases(() => client),
};

describe('the client gets from', () => {
  const rows = [...Object.entries(cases).map(([method, row]) => ({ method, ...row, told: 'works' }))];

  test.each(rows)('$method what the interface promises', async ({ method, operation, check, told }) => {
    const { route } = operationNamed(operation);
    const row = { method, path: `${route.method} ${route.path}`, outcome: 'FAILS' };
    outcomes.push(row);
    await check();
    row.outcome = told;
  });
});

describe('an error of the client', () => {
  test('names the resource that it is about', async () => {
    const failure = client.vouchers.get('NOPE');
    await expect(failure).rejects.toThrow('Resource not found');
    await expect(failure).rejects.toMatchObject({
      code: 404,
      key: 'not_found',
      details: expect.stringContaining('voucher'),
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      resource_id: 'NOPE',
      resource_type: 'voucher',
    });
  });

  test('tells what was wrong with a body, in all places', async () => {
    const entries = [{ code: 'CREW-INGRID', points: 0, source_id: '' }];
    await expect(client.loyalties.transferPoints('camp_crew', 'CREW-OLUF', entries)).rejects.toMatchObject({
      code: 400,
      key: 'invalid_payload',
      details: '[0].points must be 1 or more; [0].source_id must not be empty',
      request_id: expect.any(String),
      resource_id: undefined,
      resource_type: undefined,
    });
  });

  test('tells a wrong secret key from a missing resource', async () => {
    const stranger = clientAt(server.baseUrl, { ...project.credentials, 'x-app-token': 'guessed' });
    await expect(stranger.vouchers.get('TIDE-HELLO')).rejects.toMatchObject({ code: 401, key: 'unauthorized' });
  });
});

/** Stands for any argument of any method: a text that has what objects are asked for. */
const argument = Object.assign(new String('x'), { id: 'x', code: 'x', source_id: 'x' });

test.each([
  ['customers', 'Source_id,Name\nsdk-file,Runa\n', { name: 'Runa' }],
  ['products', 'source_id,price\nsdk-file,12.50\n', { price: 1250 }],
  [
    'vouchers',
    'Code,Voucher Type,Value,Discount Type\nsdk-file,DISCOUNT_VOUCHER,12.50,AMOUNT\n',
    { discount: { type: 'AMOUNT', amount_off: 1250 } },
  ],
] as const)('%s come from a CSV file that the client reads', async (part, content, shown) => {
  const folder = await mkdtemp(join(tmpdir(), 'csv-'));
  const file = join(folder, 'rows.csv');
  await writeFile(file, content);
  const { async_action_id } = await client[part].importCSV(file);
  await rm(folder, { recursive: true });
  await runOutbox(project.id, dependencies);
  expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 1, failed: [] } });
  expect(await client[part].get('sdk-file')).toMatchObject(shown);
});

test('SKUs of a product come from a CSV file that the client reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'csv-'));
  const file = join(folder, 'rows.csv');
  await writeFile(file, 'product_id,source_id,price\nprod_beans,sdk-sku-file,12.50\n');
  const { async_action_id } = await client.products.importSkusCSV(file);
  await rm(folder, { recursive: true });
  await runOutbox(project.id, dependencies);
  expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 1, failed: [] } });
  const { skus } = await client.products.listSkus('prod_beans');
  expect(skus).toContainEqual(expect.objectContaining({ source_id: 'sdk-sku-file', price: 1250 }));
});

test('the client reads what is left of its calls', async () => {
  await client.vouchers.get('TIDE-HELLO');
  const { apiLimitsHandler: limits } = client;
  expect(limits.areLimitsAvailable()).toBe(true);
  for (const left of [limits.getRateLimit(), limits.getRateLimitRemaining()]) expect(left).toEqual(expect.any(Number));
});

test("a campaign's vouchers come from a CSV file that the client reads", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'csv-'));
  const file = join(folder, 'rows.csv');
  await writeFile(file, 'Code\nsdk-tide-file\n');
  const { async_action_id } = await client.campaigns.importVouchersCSV('camp_morning', file);
  await rm(folder, { recursive: true });
  await runOutbox(project.id, dependencies);
  expect(await client.asyncActions.get(async_action_id)).toMatchObject({ result: { done_count: 1, failed: [] } });
  expect(await client.vouchers.get('sdk-tide-file')).toMatchObject({ campaign: 'Early tide' });
});

/** The transport, which has methods of its own. */
const transport = ['client', 'requestController'];

/** Parts that several others share count once, under the first name. */
function methodsOf(value: object, name: string, seen: Set<object>): [string, (...args: unknown[]) => unknown][] {
  if (seen.has(value)) return [];
  seen.add(value);
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(value))
    .filter((key) => key !== 'constructor')
    .map((key): [string, (...args: unknown[]) => unknown] => [
      `${name}.${key}`,
      (...args) => Reflect.get(value, key).apply(value, args),
    ]);
  const parts = Object.entries(value).filter(([key, part]) => !transport.includes(key) && typeof part === 'object');
  return [...own, ...parts.flatMap(([key, part]) => methodsOf(part, `${name}.${key}`, seen))];
}

test('no method of the client whose path the service has is left out above', async () => {
  let sent = '';
  const recorder = createServer((request, response) => {
    sent = `${request.method} ${new URL(request.url ?? '', 'http://recorder').pathname}`;
    response.setHeader('Content-Type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const address = recorder.address();
  const apiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const known = routes.toSorted(bySpecificity);
  const served: string[] = [];
  const others = new Set<string>();
  let asked = 0;
  try {
    const probed = VoucherifyServerSide({ apiUrl, applicationId: 'x', secretKey: 'x' });
    const seen = new Set<object>();
    // `validations` only borrows `promotions`, which stands later.
    const parts = Object.entries(probed).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const all = parts.flatMap(([name, part]) => methodsOf(part, name, seen));
    // A method that takes a campaign or none has a path for either.
    for (const [name, call] of all) {
      for (const args of [
        [argument, argument, argument],
        [argument, null, argument],
      ]) {
        sent = '';
        // Some read files or other replies; what they send before they fail is what counts.
        await Promise.resolve()
          .then(() => call(...args))
          .catch(() => {});
        if (sent !== '') asked += 1;
        const [method, path = ''] = sent.split(' ');
        if (known.some((route) => route.method === method && matchPath(route.path, path))) served.push(name);
        else if (sent !== '') others.add(`${name} ${sent}`);
      }
    }
  } finally {
    recorder.close();
    recorder.closeAllConnections();
  }
  expect(asked).toBeGreaterThan(100);
  expect([...new Set(served)].sort()).toEqual(Object.keys(cases).sort());
  const left = [...others].flatMap((line) => {
    const [name = '', ...sent] = line.split(' ');
    return served.includes(name) ? [] : [{ name, sent: sent.join(' ') }];
  });
  expect(left.filter(({ name }) => !Object.hasOwn(unserved, name))).toEqual([]);
  const lines = left.map(
    ({ name, sent }) => `  ${name}  ${sent.replaceAll(/\/(?:x|null)\b/g, '/{id}')}  ${unserved[name]}`,
  );
  process.stdout.write(`${['And those whose path it does not have:', ...new Set(lines)].join('\n')}\n`);
});
