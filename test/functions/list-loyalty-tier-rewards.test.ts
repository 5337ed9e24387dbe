import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '../../functions/loyalties/list-loyalty-tier-rewards.ts';
import { caller } from '../support/call.ts';
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
const entry = (list: string, id: string) => acme[list]?.find((one) => one.id === id);

describe('the rewards of a loyalty tier', () => {
  test('are those whose assignments its map names, in the order of the assignments, each as the file has it', async () => {
    const object = 'loyalty_tier_reward';
    const first = {
      reward: entry('rewards', 'rew_coupon'),
      assignment: entry('reward_assignments', 'rewa_01'),
      object,
    };
    const second = { reward: entry('rewards', 'rew_pay'), assignment: entry('reward_assignments', 'rewa_02'), object };
    for (const name of ['camp_club', 'Acme Club']) {
      const { status, body } = await read(name, 'ltr_gold');
      expect(status).toBe(200);
      expect(body).toEqual({ object: 'list', data_ref: 'data', data: [second, first], total: 2 });
    }
    expect((await read('camp_club', 'ltr_silver')).body).toMatchObject({ data: [first], total: 1 });
    expect((await read('camp_club', 'ltr_bronze')).body).toMatchObject({ data: [], total: 0 });
  });

  test.each([
    ['an unknown tier', 'camp_club', 'ltr_nope', 'loyalty_tier', 'ltr_nope'],
    ['a tier of another campaign', 'camp_partner', 'ltr_gold', 'loyalty_tier', 'ltr_gold'],
    ['an unknown campaign', 'camp_nope', 'ltr_gold', 'campaign', 'camp_nope'],
    ['a campaign that is no loyalty campaign', 'camp_spring', 'ltr_gold', 'campaign', 'camp_spring'],
  ])('are not there for %s', async (_, campaignId, tierId, resource_type, resource_id) => {
    expect((await read(campaignId, tierId)).body).toMatchObject({ code: 404, resource_type, resource_id });
  });

  test('are told to nobody without credentials', async () => {
    expect((await read('camp_club', 'ltr_gold', {})).status).toBe(401);
  });
});
