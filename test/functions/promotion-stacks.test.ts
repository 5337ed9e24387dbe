import { beforeAll, describe, expect, test } from 'vitest';
import { handler as deleteCategory } from '../../functions/categories/delete-category.ts';
import { handler as create } from '../../functions/promotions/create-promotion-stack.ts';
import { exported } from '../support/exported.ts';
import { faultsOf, loadProject, projectFile } from '../support/project.ts';
import { lists, load, tiersOf, world } from '../support/promotion-stacks.ts';

describe('a promotion stack', () => {
  test('is created, read, changed and deleted, and its tiers stay in their order', async () => {
    const own = world(await load());
    const ids = ['promo_a2', 'promo_a0', 'promo_a1'];
    const { status, body } = await own.create(ids, { category_id: 'cat_1' }, 'Alpha');
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^stack_/),
        name: 'S',
        campaign_id: 'camp_a',
        tiers: { ids },
        category_id: 'cat_1',
        categories: [expect.objectContaining({ id: 'cat_1', name: 'Tea' })],
        created_at: '2026-06-15T12:00:01.000Z',
        object: 'promotion_stack',
      },
    ]);
    expect((await own.get(body.id, 'Alpha')).body).toEqual(body);
    const renamed = await own.update(body.id, { name: 'T' });
    expect(renamed.body).toEqual({ ...body, name: 'T', updated_at: expect.any(String) });
    const changed = await own.update(body.id, { tiers: { ids: ['promo_a5'] }, category_id: null });
    expect(changed.body).toMatchObject({ name: 'T', tiers: { ids: ['promo_a5'] }, category_id: null, categories: [] });
    expect((await own.get(body.id)).body).toEqual(changed.body);
    expect((await own.remove(body.id)).status).toBe(204);
    for (const reply of [await own.get(body.id), await own.update(body.id, {}), await own.remove(body.id)]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'promotion_stack', resource_id: body.id });
    }
  });

  test('shows the mode of its hierarchy if it was sent, also in a project from its file', async () => {
    const project = await load();
    const own = world(project);
    const tiers = { ids: ['promo_a0'], hierarchy_mode: 'MANUAL' };
    const { body } = await own.create([], { tiers });
    expect(body.tiers).toEqual(tiers);
    expect((await own.update(body.id, { name: 'T' })).body.tiers).toEqual(tiers);
    const { promotion_stacks } = await exported(project.id);
    const copy = world(await loadProject({ ...lists, promotion_stacks }));
    expect((await copy.get(body.id)).body.tiers).toEqual(tiers);
    expect((await own.update(body.id, { tiers: { ids: ['promo_a1'] } })).body.tiers).toEqual({ ids: ['promo_a1'] });
  });

  test('loses a deleted category', async () => {
    const own = world(await load());
    const { body } = await own.create(['promo_a0'], { category_id: 'cat_1' });
    expect((await own.call(deleteCategory, { params: { categoryId: 'cat_1' } })).status).toBe(204);
    expect((await own.get(body.id)).body).toMatchObject({ category_id: null, categories: [] });
  });

  describe('is refused', () => {
    let own: ReturnType<typeof world>;
    let id: string;
    beforeAll(async () => {
      own = world(await load());
      id = (await own.create(['promo_a0'])).body.id;
    });

    test.each([
      [{}, ['name is required', 'tiers is required']],
      [{ name: '', tiers: { ids: [] } }, ['name must not be empty', 'tiers.ids must name at least one tier']],
      [{ name: 'S', tiers: { ids: ['promo_a0', 'promo_a0'] } }, ['tiers.ids must not have a tier twice']],
      [
        { name: 'S', tiers: { ids: tiersOf('a', 31).map((tier) => tier.id) } },
        ['tiers.ids must have at most 30 tiers'],
      ],
      [{ name: 'S', tiers: { ids: ['promo_a0'], hierarchy_mode: 'AUTO' } }, ['hierarchy_mode must be MANUAL']],
    ])('for %j', async (body, faults) => {
      const reply = await own.call(create, { params: { campaignId: 'camp_a' }, body });
      expect(reply.body).toMatchObject({ code: 400, key: 'invalid_payload' });
      for (const fault of faults) expect(reply.body.details).toContain(fault);
    });

    test.each([
      ['camp_nobody', ['promo_a0'], {}, 'campaign'],
      ['camp_codes', ['promo_a0'], {}, 'campaign'],
      ['camp_a', ['promo_a0', 'promo_nobody'], {}, 'promotion_tier'],
      ['camp_a', ['promo_b0'], {}, 'promotion_tier'],
      ['camp_a', ['promo_a0'], { category_id: 'cat_9' }, 'category'],
    ])('with something missing: %s %j %j', async (campaign, tiers, more, type) => {
      expect((await own.create(tiers, more, campaign)).body).toMatchObject({ code: 404, resource_type: type });
      if (campaign !== 'camp_a') return;
      expect((await own.update(id, { tiers: { ids: tiers }, ...more })).body).toMatchObject({
        code: 404,
        resource_type: type,
      });
    });

    test('under another campaign, though its own has it', async () => {
      for (const reply of [
        await own.get(id, 'camp_b'),
        await own.update(id, {}, 'camp_b'),
        await own.remove(id, 'camp_b'),
      ])
        expect(reply.body).toMatchObject({ code: 404, resource_type: 'promotion_stack' });
      expect((await own.get(id, 'camp_codes')).body).toMatchObject({ code: 404, resource_type: 'campaign' });
    });
  });
});

test('the list has each once, in the requested order and between the dates; a campaign lists its own', async () => {
  const own = world(await load());
  const ids = [];
  for (const [name, campaign] of ['Ca', 'Ab', 'Ba'].map((text) => [...text]))
    ids.push((await own.create([`promo_${campaign}0`], { name }, `camp_${campaign}`)).body.id);
  await own.update(ids[0], { tiers: { ids: ['promo_a1'] } });
  expect(await own.names()).toEqual(['BAC', 3]);
  expect(await own.names('order=created_at&limit=2')).toEqual(['CA', 3]);
  expect(await own.names('order=created_at&limit=2&page=2')).toEqual(['B', 3]);
  expect(await own.names('order=name')).toEqual(['ABC', 3]);
  expect(await own.names('order=-name')).toEqual(['CBA', 3]);
  expect(await own.names('order=-updated_at')).toEqual(['CBA', 3]);
  expect(await own.names('created_at[after]=2026-06-15T12:00:01Z')).toEqual(['BA', 2]);
  expect(await own.names('created_at[before]=2026-06-15T12:00:02Z')).toEqual(['C', 1]);
  expect(await own.names('updated_at[after]=2026-06-15')).toEqual(['C', 1]);
  expect(await own.names('[filters][created_at][conditions][$after][0]=2026-06-15T12:00:02Z')).toEqual(['B', 1]);
  const { body } = await own.listOf('Alpha');
  expect([body.data_ref, body.total, body.data.map(({ name }: { name: string }) => name)]).toEqual([
    'data',
    2,
    ['B', 'C'],
  ]);
  expect((await own.listOf('camp_codes')).status).toBe(404);
});

describe('a project file', () => {
  const stack = { id: 'stack_1', name: 'S', campaign_id: 'camp_a', tiers: { ids: ['promo_a1', 'promo_a0'] } };

  test('has stacks, which stay the same when they are loaded again', async () => {
    const project = await loadProject({ ...lists, promotion_stacks: [{ ...stack, category_id: 'cat_1' }] });
    const { promotion_stacks: found } = await exported(project.id);
    const copy = await loadProject({ ...lists, promotion_stacks: found });
    const { body } = await world(copy).get('stack_1');
    expect(body).toEqual((await world(project).get('stack_1')).body);
    expect(body.tiers).toEqual(stack.tiers);
    expect((await world(copy).removeTier('promo_a1')).body.key).toBe('resource_in_use');
  });

  test.each([
    [{ tiers: { ids: ['promo_a0', 'promo_9'] } }, 'promotion_stacks[0].tiers.ids[1]'],
    [{ tiers: { ids: ['promo_b0'] } }, 'promotion_stacks[0].tiers.ids[0] is a tier of another campaign'],
    [{ campaign_id: 'camp_9' }, 'promotion_stacks[0].campaign_id'],
    [{ category_id: 'cat_9' }, 'promotion_stacks[0].category_id'],
  ])('is refused with a stack that names missing things: %j', async (more, fault) => {
    const faults = await faultsOf(projectFile({ ...lists, promotion_stacks: [{ ...stack, ...more }] }));
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });
});
