import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as create } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as remove } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as update } from '../../functions/promotions/update-promotion-tier.ts';
import { caller } from '../support/call.ts';
import { type Command, clientWith } from '../support/client.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { loadProject, type TestProject } from '../support/project.ts';

type Place = Pick<ReturnType<typeof testDependencies>, 'dynamodb'>;

function world({ credentials: headers }: TestProject, { dynamodb }: Place = testDependencies()) {
  const clock = standingClock();
  const dependencies = testDependencies({ clock, dynamodb });
  const call = (handler: Parameters<typeof caller>[0], request: object) => {
    clock.advance(1);
    return caller(handler, dependencies)({ headers, ...request });
  };
  const at = (promotionTierId: string) => ({ params: { promotionTierId } });
  return {
    makeCampaign: (body: object) => call(createCampaign, { body }),
    create: (body: object = {}, campaignId = 'camp_1') =>
      call(create, { params: { campaignId }, body: { name: 'A', ...body } }),
    update: (tier: string, body: object) => call(update, { ...at(tier), body }),
    remove: (tier: string) => call(remove, at(tier)),
  };
}

const campaigns = [{ id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' }];
const load = () => loadProject({ campaigns });

describe('a new promotion tier', () => {
  test('is ranked behind the highest existing tier, not behind one that was deleted or moved a moment ago', async () => {
    const { create, update, remove } = world(await load());
    const made = async (body: object = {}) => (await create(body)).body;
    await made();
    const second = await made();
    const ninth = await made({ hierarchy: 9 });
    await remove(ninth.id);
    expect((await made()).hierarchy).toBe(3);
    await update(second.id, { hierarchy: 20 });
    await update(second.id, { hierarchy: 2 });
    const fourth = await made();
    expect(fourth.hierarchy).toBe(4);
    await update(second.id, { hierarchy: 30 });
    await remove(second.id);
    await remove(fourth.id);
    expect((await made()).hierarchy).toBe(4);
  });

  test('is ranked behind the highest existing tier while the list of tiers lags', async () => {
    const lagging = clientWith(testDependencies().dynamodb, async ({ constructor: { name }, input }, real) =>
      name === 'QueryCommand' && input.IndexName ? { Items: [] } : real(),
    );
    const { create, update, remove } = world(await load(), { dynamodb: lagging });
    const made = async () => (await create()).body;
    const [first, , third] = [await made(), await made(), await made()];
    expect([first.hierarchy, third.hierarchy]).toEqual([1, 3]);
    await remove(third.id);
    expect((await made()).hierarchy).toBe(3);
    await update(first.id, { hierarchy: 7 });
    expect((await made()).hierarchy).toBe(8);
  });

  test('is ranked behind the tiers of its new campaign while the list of tiers lags', async () => {
    const lagging = clientWith(testDependencies().dynamodb, async ({ constructor: { name }, input }, real) =>
      name === 'QueryCommand' && input.IndexName ? { Items: [] } : real(),
    );
    const { makeCampaign, create } = world(await load(), { dynamodb: lagging });
    const tiers = [{ name: 'A' }, { name: 'B' }, { name: 'C' }];
    const { body } = await makeCampaign({ campaign_type: 'PROMOTION', name: 'Two', promotion: { tiers } });
    expect((await create({}, body.id)).body.hierarchy).toBe(4);
  });

  test('is ranked behind the highest existing tier while the list has a tier at its earlier place', async () => {
    const project = await loadProject({
      campaigns,
      promotion_tiers: [
        { id: 'promo_moved', name: 'A', campaign_id: 'camp_1', hierarchy: 9 },
        { id: 'promo_stays', name: 'B', campaign_id: 'camp_1', hierarchy: 5 },
      ],
    });
    const replies = new Map<string, Promise<unknown>>();
    const isList = ({ constructor: { name }, input }: Command) => name === 'QueryCommand' && input.IndexName === 'gsi3';
    const lagging = clientWith(testDependencies().dynamodb, (command, real) => {
      if (!isList(command)) return real();
      const asked = JSON.stringify(command.input);
      const reply = replies.get(asked) ?? real();
      replies.set(asked, reply);
      return reply;
    });
    const { create, update, remove } = world(project, { dynamodb: lagging });
    const { body } = await create();
    expect(body.hierarchy).toBe(10);
    await remove(body.id);
    await update('promo_moved', { hierarchy: 2 });
    expect((await create()).body.hierarchy).toBe(6);
  });

  test('is first again after all were deleted', async () => {
    const { create, remove } = world(await load());
    await remove((await create({ hierarchy: 5 })).body.id);
    expect((await create()).body.hierarchy).toBe(1);
  });
});
