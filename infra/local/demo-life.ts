import type { Dependencies } from '#kernel/http/composition.ts';
import type { DemoKey } from '../docs/files.ts';
import { createEndpointFinder } from './endpoints.ts';
import { createContext } from './function-context.ts';
import { buildGatewayEvent } from './gateway-event.ts';

const days = 90;
const dayInMs = 86_400_000;

interface Redeemable {
  readonly object: 'voucher' | 'promotion_tier';
  readonly id: string;
  readonly reward?: { readonly id: string; readonly points: number };
}

interface Visit {
  readonly at: Date;
  readonly redeemable: Redeemable;
  readonly bags: number;
  /** Earns points for the paid order. Other visitors are anonymous. */
  readonly customer?: { readonly id: string };
}

/** Lists what visitors redeem. The last redeemable is switched off, so that the demo shows refusals. */
const redeemables: readonly Redeemable[] = [
  { object: 'promotion_tier', id: 'promo_two_bags' },
  { object: 'voucher', id: 'QUAY-OPENING' },
  { object: 'promotion_tier', id: 'promo_two_bags' },
  { object: 'promotion_tier', id: 'promo_four_bags' },
  { object: 'voucher', id: 'TIDE-ASLEEP' },
];

/**
 * Only a single member, because README.md and docs/walk.md show the balances of the others while the visits are made.
 */
const members = ['cust_sian', 'cust_sian', 'cust_sian', undefined];

/** Every fourth visit of this member is paid in part with points. */
const saver = { customer: 'cust_sian', card: 'CREW-SIÂN', reward: { id: 'rew_coins', points: 25 } };

/** The last month has visits each day, and the time before it every third day. */
function visitsOf(day: number): number {
  if (day <= 30) return 1 + ((day * 7) % 3);
  return day % 3 === 0 ? 1 : 0;
}

/** Returns the visits of three months, oldest first. They are the same in each run. */
export function listVisits(now: Date): Visit[] {
  const visits: Visit[] = [];
  for (let day = days; day >= 0; day -= 1) {
    const ofDay = visitsOf(day);
    for (let index = 0; index < ofDay; index += 1) {
      const hour = ((day * 5 + index * 3) % 12) + 7;
      const at = new Date(Math.floor(now.getTime() / dayInMs) * dayInMs - day * dayInMs + hour * 3_600_000);
      const redeemable = redeemables[(day * 3 + index * 2) % redeemables.length];
      if (!redeemable || at >= now) continue;
      const member = members[(day + index) % members.length];
      const isSaving = member === saver.customer && day % 4 === 0;
      visits.push({
        at,
        redeemable: isSaving ? { object: 'voucher', id: saver.card, reward: saver.reward } : redeemable,
        bags: 1 + ((day + index) % 6),
        ...(member ? { customer: { id: member } } : {}),
      });
    }
  }
  return visits.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Gives the demo three months of redemptions and points, by the project's own operation at the time of each visit. */
export async function liveThroughDemo(dependencies: Dependencies, key: DemoKey, mayGoOn: () => boolean): Promise<void> {
  let at = dependencies.clock();
  const findEndpoint = createEndpointFinder({ ...dependencies, clock: () => at, log: () => {} });
  const target = '/v1/redemptions';
  const redeem = findEndpoint('POST', target);
  if (!redeem) throw new Error('no operation redeems');
  for (const [index, visit] of listVisits(at).entries()) {
    if (!mayGoOn()) return;
    at = visit.at;
    const requestId = `demo-${index}`;
    const items = [{ product_id: 'prod_beans', quantity: visit.bags }];
    const event = buildGatewayEvent(
      {
        ...{ method: 'POST', target, httpVersion: '1.1', sourceIp: '127.0.0.1', address: 'localhost', requestId },
        rawHeaders: ['X-App-Id', key.app_id, 'X-App-Token', key.app_token, 'Content-Type', 'application/json'],
        body: Buffer.from(
          JSON.stringify({ redeemables: [visit.redeemable], order: { items }, customer: visit.customer }),
        ),
        receivedAt: at,
      },
      `POST ${target}`,
      target,
      undefined,
    );
    await redeem.handle(event, createContext(redeem.operation, requestId));
  }
}
