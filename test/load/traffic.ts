import type { Books } from './books.ts';
import { byTill, json, read, refused } from './calls.ts';
import { anyMember, anyOf, below } from './dice.ts';
import { fresh } from './fresh.ts';
import type { Learnt } from './learn.ts';
import { PointCalls } from './point-calls.ts';
import type { Call } from './round.ts';
import {
  card,
  coupon,
  coupons,
  customer,
  projectId,
  promotionTier,
  promotionTiers,
  sleeper,
  sleepers,
  source,
} from './shop.ts';
import { TokenCalls } from './token-calls.ts';

type Draw = () => Call;

/** Draws calls of a shop's tills and web pages by their share, each with its expected result. */
export class Traffic {
  readonly #drawn: readonly Draw[];
  readonly #points: PointCalls;
  readonly #tokens = new TokenCalls();
  #woken = 0;

  constructor(books: Books, learnt: Learnt) {
    this.#points = new PointCalls(books);
    this.#drawn = this.#shares(learnt).flatMap(([share, draw]) => Array.from({ length: share }, () => draw));
  }

  readonly draw: Draw = () => {
    const draw = anyOf(this.#drawn);
    if (!draw) throw new Error('there is no traffic');
    return draw();
  };

  /** Returns each kind of call with its approximate share, in thousandths. */
  #shares({ couponIds, qrAssets, barcodeAssets }: Learnt): [number, Draw][] {
    return [
      [230, () => read('get-voucher by code', `/v1/vouchers/${coupon(below(coupons))}`)],
      [100, () => read('get-voucher by id', `/v1/vouchers/${anyOf(couponIds)}`)],
      [80, () => read('get-voucher, a card', `/v1/vouchers/${card(anyMember())}`)],
      [50, () => this.#tokens.byBearer()],
      [40, () => read('list-promotion-tiers', '/v1/promotions/tiers?is_available=true')],
      [15, () => read('list-campaign-promotion-tiers', '/v1/promotions/camp_basket/tiers')],
      [15, () => read('get-promotion-tier', `/v1/promotions/tiers/${promotionTier(below(promotionTiers))}`)],
      [50, () => read('get-customer', `/v1/customers/${source(anyMember())}`)],
      [50, () => read('list-customer-activities', `/v1/customers/${customer(anyMember())}/activities`)],
      [30, () => read('list-member-tiers', `/v1/loyalties/members/${card(anyMember())}/tiers`)],
      [30, () => read('list-member-transactions', `/v1/loyalties/members/${card(anyMember())}/transactions`)],
      [15, () => read('list-voucher-transactions', `/v1/vouchers/${card(anyMember())}/transactions`)],
      [20, () => read('get-loyalty-campaign', '/v1/loyalties/Club')],
      [20, () => read('get-campaign', '/v1/campaigns/camp_spring')],
      [10, () => read('list-rewards', '/v1/loyalties/camp_club/rewards')],
      [10, () => read('list-reward-assignments', '/v1/loyalties/camp_club/reward-assignments')],
      [10, () => read('list-loyalty-tier-rewards', '/v1/loyalties/camp_club/tiers/ltr_gold/rewards')],
      [5, () => ({ ...read('get-qr-asset', `/v1/assets/qr/${anyOf(qrAssets)}`), headers: {} })],
      [5, () => ({ ...read('get-barcode-asset', `/v1/assets/barcode/${anyOf(barcodeAssets)}`), headers: {} })],
      [5, () => ({ ...read('get-brand', `/management/v1/projects/${projectId}/branding/brd_load`), headers: {} })],
      [70, () => this.#points.event()],
      [15, () => this.#points.keyedEvent()],
      [10, () => this.#points.replay()],
      [40, () => this.#points.transfer()],
      [8, () => this.#points.repeatedTransfer()],
      [15, () => this.#points.pendingPoints()],
      [15, () => byTill('enable-voucher', 'POST', `/v1/vouchers/${sleeper(this.#woken++ % sleepers)}/enable`)],
      [8, () => this.#tierUpdate()],
      [8, () => this.#campaignUpdate()],
      [8, () => this.#tokens.issue()],
      [8, () => this.#tokens.introspection()],
      [3, () => this.#tokens.revocation()],
      [2, () => this.#invitation()],
      [1, () => this.#campaign()],
      [12, () => refused(404, 'not_found', read('', `/v1/vouchers/NO-${below(100_000)}`))],
      [5, () => refused(404, 'not_found', read('', `/v1/customers/no-${below(100_000)}`))],
      [3, () => refused(404, 'not_found', read('', `/v1/nothing/${below(100_000)}`))],
      [8, () => this.#stranger()],
      [4, () => this.#tooManyPoints()],
      [4, () => this.#undefinedEvent()],
    ];
  }

  #tierUpdate(): Call {
    return byTill('update-promotion-tier', 'PUT', `/v1/promotions/tiers/${promotionTier(below(promotionTiers))}`, {
      body: json({ banner: `Banner ${fresh()}` }),
    });
  }

  #campaignUpdate(): Call {
    return byTill('update-campaign', 'PUT', '/v1/campaigns/Spring', {
      body: json({ metadata: { by: fresh() } }),
    });
  }

  #campaign(): Call {
    return byTill('create-campaign', 'POST', '/v1/campaigns', {
      body: json({ name: `Campaign ${fresh()}`, vouchers_count: 5 }),
    });
  }

  #invitation(): Call {
    return {
      ...byTill('invite-user', 'POST', '/management/v1/projects/users/invite', {
        status: 204,
        body: json({
          email: `${fresh()}@mail.example`,
          first_name: 'Ana',
          last_name: 'Lund',
          projects: { [projectId]: 'VIEWER' },
        }),
      }),
      headers: { 'Content-Type': 'application/json' },
    };
  }

  /** Draws a new id each time, so nothing about it may stay in memory. */
  #stranger(): Call {
    const headers = { 'X-App-Id': `stranger-${fresh()}`, 'X-App-Token': 'guessed' };
    return { ...refused(401, 'unauthorized', read('', `/v1/vouchers/${coupon(0)}`)), headers };
  }

  #tooManyPoints(): Call {
    const body = json([{ code: card(1), points: 1_000_000_000, source_id: fresh() }]);
    const call = byTill('', 'POST', `/v1/loyalties/camp_club/members/${card(0)}/transfers`, { body });
    return refused(400, 'loyalty_card_points_exceeded', call);
  }

  #undefinedEvent(): Call {
    const body = json({ event: 'never_heard_of', customer: { source_id: source(anyMember()) } });
    return refused(400, 'event_not_defined', byTill('', 'POST', '/v1/events', { body }));
  }
}
