import { expect } from 'vitest';
import { demoApi } from '../support/console-api.ts';
import { consoleTasks } from '../support/console-tasks.ts';

/** Switches off and deletes in a browser, and undoes it. */

const task = consoleTasks({ env: { DEMO_LIFE: 'off' } });

task('switches an earning rule off and on again, and deletes one', async ({ page, show, address }) => {
  const api = demoApi(address);
  const loyalty = { type: 'FIXED', points: 3 };
  const made = await api.post('/v1/loyalties/camp_crew/earning-rules', [
    { event: 'cup_returned', loyalty, custom_event: { schema_id: 'cup_returned' } },
  ]);
  const all = async () => (await api.get('/v1/loyalties/camp_crew/earning-rules?limit=50')).data;
  const before = await all();
  const [rule] = Array.isArray(made) ? made : before;
  const find = async () => (await all()).find(({ id }: { id: string }) => id === rule.id);
  await show('/loyalty/camp_crew');
  const row = page.locator('.panel', { has: page.getByRole('heading', { name: 'Earning rules' }) }).locator('tbody tr');
  expect(await row.count()).toBe(before.length);
  const place = before.findIndex(({ id }: { id: string }) => id === rule.id);
  await row.nth(place).getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('Switched off.').waitFor();
  expect((await find()).active).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  expect((await find()).active).toBe(true);
  await row
    .nth(place)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await row.nth(before.length - 1).waitFor({ state: 'detached' });
  expect(await find()).toBeUndefined();
});

task('takes the deletion of a campaign and of a segment back in time', async ({ page, show, address }) => {
  const api = demoApi(address);
  await show('/campaigns/camp_morning');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.toast').waitFor({ state: 'detached' });
  expect((await api.get('/v1/campaigns/camp_morning')).id).toBe('camp_morning');
  const segment = await api.post('/v1/segments', { name: 'Nobody', type: 'static', customers: ['cust_ingrid'] });
  await show(`/segments?open=${segment.id}`);
  await page.locator('.drawer').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.toast').waitFor({ state: 'detached' });
  expect((await api.get(`/v1/segments/${segment.id}`)).name).toBe('Nobody');
  await page.locator('.drawer').getByRole('button', { name: 'Delete' }).click();
  await page.locator('.drawer').waitFor({ state: 'detached' });
  expect((await api.get(`/v1/segments/${segment.id}`)).code).toBe(404);
});

task('sums the pending points of a programme from their list', async ({ page, show, address }) => {
  const { data, has_more: hasMore } = await demoApi(address).get('/v1/loyalties/camp_crew/pending-points?limit=100');
  expect(hasMore).toBe(false);
  const sum = data.reduce((all: number, { points }: { points: number }) => all + points, 0);
  expect(sum).toBeGreaterThan(0);
  await show('/loyalty/camp_crew');
  const figure = page.locator('.figure', { hasText: 'Points pending' }).locator('strong');
  expect(await figure.innerText()).toBe(String(sum));
});
