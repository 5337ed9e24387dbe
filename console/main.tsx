import './style/main.css';
import { type ComponentChildren, type ComponentType, render } from 'preact';
import { Empty, Ready, Waiting } from './components/bits.tsx';
import { Shell } from './components/shell.tsx';
import { SignIn } from './components/sign-in.tsx';
import { readUnits, units } from './core/currency.ts';
import { useLoad } from './core/load.ts';
import { address, matchRoute, route, watchNavigation } from './core/router.ts';
import type { ScreenProps } from './core/screen.ts';
import { isSignedIn, session } from './core/session.ts';
import { words } from './words.ts';

type Screen = () => Promise<ComponentType<ScreenProps>>;

/** Maps addresses to screens. A screen's code is loaded when it is first opened. */
const routes = [
  route<Screen>('', async () => (await import('./screens/today.tsx')).Today),
  route<Screen>('/vouchers', async () => (await import('./screens/vouchers.tsx')).Vouchers),
  route<Screen>('/vouchers/:code', async () => (await import('./screens/voucher.tsx')).VoucherPage),
  route<Screen>('/customers', async () => (await import('./screens/customers.tsx')).Customers),
  route<Screen>('/customers/:id', async () => (await import('./screens/customer.tsx')).CustomerPage),
  route<Screen>('/simulator', async () => (await import('./screens/simulator.tsx')).Simulator),
  route<Screen>('/campaigns', async () => (await import('./screens/campaigns.tsx')).Campaigns),
  route<Screen>('/campaigns/new', async () => (await import('./screens/builder.tsx')).Builder),
  route<Screen>('/campaigns/:id', async () => (await import('./screens/campaign.tsx')).CampaignPage),
  route<Screen>('/promotions', async () => (await import('./screens/promotions.tsx')).Promotions),
  route<Screen>('/stacking-rules', async () => (await import('./screens/stacking.tsx')).StackingRules),
  route<Screen>('/loyalty', async () => (await import('./screens/loyalty.tsx')).Programmes),
  route<Screen>('/loyalty/:id', async () => (await import('./screens/programme.tsx')).ProgrammePage),
  route<Screen>('/reports', async () => (await import('./screens/reports.tsx')).Reports),
  route<Screen>('/reports/:name', async () => (await import('./screens/report.tsx')).ReportPage),
  route<Screen>('/closes', async () => (await import('./screens/closes.tsx')).Closes),
  route<Screen>('/rules', async () => (await import('./screens/rules.tsx')).Rules),
  route<Screen>('/segments', async () => (await import('./screens/segments.tsx')).Segments),
  route<Screen>('/catalogue', async () => (await import('./screens/catalogue.tsx')).Catalogue),
  route<Screen>('/orders', async () => (await import('./screens/orders.tsx')).Orders),
  route<Screen>('/orders/:id', async () => (await import('./screens/order.tsx')).OrderPage),
  route<Screen>('/orders/:id/returns/:returnId', async () => (await import('./screens/order-return.tsx')).ReturnPage),
  route<Screen>('/redemptions', async () => (await import('./screens/redemptions.tsx')).Redemptions),
  route<Screen>('/work', async () => (await import('./screens/work.tsx')).Work),
  route<Screen>('/webhooks', async () => (await import('./screens/webhooks.tsx')).Webhooks),
  route<Screen>('/webhooks/:id', async () => (await import('./screens/webhook.tsx')).WebhookPage),
  route<Screen>('/settings', async () => (await import('./screens/settings.tsx')).Settings),
];

function Stage({ screen, params }: { screen: Screen; params: Readonly<Record<string, string>> }) {
  const loaded = useLoad('', screen);
  return <Ready of={loaded}>{(Found) => <Found params={params} />}</Ready>;
}

/** Waits for the units of the project, because no screen can write or read an amount before. */
function InUnits({ children }: { children: ComponentChildren }) {
  const known = useLoad(JSON.stringify(session.value), async () => {
    units.value = await readUnits();
    return true;
  });
  return known.data ? children : <Waiting />;
}

function Console() {
  const found = matchRoute(routes, address.value);
  const { pathname } = address.value;
  if (!isSignedIn.value) return <SignIn />;
  return (
    <Shell>
      <InUnits>
        {found ? <Stage key={pathname} {...found} /> : <Empty title={words.noScreen} hint={pathname} />}
      </InUnits>
    </Shell>
  );
}

watchNavigation();
const place = document.getElementById('console');
if (place) render(<Console />, place);
