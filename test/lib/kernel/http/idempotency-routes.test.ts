import { describe, expect, test } from 'vitest';
import { canTakeIdempotencyKey } from '#kernel/http/route.ts';
import { listRouteErrors } from '#kernel/http/route-errors.ts';
import { handler as updateHandler } from '../../../../functions/campaigns/update-campaign.ts';
import { handler as issueHandler } from '../../../../functions/oauth/issue-token.ts';
import { handler as updateTierHandler } from '../../../../functions/promotions/update-promotion-tier.ts';
import { handler as enableHandler } from '../../../../functions/vouchers/enable-voucher.ts';
import { handler as getHandler } from '../../../../functions/vouchers/get-voucher.ts';
import { routes } from '../../../../infra/operations.ts';
import { caller } from '../../../support/call.ts';
import { isReplay, keyed, openProject, outcomeOf } from '../../../support/idempotency.ts';
import { programme } from '../../../support/loyalty.ts';
import { itemsOf } from '../../../support/outbox.ts';
import { form } from '../../../support/tokens.ts';

describe('updates may be repeated, and take keys as well', () => {
  test('of a campaign, of a promotion tier, and the enabling of a voucher', async () => {
    const project = await openProject({
      campaigns: [
        programme('camp_club'),
        { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' },
      ],
      promotion_tiers: [{ id: 'promo_1', campaign_id: 'camp_promo', name: 'One', hierarchy: 1 }],
    });
    const headers = keyed(project, 'key');
    const sent = [
      () => caller(updateHandler)({ params: { campaignId: 'camp_club' }, body: { description: 'a' }, headers }),
      () =>
        caller(updateTierHandler)({
          params: { promotionTierId: 'promo_1' },
          body: { name: 'Two' },
          headers: { ...headers, 'idempotency-key': 'tier' },
        }),
      () => caller(enableHandler)({ params: { code: 'CARD' }, headers: { ...headers, 'idempotency-key': 'enable' } }),
    ];
    for (const send of sent) {
      const first = await send();
      const repeat = await send();
      expect([outcomeOf(first), isReplay(first)]).toEqual([[200], false]);
      expect([repeat.body, isReplay(repeat)]).toEqual([first.body, true]);
    }
  });
});

describe('the header is ignored', () => {
  test('for tokens, because a stored reply would be a token in clear text', async () => {
    const project = await openProject();
    const call = caller(issueHandler);
    const issue = (key: string) =>
      call({
        headers: { ...keyed(project, key), ...form },
        body: 'grant_type=client_credentials&scope=api',
      });
    const tokens = [await issue('key'), await issue('key'), await issue('')];
    expect(tokens.map(outcomeOf)).toEqual([[200], [200], [200]]);
    expect(new Set(tokens.map(({ body }) => body.access_token)).size).toBe(3);
    expect(await itemsOf(project.id, 'IDEMPOTENCY_KEY')).toEqual([]);
  });

  test('for reads', async () => {
    const project = await openProject();
    const replies = [
      await caller(getHandler)({ params: { code: 'CARD' }, headers: keyed(project, 'key') }),
      await caller(getHandler)({ params: { code: 'OTHER' }, headers: keyed(project, 'key') }),
    ];
    expect(replies.map(({ body }) => body.code)).toEqual(['CARD', 'OTHER']);
  });

  test('and its errors are not listed for such routes', () => {
    for (const route of routes) {
      expect(listRouteErrors(route).some((key) => key.includes('idempotency'))).toBe(canTakeIdempotencyKey(route));
    }
  });
});
