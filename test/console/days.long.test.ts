import type { Page, Response } from 'playwright-core';
import { describe, expect } from 'vitest';
import { words } from '../../console/words.ts';
import { consoleTasks } from '../support/console-tasks.ts';

/** The day begins here ten hours after the day of UTC. */
const task = consoleTasks({ timezoneId: 'Pacific/Honolulu' });

/** Returns the reply to the next such request. The browser shows no body of a request. */
const replies = (page: Page, method: string, path: RegExp) =>
  page.waitForResponse((reply: Response) => reply.request().method() === method && path.test(reply.url()));

describe('a day, in a browser west of UTC,', () => {
  task('begins at midnight there in a condition, and is the same day when it is read back', async ({ page, show }) => {
    await show('/segments');
    await page.getByRole('button', { name: 'Make a segment' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Name', { exact: true }).fill('New since spring');
    await dialog.getByLabel('Field of condition 1').selectOption({ label: 'Created' });
    await dialog.getByLabel('Operator of condition 1').selectOption('$after');
    await dialog.getByLabel('Value of condition 1').fill('2026-03-10');
    await dialog.getByLabel('Value of condition 1').press('Tab');
    const made = replies(page, 'POST', /\/v1\/segments$/);
    await dialog.locator('button.main').click();
    const { filter } = await (await made).json();
    expect(filter.created_at).toEqual({ conditions: { $after: ['2026-03-10T10:00:00.000Z'] } });
    await page.locator('.drawer').getByText('10 Mar 2026').waitFor();
  });

  task('begins at midnight there in a new campaign, and is reviewed as the same day', async ({ page, show }) => {
    await show('/campaigns/new?step=review&name=Honey&start=2026-03-10&end=2026-03-12&count=1');
    await page.getByText('10 Mar 2026 – 12 Mar 2026').waitFor();
    const made = replies(page, 'POST', /\/v1\/campaigns$/);
    await page.getByRole('button', { name: 'Make a campaign' }).click();
    expect(await (await made).json()).toMatchObject({
      start_date: '2026-03-10T10:00:00.000Z',
      expiration_date: '2026-03-13T10:00:00.000Z',
    });
  });

  task('is a day of the project in the points of a period, as summaries count them', async ({ page, show }) => {
    // The browser still has the first of May, and the project already the second.
    await page.clock.setFixedTime('2026-05-02T05:00:00Z');
    const asked = replies(page, 'GET', /\/summary\?.*end_date=2026-05-02/);
    await show('?period=day');
    expect(new URL((await asked).url()).searchParams.get('start_date')).toBe('2026-05-02');
  });

  task('ends a month of the calendar, which begins with the month there', async ({ page, show }) => {
    await show('/campaigns/new?step=review&name=Walpurgis&start=2026-04-30&end=2026-04-30&count=1');
    const made = replies(page, 'POST', /\/v1\/campaigns$/);
    await page.getByRole('button', { name: 'Make a campaign' }).click();
    await made;
    await page.clock.setFixedTime('2026-05-01T05:00:00Z');
    await show('/campaigns?view=calendar');
    await page.locator('.calendar header li').first().getByText('April 2026').waitFor();
    await page.locator('.lines a', { hasText: 'Walpurgis' }).waitFor();
    await page.getByRole('button', { name: words.calendar.later }).click();
    await page.locator('.calendar header li').first().getByText('May 2026').waitFor();
    expect(new URL(page.url()).searchParams.get('month')).toBe('2026-05');
    expect(await page.locator('.lines a', { hasText: 'Walpurgis' }).count()).toBe(0);
  });
});
