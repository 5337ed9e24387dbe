import type { Page } from 'playwright-core';

/** Finds the parts of an order's screen. */

export const write = (minor: number) =>
  (minor / 100).toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const voucher = (id: string) => ({ object: 'voucher', id });

export const panel = (page: Page, title: string) =>
  page.locator('main .panel', { has: page.getByRole('heading', { name: title, exact: true }) });
export const rowOf = (page: Page, title: string, text: string) =>
  panel(page, title).locator('tbody tr', { hasText: text });
export const cellsOf = (page: Page, title: string, text: string) =>
  rowOf(page, title, text).locator('td').allInnerTexts();
export const dialogOf = (page: Page) => page.locator('dialog[open]');
