import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/loyalties/list-loyalty-tier-rewards.ts';
import { caller } from '../support/call.ts';
import { assignedReward } from '../support/lists.ts';
import { loadProject, type TestProject } from '../support/project.ts';

type Lists = Record<string, { id: string }[]>;

let project: TestProject;
let acme: Lists;
beforeAll(async () => {
  acme = JSON.parse(await readFile(new URL('../support/acme.json', import.meta.url), 'utf8'));
  const { categories, campaigns, rewards, reward_assignments, loyalty_tiers, earning_rules, event_schema } = acme;
  project = await loadProject({
    categories,
    campaigns,
    rewards,
    reward_assignments,
    loyalty_tiers,
    earning_rules,
    event_schema,
  });
});

const read = (campaignId: string, loyaltyTierId: string, headers = project.credentials) =>
  caller(handler)({ params: { campaignId, loyaltyTierId }, headers });

describe('the rewards of a loyalty tier', () => {
  test.each([
    ['camp_club', 'ltr_gold', { rewa_01: 30, rewa_02: 35 }],
    ['Acme Club', 'ltr_silver', { rewa_01: 40 }],
    ['camp_club', 'ltr_bronze', {}],
  ])(
    'of %s in %s are complete, newest assignment first, at the price of the tier or else the base price',
    async (name, tier, prices) => {
      const own: Readonly<Record<string, number>> = prices;
      const assigned = (acme.reward_assignments ?? []).filter(
        (one) => 'related_object_id' in one && one.related_object_id === 'camp_club',
      );
      const expected = assigned.toReversed().map((assignment) => ({
        reward: acme.rewards?.find(({ id }) => 'reward_id' in assignment && id === assignment.reward_id),
        assignment: {
          ...assignment,
          ...(own[assignment.id] === undefined ? {} : { parameters: { loyalty: { points: own[assignment.id] } } }),
        },
        object: 'loyalty_tier_reward',
      }));
      expect(expected.length).toBeGreaterThan(10);
      const { status, body } = await read(name, tier);
      expect([status, body]).toEqual([
        200,
        { object: 'list', data_ref: 'data', data: expected, total: expected.length },
      ]);
    },
  );

  test.each([
    ['an unknown tier', 'camp_club', 'ltr_nope', 'loyalty_tier', 'ltr_nope'],
    ['a tier of another campaign', 'camp_partner', 'ltr_gold', 'loyalty_tier', 'ltr_gold'],
    ['an unknown campaign', 'camp_nope', 'ltr_gold', 'campaign', 'camp_nope'],
    ['a campaign that is not a loyalty campaign', 'camp_spring', 'ltr_gold', 'campaign', 'camp_spring'],
  ])('are a 404 for %s', async (_, campaignId, tierId, resource_type, resource_id) => {
    expect((await read(campaignId, tierId)).body).toMatchObject({ code: 404, resource_type, resource_id });
  });
});

test('rewards that exceed a reply are shown as far as they fit, with the total', async () => {
  const rewards = Array.from({ length: 70 }, (_, index) => ({
    ...{ id: `rew_${index}`, name: `Reward ${index}`, type: 'MATERIAL', parameters: { product: { id: 'prod_1' } } },
    ...{ metadata: { text: '"'.repeat(25_000) }, created_at: '2026-01-01T00:00:00Z' },
  }));
  const long = await loadProject({
    campaigns: [{ id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' }],
    loyalty_tiers: [{ id: 'ltr_gold', name: 'Gold', campaign_id: 'camp_club', points: { from: 10 } }],
    rewards,
    products: [{ id: 'prod_1' }],
    reward_assignments: rewards.map(({ id }) =>
      assignedReward(id.replace('rew', 'rewa'), id, 5, { created_at: '2026-01-01T00:00:00Z' }),
    ),
  });
  const { status, body } = await read('camp_club', 'ltr_gold', long.credentials);
  expect([status, body.total]).toEqual([200, 70]);
  expect(body.data.length).toBeGreaterThan(40);
  expect(body.data.length).toBeLessThan(70);
});
