import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as disableCampaign } from '../../functions/campaigns/disable-campaign.ts';
import { handler as enableCampaign } from '../../functions/campaigns/enable-campaign.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as disableRule } from '../../functions/loyalties/disable-earning-rule.ts';
import { handler as enableRule } from '../../functions/loyalties/enable-earning-rule.ts';
import { handler as getRule } from '../../functions/loyalties/get-earning-rule.ts';
import { handler as disableTier } from '../../functions/promotions/disable-promotion-tier.ts';
import { handler as enableTier } from '../../functions/promotions/enable-promotion-tier.ts';
import { handler as getTier } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as disableVoucher } from '../../functions/vouchers/disable-voucher.ts';
import { handler as enableVoucher } from '../../functions/vouchers/enable-voucher.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import { caller, type Reply } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { isWrite } from '../support/faults.ts';
import { type Late, lateWrites } from '../support/late-writes.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

/** A switch whose first attempt got no answer may be carried out later. It must not undo a newer switch. */

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy();
});
afterAll(() => proxy.close());

const lists = {
  campaigns: [
    { id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', active: false },
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' },
  ],
  vouchers: [
    { code: 'OFF', type: 'GIFT_VOUCHER', gift: { amount: 100 }, active: false, updated_at: '2026-01-01T00:00:00Z' },
  ],
  promotion_tiers: [{ id: 'promo_1', name: 'One', campaign_id: 'camp_tiers', hierarchy: 1, active: false }],
  earning_rules: [
    {
      ...{ id: 'ern_1', campaign_id: 'camp_club', event: 'order.paid', active: false },
      loyalty: { type: 'FIXED', points: 5 },
    },
  ],
};

interface Asking {
  readonly handler: Endpoint;
  readonly request: { readonly params?: Record<string, string>; readonly body?: unknown };
}

const ask = (handler: Endpoint, params: Record<string, string>, body?: unknown): Asking => ({
  handler,
  request: body === undefined ? { params } : { params, body },
});

const voucher = { code: 'OFF' };
const campaign = { campaignId: 'camp_codes' };
const tier = { promotionTierId: 'promo_1' };
const rule = { campaignId: 'camp_club', earningRuleId: 'ern_1' };

const switches: [what: string, on: Asking, off: Asking, read: Asking][] = [
  ['a voucher', ask(enableVoucher, voucher), ask(disableVoucher, voucher), ask(getVoucher, voucher)],
  [
    'a voucher by its update',
    ask(updateVoucher, voucher, { active: true }),
    ask(disableVoucher, voucher),
    ask(getVoucher, voucher),
  ],
  ['a campaign', ask(enableCampaign, campaign), ask(disableCampaign, campaign), ask(getCampaign, campaign)],
  ['a promotion tier', ask(enableTier, tier), ask(disableTier, tier), ask(getTier, tier)],
  ['an earning rule', ask(enableRule, rule), ask(disableRule, rule), ask(getRule, rule)],
];

const ways = ['arrives after its repetition was carried out', 'arrives again a minute later'] as const;

test.each(switches.flatMap(([what, ...asked]) => ways.map((way) => [what, way, ...asked] as const)))(
  'the late enabling of %s that %s leaves a newer switch alone',
  async (_, way, on, off, read) => {
    const file = projectFile(lists);
    await loadFile(file);
    const headers = credentialsOf(file);
    const clock = standingClock();
    /** Makes a call a second after the previous call. */
    const call = ({ handler, request }: Asking, more = {}): Promise<Reply> => {
      clock.advance(1);
      return caller(handler, testDependencies({ clock, ...more }))({ headers, ...request });
    };
    let late: Late | undefined;
    proxy.run((one) => {
      if (isWrite(one)) late ??= lateWrites[way](one.number);
      return late?.plan(one);
    });
    expect((await call(on, { dynamodb: proxy.client })).status).toBe(200);
    expect((await call(read)).body.active).toBe(true);
    expect((await call(off)).status).toBe(200);
    await late?.deliver();
    expect((await call(read)).body.active).toBe(false);
  },
);
