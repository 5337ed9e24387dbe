import { describe, expect } from 'vitest';
import { demoApi } from '../support/console-api.ts';
import { consoleTasks } from '../support/console-tasks.ts';
import { openReceiver } from '../support/hearing.ts';

/** Does in a browser what a person does first, on the server of `npm start`. */

const task = consoleTasks();

describe('a newcomer', () => {
  task('is led to the console, and sees the day', async ({ page, address }) => {
    await page.goto(address);
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console');
    expect(await page.title()).toBe('Today · Tessera');
  });

  task('types a code anywhere, and sees that it can be used', async ({ page }) => {
    await page.locator('h1').click();
    await page.keyboard.type('SPILT-MY-CUP');
    await page.keyboard.press('Enter');
    await page.getByText('It can be used now.').waitFor();
    expect(await page.locator('h1').innerText()).toBe('SPILT-MY-CUP');
  });

  task('finds a code by Ctrl-K, and sees why it is refused', async ({ page }) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('TIDE-ASLEEP');
    await page.keyboard.press('Enter');
    await page.getByText('It cannot be used now.').waitFor();
    expect(await page.locator('.verdict code').innerText()).toBe('voucher_disabled');
  });

  task('makes a campaign in steps, and watches it generate', async ({ page, show }) => {
    await show('/campaigns');
    await page.getByRole('link', { name: 'Make a campaign' }).click();
    await page.getByLabel('Name').fill('First harvest');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('How much off').fill('25');
    await page.getByRole('button', { name: 'Dates' }).click();
    await page.getByLabel('Last day').fill('2099-12-31');
    await page.getByRole('button', { name: 'Rule' }).click();
    await page.getByLabel('Order amount of at least').fill('40');
    await page.getByLabel('Order amount of at least').press('Tab');
    await page.getByText('the order amount is at least 40.00').waitFor();
    await page.getByRole('button', { name: 'Codes' }).click();
    await page.getByLabel('How many codes').fill('300');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('25 % off').waitFor();
    await page.getByText('Until 31 Dec 2099').waitFor();
    await page.getByText('the order amount is at least 40.00').waitFor();
    await page.getByRole('button', { name: 'Make a campaign' }).click();
    await page.getByRole('heading', { name: 'First harvest' }).waitFor();
    await page.getByText('Codes · 300').waitFor();
    await page.getByText('Until 31 Dec 2099').waitFor();
    await page.getByText('the order amount is at least 40.00').waitFor();
  });

  task('publishes a voucher to a customer, who then holds it', async ({ page, show }) => {
    await show('/campaigns?q=First');
    await page.locator('a.row').first().click();
    await page.locator('.drawer td a').first().click();
    await page.getByText('Usable from 40.00.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByLabel('Customer').fill('oluf');
    await page.getByRole('button', { name: /^Oluf/ }).click();
    await page.getByRole('button', { name: /^Publish .* to Oluf/ }).click();
    await page.locator('.facts a[href$="/customers/cust_oluf"]').waitFor();
    await show('/customers/cust_oluf');
    await page.getByText('25 % off').waitFor();
  });

  task('simulates a stack of three, and sees the rule with the wanted and the seen value', async ({ page, show }) => {
    await show('/simulator?items=prod_beans*1');
    await page.getByLabel('Add a product').selectOption({ label: 'Filter papers · 49.00' });
    for (const code of ['SPILT-MY-CUP', 'promo_two_bags', 'promo_rainy_day']) {
      await page.getByLabel('Code, tier or stack').fill(code);
      await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    }
    await page.getByText('It is refused.').waitFor();
    await page.getByText('the quantity of these items is at least 2').waitFor();
    expect(await page.locator('.rule').innerText()).toContain('seen: 1');
    await page.getByLabel('Quantity of House beans').fill('2');
    await page.getByLabel('Quantity of House beans').press('Tab');
    await page.getByText('Everything applies.').waitFor();
    expect(await page.locator('.result').count()).toBe(3);
  });

  task('redeems the stack, and rolls it back', async ({ page }) => {
    await page.getByRole('button', { name: 'Redeem', exact: true }).click();
    await page.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Rolled back.').waitFor();
    await page.getByRole('button', { name: 'Redeem', exact: true }).waitFor();
  });

  task('adds points to a card, and undoes it', async ({ page, show }) => {
    await show('/vouchers/CREW-OLUF');
    const before = await page.locator('.meter span').innerText();
    await page.getByLabel('Amount, such as 5 or -5').fill('30');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('The balance changed by 30.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    const [balance] = before.split(' of ');
    await page.locator('.meter span', { hasText: `${balance} of` }).waitFor();
  });

  task('moves points from one card to another', async ({ page, show }) => {
    await show('/vouchers/CREW-INGRID');
    const [before = ''] = (await page.locator('.meter span').innerText()).split(' of ');
    await show('/vouchers/CREW-OLUF');
    await page.getByRole('button', { name: 'Move points' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Code of the other card').fill('CREW-INGRID');
    await dialog.getByLabel('Points', { exact: true }).fill('20');
    await dialog.locator('button.main').click();
    await page.getByText('Points moved to CREW-INGRID: 20.').waitFor();
    await show('/vouchers/CREW-INGRID');
    const sum = (Number(before.replace(',', '')) + 20).toLocaleString('en-GB');
    await page.locator('.meter span', { hasText: `${sum} of` }).waitFor();
  });

  task('makes a programme, and sees what an order earns before it exists', async ({ page, show }) => {
    await show('/loyalty');
    await page.getByRole('button', { name: 'Make a programme' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Name', { exact: true }).fill('Night shift');
    await dialog.getByLabel('For every').fill('5.00');
    await dialog.getByLabel('Points', { exact: true }).fill('2');
    await dialog.getByText('An order of 100.00 earns 40 points.').waitFor();
    await dialog.locator('button.main').click();
    await page.getByRole('heading', { name: 'Night shift' }).waitFor();
    await page.getByText('+2 for every 5.00').waitFor();
  });

  task('makes a segment by conditions, and sees who fits before it exists', async ({ page, show }) => {
    await show('/segments');
    await page.getByRole('button', { name: 'Make a segment' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Name', { exact: true }).fill('From the harbour');
    await dialog.getByLabel('Field of condition 1').selectOption({ label: 'E-mail' });
    await dialog.getByLabel('Operator of condition 1').selectOption({ label: 'contains' });
    await dialog.getByLabel('Value of condition 1').fill('ingrid');
    await dialog.getByLabel('Value of condition 1').press('Tab');
    await dialog.getByText('1 customers fit now').waitFor();
    await dialog.locator('button.main').click();
    await page.locator('.drawer').getByText('E-mail contains ingrid').waitFor();
    await page.locator('.drawer td a[href$="/customers/cust_ingrid"]').waitFor();
  });

  task('adds a tier to a loyalty programme', async ({ page, show }) => {
    await show('/loyalty');
    await page.getByRole('link', { name: 'Harbour Crew' }).click();
    await page.getByRole('button', { name: 'Add a tier' }).click();
    await page.getByLabel('Name').fill('Admiral');
    await page.getByLabel('From this number of points').fill('5000');
    await page.locator('dialog[open] button.main').click();
    await page.locator('.ladder').getByText('Admiral').waitFor();
    expect(await page.locator('.ladder li').first().innerText()).toContain('5,000 and more');
  });

  task('imports a file, and reads which two rows are faulty and why', async ({ page, show }) => {
    await show('/work');
    await page.getByRole('button', { name: 'Import a file' }).click();
    const rows = [
      'Code,Value,Voucher Type',
      'PAPER-1,25.00,GIFT_VOUCHER',
      'PAPER-2,none,GIFT_VOUCHER',
      ',5.00,GIFT_VOUCHER',
    ];
    const file = { name: 'paper.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
    await page.locator('dialog[open] input[type=file]').setInputFiles(file);
    await page.getByText('3 rows, of which 2 would fail.').waitFor();
    const dialog = page.locator('dialog[open]');
    expect(await dialog.locator('thead th').allTextContents()).toEqual([
      ...['Code', 'Value', 'Voucher Type'],
      ...['Code', 'Value', 'Voucher type'],
    ]);
    expect(await dialog.locator('tbody tr').first().locator('td').allTextContents()).toEqual([
      ...['PAPER-1', '25.00', 'GIFT_VOUCHER'],
    ]);
    expect(await dialog.locator('li').allTextContents()).toEqual([
      expect.stringContaining('Row 2: value must be in major units'),
      'Row 3: code is required',
    ]);
    await dialog.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('Done, 2 rows failed.').waitFor();
    const faulty = await page.locator('.drawer .list tbody tr').allInnerTexts();
    expect(faulty).toHaveLength(2);
    expect(faulty[0]).toContain('major units');
  });

  task(
    'adds a webhook, sees on the first screen that a delivery failed, and sends it again',
    async ({ page, show }) => {
      const receiver = await openReceiver((response) => void response.writeHead(503).end('closed for the night'));
      await show('/webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.locator('dialog[open]').getByLabel('Address').fill(receiver.url);
      await page.locator('dialog[open] summary', { hasText: 'Voucher' }).click();
      await page.getByLabel('voucher.enabled').check();
      await page.locator('dialog[open] button.main').click();
      await page.getByRole('heading', { name: receiver.url }).waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.locator('dialog[open] button.main').click();
      await page.locator('.drawer .facts').getByText('Failed').waitFor();
      expect(await page.locator('.drawer').innerText()).toContain('closed for the night');
      await show('');
      await page.getByRole('link', { name: 'voucher.enabled' }).click();
      receiver.answer((response) => void response.end('thanks'));
      await page.locator('.drawer').getByRole('button', { name: 'Send again' }).click();
      await page.locator('.drawer .facts').getByText('Succeeded').waitFor();
      expect(receiver.types()).toEqual(['voucher.enabled', 'voucher.enabled']);
    },
  );

  task('follows the day by its figures and reasons of refusal', async ({ page, show, address }) => {
    const body = { redeemables: [{ object: 'voucher', id: 'TIDE-ASLEEP' }], order: { amount: 100 } };
    await demoApi(address).post('/v1/redemptions', body);
    await show('?period=day');
    expect(await page.locator('.figure', { hasText: 'Refusals' }).locator('strong').innerText()).toMatch(/^[1-9]/);
    await page.locator('.ranking').getByText('Voucher disabled').waitFor();
  });

  task('gives a customer a voucher of a campaign, which the wallet then holds', async ({ page, show }) => {
    await show('/customers/cust_sian');
    await page.getByRole('button', { name: 'Give a voucher' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Campaign').selectOption({ label: 'First harvest' });
    await dialog.locator('button.main').click();
    await page.getByText('A voucher of First harvest is published.').waitFor();
    const wallet = page.locator('.panel', { has: page.getByRole('heading', { name: 'Wallet' }) });
    await wallet.getByText('25 % off').waitFor();
  });

  task('reads why a server without a folder of data makes no reports, and how to start one', async ({ page, show }) => {
    await show('/reports/orders');
    await page.getByText('This server keeps no facts for reports').waitFor();
    await page.getByText('DATA_DIR=data npm start').waitFor();
  });

  task('shows the call of a screen as curl, without the secret', async ({ page, show, address }) => {
    await show('/vouchers/SPILT-MY-CUP');
    await page.getByRole('button', { name: 'As curl' }).click();
    const lines = await page.locator('dialog[open] pre').allTextContents();
    expect(lines.join('\n')).toContain(`curl '${address}/v1/vouchers/SPILT-MY-CUP'`);
    expect(lines.join('\n')).not.toContain('demo-token');
  });
});
