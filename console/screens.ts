import { words } from './words.ts';

/** Lists the screens of the menu. */
export const screens = (
  [
    ['', 'today', '/'],
    ['', 'simulator', '/simulator'],
    ['', 'reports', '/reports'],
    ['offers', 'campaigns', '/campaigns'],
    ['offers', 'vouchers', '/vouchers'],
    ['offers', 'promotions', '/promotions'],
    ['offers', 'stacking', '/stacking-rules'],
    ['offers', 'loyalty', '/loyalty'],
    ['offers', 'closes', '/closes'],
    ['offers', 'rules', '/rules'],
    ['people', 'customers', '/customers'],
    ['people', 'segments', '/segments'],
    ['shop', 'catalogue', '/catalogue'],
    ['shop', 'orders', '/orders'],
    ['shop', 'redemptions', '/redemptions'],
    ['operation', 'work', '/work'],
    ['operation', 'webhooks', '/webhooks'],
    ['operation', 'settings', '/settings'],
  ] as const
).map(([group, name, path]) => ({
  name,
  path,
  label: words.screens[name],
  group: group === '' ? '' : words.groups[group],
}));
