import { once } from 'node:events';
import { createServer } from 'node:http';
import { DiscountVouchersTypesEnum, VoucherifyServerSide } from '@voucherify/sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { type Operation, routes } from '../../lib/routes/index.ts';
import { bySpecificity, matchPath } from '../../lib/routes/match.ts';
import type { Route } from '../../lib/routes/route.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import type { TestProject } from '../support/project.ts';

/** The published client of this interface, unchanged, pointed at the local server by its base url. */
type Client = ReturnType<typeof VoucherifyServerSide>;

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

interface Case {
  operation: Operation;
  check: () => Promise<void>;
}

const list = { object: 'list', data_ref: 'data' };

/** What a caller asks of each method, by its name in the client. */
const cases: Record<string, Case> = {
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
  'campaigns.update': {
    operation: 'update-campaign',
    check: async () => {
      const change = { description: 'Now with cake', metadata: { cake: true } };
      const updated = await client.campaigns.update('Early tide', { type: 'STATIC', ...change });
      expect(updated).toMatchObject({ id: 'camp_morning', vouchers_generation_status: 'MODIFYING', ...change });
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
  'vouchers.listTransactions': {
    operation: 'list-voucher-transactions',
    check: async () => {
      const transactions = await client.vouchers.listTransactions('CREW-INGRID', { limit: 1, page: 1 });
      expect(transactions).toMatchObject({ ...list, data: [{ balance: await balanceOf('CREW-INGRID') }] });
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
      expect(all).toMatchObject({ ...list, total: 3 });
      expect(all.data.map(({ id }) => id)).toEqual(['rewa_coins', 'rewa_morning', 'rewa_beans']);
      const second = await client.loyalties.listRewardAssignments('camp_crew', { limit: 1, page: 2 });
      expect(second).toMatchObject({ total: 3, data: [{ id: 'rewa_morning', reward_id: 'rew_morning' }] });
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
  'loyalties.listCardTransactions': {
    operation: 'list-member-transactions',
    check: async () => {
      const transactions = await client.loyalties.listCardTransactions('CREW-OLUF', null, { limit: 5 });
      expect(transactions).toMatchObject({ ...list, has_more: false });
      expect(transactions.data).not.toHaveLength(0);
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
      expect(all.tiers.map(({ id }) => id)).toEqual(['promo_two_bags', 'promo_four_bags', 'promo_crate']);
      const available = await client.promotions.tiers.listAll({ is_available: true, limit: 1, page: 1 });
      expect(available.tiers).toHaveLength(1);
    },
  },
  'promotions.tiers.list': {
    operation: 'list-campaign-promotion-tiers',
    check: async () => {
      const { tiers } = await client.promotions.tiers.list('Bean basket');
      expect(tiers.map(({ campaign }) => campaign?.id)).toEqual(['camp_beans', 'camp_beans', 'camp_beans']);
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
};

/** Methods whose path the service has, though the contract gives it to another kind of campaign. */
const refused: Record<string, Case> = {
  'promotions.create': {
    operation: 'create-campaign',
    check: async () => {
      // Contract, endpoint 5: `campaign_type` has the one value DISCOUNT_COUPONS.
      const sent = client.promotions.create({ name: 'Not here', campaign_type: 'PROMOTION', promotion: { tiers: [] } });
      await expect(sent).rejects.toMatchObject({ code: 400, key: 'invalid_payload' });
    },
  },
};

describe('the client gets from', () => {
  const rows = [
    ...Object.entries(cases).map(([method, row]) => ({ method, ...row, told: 'works' })),
    ...Object.entries(refused).map(([method, row]) => ({ method, ...row, told: 'refused, as the contract has it' })),
  ];

  test.each(rows)('$method what the interface promises', async ({ method, operation, check, told }) => {
    const row = { method, path: `${routes[operation].method} ${routes[operation].path}`, outcome: 'FAILS' };
    outcomes.push(row);
    await check();
    row.outcome = told;
  });
});

describe('an error of the client', () => {
  test('names the resource that it is about', async () => {
    const failure = client.vouchers.get('NOPE');
    await expect(failure).rejects.toThrow('The resource was not found.');
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
  const known: Route[] = Object.values<Route>(routes).toSorted(bySpecificity);
  const served: string[] = [];
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
      }
    }
  } finally {
    recorder.close();
    recorder.closeAllConnections();
  }
  expect(asked).toBeGreaterThan(100);
  expect([...new Set(served)].sort()).toEqual([...Object.keys(cases), ...Object.keys(refused)].sort());
});
