import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { demoApi } from '../support/console-api.ts';
import { consoleTasks } from '../support/console-tasks.ts';

/** Changes the settings of the project in a browser, and reads the results from the API. */

const task = consoleTasks({ env: { DEMO_LIFE: 'off' } });
const project = '/management/v1/projects/proj_demo';

describe('an owner of the project', () => {
  task('invites a person, and changes a role and back', async ({ page, show, address }) => {
    const api = demoApi(address);
    const { data: users } = await api.get(`${project}/users`);
    const user = users.find(({ is_owner: isOwner }: { is_owner: boolean }) => !isOwner);
    const roleOf = async () => (await api.get(`${project}/users/${user.id}`)).projects.proj_demo;
    const before = await roleOf();
    await show('/settings?tab=people');
    expect(await page.locator('tbody tr').count()).toBe(users.length);
    const role = page.getByLabel(`Role of ${user.first_name} ${user.last_name}`);
    await role.selectOption(before === 'VIEWER' ? 'USER' : 'VIEWER');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await roleOf()).toBe(before);
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('E-mail').fill('ana@mail.example');
    await dialog.getByLabel('First name').fill('Ana');
    await dialog.getByLabel('Last name').fill('Lund');
    await dialog.locator('button.main').click();
    await page.getByText('ana@mail.example is invited.').waitFor();
  });

  task('makes a key, whose token works, rotates it, and ends it after a question', async ({ page, show, address }) => {
    await show('/settings?tab=keys');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.locator('dialog[open]').getByLabel('Name').fill('Kiosk');
    await page.locator('dialog[open] button.main').click();
    const shown = page.locator('.verdict.warm code');
    await shown.first().waitFor();
    const [id = '', first = ''] = await shown.allInnerTexts();
    const statusOf = async (token: string) =>
      (await fetch(`${address}/v1/vouchers?limit=1`, { headers: { 'X-App-Id': id, 'X-App-Token': token } })).status;
    expect(await statusOf(first)).toBe(200);
    await page.getByRole('button', { name: 'Rotate Kiosk' }).click();
    await page.locator('dialog[open] button.main').click();
    await page.getByText('The key has a new token.').waitFor();
    const second = (await shown.allInnerTexts())[1] ?? '';
    expect([second === first, await statusOf(second), await statusOf(first)]).toEqual([false, 200, 200]);
    await page.getByRole('button', { name: 'End Kiosk' }).click();
    expect(await statusOf(second)).toBe(200);
    await page.locator('dialog[open] button.main').click();
    await page.locator('tr', { hasText: 'Kiosk' }).getByText('Ended').waitFor();
    const { data: keys } = await demoApi(address).get(`${project}/keys`);
    expect(keys.find((key: { id: string }) => key.id === id)).toMatchObject({ active: false, name: 'Kiosk' });
  });

  task('lets pages do less, undoes it, and sets a time zone and a brand', async ({ page, show, address }) => {
    const api = demoApi(address);
    const mayRedeem = async () => (await api.get(project)).client_redeem_enabled ?? false;
    const before = await mayRedeem();
    await show('/settings?tab=pages');
    await page.getByLabel('Pages may redeem codes').click();
    await page.getByText(before ? 'Switched off.' : 'Switched on.').waitFor();
    expect(await mayRedeem()).toBe(!before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await mayRedeem()).toBe(before);
    await page.getByLabel('Trusted domains').fill('https://shop.example\n*.quay.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await show('/settings?tab=project');
    await page.getByLabel('Time zone').fill('Europe/Oslo');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await api.get(project)).toMatchObject({
      timezone: 'Europe/Oslo',
      client_trusted_domains: ['https://shop.example', '*.quay.example'],
    });
    await show('');
    await page.getByText('Days of Europe/Oslo.').waitFor();
    await show('/settings?tab=brand');
    await page.getByLabel('Name of the brand').fill('Quay Coffee');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.brandcard').getByText('Quay Coffee').waitFor();
    const { data: brands } = await api.get(`${project}/branding`);
    expect(brands[0].brand.name).toBe('Quay Coffee');
  });

  task('adds properties of metadata and of an event', async ({ page, show, address }) => {
    await show('/settings?tab=schemas');
    await page.getByRole('button', { name: 'Add a property' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Of', { exact: true }).selectOption('product');
    await dialog.getByLabel('Name of the property').fill('grams');
    await dialog.getByLabel('Kind').selectOption('number');
    await dialog.locator('button.main').click();
    await page.getByText(/roast: text.*grams: number/).waitFor();
    await page.getByRole('button', { name: 'Add an event or its property' }).click();
    await dialog.getByLabel('Event').fill('mug_filled');
    await dialog.getByLabel('Name of the property').fill('size');
    await dialog.locator('button.main').click();
    await page.getByText('size: text').waitFor();
    const { data } = await demoApi(address).get(`${project}/custom-event-schemas`);
    expect(data.map(({ name }: { name: string }) => name)).toContain('mug_filled');
  });

  task('empties the bin after a question', async ({ page, show, address }) => {
    const api = demoApi(address);
    await api.post('/v1/products', { name: 'Chipped mug', source_id: 'chipped' });
    await fetch(`${address}/v1/products/chipped`, {
      method: 'DELETE',
      headers: { 'X-App-Id': 'demo-app', 'X-App-Token': 'demo-token-for-local-use-only' },
    });
    await show('/settings?tab=bin');
    await page.getByRole('button', { name: 'Delete Chipped mug permanently' }).click();
    await page.locator('dialog[open] button.main').click();
    await page.getByText('Chipped mug is permanently deleted.').waitFor();
    const { data } = await api.get('/v1/trash-bin');
    expect(data.filter((one: { resource_name: string }) => one.resource_name === 'Chipped mug')).toEqual([]);
  });

  task('gives the data of a person as a file, and erases the person after a question', async (open) => {
    const { page, show, address } = open;
    const api = demoApi(address);
    await api.post('/v1/customers', { source_id: 'leaver', name: 'Lea Ver', email: 'lea@post.example' });
    await show('/settings?tab=erasure');
    await page.getByLabel('Customer').fill('lea@post.example');
    await page.getByRole('button', { name: /^Lea Ver/ }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Data as a file' }).click();
    const content = JSON.parse(await readFile(await (await download).path(), 'utf8'));
    expect(content.customer).toMatchObject({ name: 'Lea Ver', source_id: 'leaver' });
    expect(content.activities.length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Erase Lea Ver' }).click();
    expect((await api.get('/v1/customers/leaver')).name).toBe('Lea Ver');
    await page.locator('dialog[open] button.main').click();
    await page.getByText(/^Erased: /).waitFor();
    expect((await api.get('/v1/customers/leaver')).code).toBe(404);
  });
});
