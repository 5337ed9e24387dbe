import { expect, test } from 'vitest';
import { category } from '#engine/rules/categories/resource.ts';
import { handler as createVoucherCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as create } from '../../functions/categories/create-category.ts';
import { handler as remove } from '../../functions/categories/delete-category.ts';
import { handler as list } from '../../functions/categories/list-categories.ts';
import { handler as update } from '../../functions/categories/update-category.ts';
import { caller } from '../support/call.ts';
import { describeCrud } from '../support/describe-crud.ts';
import { loadProject } from '../support/project.ts';

describeCrud('categories', category, {
  body: (number) => ({ name: `Shelf ${number}`, hierarchy: number }),
  refused: {
    name: { name: '', hierarchy: 1 },
    hierarchy: { name: 'Below', hierarchy: -1 },
  },
});

test('an update takes both fields, and names each that is missing', async () => {
  const { credentials: headers } = await loadProject();
  const made = (await caller(create)({ headers, body: { name: 'Tea', hierarchy: 2 } })).body;
  const { status, body } = await caller(update)({ headers, params: { categoryId: made.id }, body: {} });
  expect([status, body.details]).toEqual([400, 'name is required; hierarchy is required']);
});

test('by default the list has more than a page', async () => {
  const categories = Array.from({ length: 130 }, (_, index) => ({ name: `C${index}`, hierarchy: index }));
  const { credentials: headers } = await loadProject({ categories });
  const { body } = await caller(list)({ headers, query: 'order=hierarchy' });
  expect(body.data.map(({ hierarchy }: { hierarchy: number }) => hierarchy)).toEqual(
    categories.map((one) => one.hierarchy),
  );
});

test("a campaign shows its category's new name at once, and loses a deleted category", async () => {
  const { credentials: headers } = await loadProject();
  const { id } = (await caller(create)({ headers, body: { name: 'Tea', hierarchy: 2 } })).body;
  const campaign = (await caller(createVoucherCampaign)({ headers, body: { category_id: id } })).body;
  const shown = async () => (await caller(getCampaign)({ headers, params: { campaignId: campaign.id } })).body;
  await caller(update)({ headers, params: { categoryId: id }, body: { name: 'Coffee', hierarchy: 1 } });
  expect(await shown()).toMatchObject({ category: 'Coffee', categories: [{ id, name: 'Coffee', hierarchy: 1 }] });
  expect((await caller(remove)({ headers, params: { categoryId: id } })).status).toBe(204);
  const after = await shown();
  expect(after).toMatchObject({ category_id: null, categories: [] });
  expect(after).not.toHaveProperty('category');
});

test('a campaign names its category by id or by name, each in its own field', async () => {
  const categories = ['cat_2', 'B'].map((name, index) => ({ id: `cat_${index + 1}`, name }));
  const { credentials: headers } = await loadProject({ categories });
  const named = (body: object) => caller(createVoucherCampaign)({ headers, body: { ...body, vouchers_count: 0 } });
  expect((await named({ category: 'cat_2' })).body.category_id).toBe('cat_1');
  expect((await named({ category_id: 'B' })).status).toBe(404);
  expect((await named({ category: 'cat_1' })).body).toMatchObject({
    category: 'cat_1',
    category_id: expect.not.stringMatching(/^cat_1$/),
  });
});
