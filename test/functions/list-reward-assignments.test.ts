import { describe, expect, inject, test } from 'vitest';
import { placeRewardAssignment } from '#engine/loyalty/reward.ts';
import { handler as listHandler } from '../../functions/loyalties/list-reward-assignments.ts';
import { handler as twinHandler } from '../../functions/loyalties/list-rewards.ts';
import { caller } from '../support/call.ts';
import { countAsTheStreamDoes } from '../support/counted.ts';
import { testDependencies } from '../support/dependencies.ts';
import { tableOfFile } from '../support/listed.ts';
import { loadProject } from '../support/project.ts';

const programme = { campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
const campaigns = [
  { ...programme, id: 'camp_club', name: 'Club' },
  { ...programme, id: 'camp_other', name: 'Other club' },
  { ...programme, id: 'camp_empty', name: 'Empty club' },
  { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' },
];
const at = (minute: number) => new Date(Date.UTC(2026, 1, 4, 8, minute)).toISOString();
const assignment = (index: number, related_object_id: string, minute = index) => ({
  id: `rewa_${String(index).padStart(4, '0')}`,
  reward_id: 'rew_mug',
  related_object_id,
  related_object_type: 'campaign',
  parameters: { loyalty: { points: 50 + index } },
  created_at: at(minute),
  updated_at: index % 2 ? at(minute) : null,
  object: 'reward_assignment',
});
const rewards = [{ id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } }];
/** There are three per minute, so the id decides among them. */
const ofClub = Array.from({ length: 12 }, (_, index) => assignment(index, 'camp_club', Math.floor(index / 3)));
const newestFirst = ofClub.toReversed();

const project = await loadProject({
  campaigns,
  rewards,
  reward_assignments: [...ofClub.slice(6), assignment(50, 'camp_other'), ...ofClub.slice(0, 6)],
});

describe.each([
  ['reward-assignments', listHandler],
  ['rewards', twinHandler],
])('the reward assignments of a loyalty campaign, under /%s,', (_, handler) => {
  const read = (campaignId: string, query = '') =>
    caller(handler)({ params: { campaignId }, query, headers: project.credentials });

  test('are newest first in a loaded project, ten by default', async () => {
    const { status, body } = await read('camp_club');
    expect(status).toBe(200);
    expect(body).toEqual({ object: 'list', data_ref: 'data', data: newestFirst.slice(0, 10), total: 12 });
  });

  test('are listed page by page, by id or name of the campaign', async () => {
    for (const name of ['camp_club', 'Club']) {
      const pages = await Promise.all([1, 2, 3, 4].map((page) => read(name, `limit=5&page=${page}`)));
      expect(pages.flatMap(({ body }) => body.data)).toEqual(newestFirst);
      expect(pages.map(({ body }) => body.total)).toEqual([12, 12, 12, 12]);
    }
    expect((await read('camp_empty')).body).toMatchObject({ data: [], total: 0 });
  });

  test('can be filtered to one', async () => {
    const one = ofClub[4];
    expect((await read('camp_club', 'assignmentId=rewa_0004')).body).toMatchObject({ data: [one], total: 1 });
    expect((await read('camp_club', 'assignmentId=rewa_0004&page=2')).body).toMatchObject({ data: [], total: 1 });
    for (const id of ['rewa_nope', 'rewa_0050']) {
      expect((await read('camp_club', `assignmentId=${id}`)).body).toMatchObject({ data: [], total: 0 });
    }
  });

  test.each(['camp_nope', 'camp_promo', 'Promo'])('are a 404 for %s, which is not a loyalty campaign', async (name) => {
    expect((await read(name)).body).toMatchObject({ code: 404, resource_id: name, resource_type: 'campaign' });
  });
});

test('among 1,000 the first page and the hundredth cost a page, and the total is exact', async () => {
  const all = Array.from({ length: 1_000 }, (_, index) => assignment(index, 'camp_club'));
  const own = await loadProject({ campaigns, rewards, reward_assignments: all });
  await countAsTheStreamDoes(
    tableOfFile(),
    all.map((item) => placeRewardAssignment(own.id, item)),
  );
  for (const page of [1, 2, 100]) {
    const dependencies = testDependencies();
    const { body } = await caller(
      listHandler,
      dependencies,
    )({
      params: { campaignId: 'camp_club' },
      query: `page=${page}`,
      headers: own.credentials,
    });
    expect(body).toMatchObject({ data: all.toReversed().slice((page - 1) * 10, page * 10), total: 1_000 });
    // DynamoDB Local reports other units than AWS.
    if (!inject('engineName').startsWith('dynoxide')) continue;
    const { read_units } = JSON.parse(dependencies.lines.at(-1) ?? '{}');
    // Ten assignments, the campaign, the credentials, the total, and the keys up to the page: at most a thousand.
    expect(read_units).toBeLessThanOrEqual(page === 100 ? 65 : 25);
  }
});
