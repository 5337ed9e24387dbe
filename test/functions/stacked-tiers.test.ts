import { describe, expect, test } from 'vitest';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { exported } from '../support/exported.ts';
import { load, world } from '../support/promotion-stacks.ts';

describe('a tier of a stack', () => {
  test('is not deleted before the stack is deleted, or stops naming it', async () => {
    const own = world(await load());
    const { body } = await own.create(['promo_a0', 'promo_a1']);
    const refused = await own.removeTier('promo_a0');
    expect(refused.body).toMatchObject({ code: 400, key: 'resource_in_use', resource_id: 'promo_a0' });
    expect(refused.body).toMatchObject({ related_object_ids: [body.id], related_object_type: 'promotion_stack' });
    await own.update(body.id, { tiers: { ids: ['promo_a1'] } });
    expect((await own.removeTier('promo_a0')).status).toBe(204);
    expect((await own.removeTier('promo_a1')).status).toBe(400);
    await own.remove(body.id);
    expect((await own.removeTier('promo_a1')).status).toBe(204);
  });

  test('is deleted, or gets into stacks, by twenty concurrent requests for either', async () => {
    const own = world(await load());
    for (let round = 0; round < 4; round++) {
      const tier = `promo_a${round}`;
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 4 === round ? own.removeTier(tier) : own.create([tier]))),
      );
      const statuses = new Set(replies.map(({ status }) => status));
      const isGone = statuses.has(204);
      expect(statuses.has(200)).toBe(!isGone);
      expect([...statuses].every((status) => (isGone ? [204, 404] : [200, 400]).includes(status))).toBe(true);
    }
  });

  test('is deleted with its campaign, and so are its stacks', async () => {
    const project = await load();
    const own = world(project);
    const { body } = await own.create(['promo_a0']);
    await own.create(['promo_b0'], { name: 'B' }, 'camp_b');
    expect((await own.call(deleteCampaign, { params: { campaignId: 'camp_a' }, query: 'force=true' })).status).toBe(
      202,
    );
    expect(await own.names()).toEqual(['B', 1]);
    expect((await own.get(body.id)).status).toBe(404);
    await own.runOutbox();
    expect((await exported(project.id)).promotion_stacks.map(({ name }: { name: string }) => name)).toEqual(['B']);
  });
});
