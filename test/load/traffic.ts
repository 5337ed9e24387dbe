import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Books } from './books.ts';
import { byTill, form, json, read, refused } from './calls.ts';
import { anyMember, anyOf, below } from './dice.ts';
import { Kept } from './kept.ts';
import type { Learnt } from './learn.ts';
import type { Call } from './round.ts';
import {
  card,
  coupon,
  coupons,
  customer,
  earned,
  members,
  pendingPoints,
  projectId,
  promotionTier,
  promotionTiers,
  sleeper,
  sleepers,
  source,
} from './shop.ts';

type Draw = () => Call;

const tokenReply = v.pipe(v.string(), v.parseJson(), v.object({ access_token: v.string() }));
const activeReply = v.pipe(v.string(), v.parseJson(), v.object({ active: v.boolean() }));
/** Draws calls as a shop's tills and web pages make them: by their share, each with what has to come of it. */
export class Traffic {
  readonly #books: Books;
  readonly #learnt: Learnt;
  readonly #drawn: readonly Draw[];
  /** Tells runs apart, so that names and transaction ids are fresh in each. */
  readonly #run = randomUUID();
  #made = 0;
  readonly #tokens = new Kept<string>();
  readonly #toRevoke = new Kept<string>();
  readonly #revoked = new Kept<string>();
  readonly #keyed = new Kept<{ call: Call; reply: string }>();
  readonly #transfers = new Kept<Call>();

  constructor(books: Books, learnt: Learnt) {
    this.#books = books;
    this.#learnt = learnt;
    this.#drawn = this.#shares().flatMap(([share, draw]) => Array.from({ length: share }, () => draw));
  }

  readonly draw: Draw = () => {
    const draw = anyOf(this.#drawn);
    if (!draw) throw new Error('there is no traffic');
    return draw();
  };

  #fresh(): string {
    this.#made += 1;
    return `${this.#run}-${this.#made}`;
  }

  /** Each with its share of the calls, in thousandths, roughly. */
  #shares(): [number, Draw][] {
    const { couponIds, qrAssets, barcodeAssets } = this.#learnt;
    return [
      [230, () => read('get-voucher by code', `/v1/vouchers/${coupon(below(coupons))}`)],
      [100, () => read('get-voucher by id', `/v1/vouchers/${anyOf(couponIds)}`)],
      [80, () => read('get-voucher, a card', `/v1/vouchers/${card(anyMember())}`)],
      [50, () => this.#byBearer()],
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
      [70, () => this.#event()],
      [15, () => this.#keyedEvent()],
      [10, () => this.#replay()],
      [40, () => this.#transfer()],
      [8, () => this.#repeatedTransfer()],
      [15, () => this.#pendingPoints()],
      [15, () => byTill('enable-voucher', 'POST', `/v1/vouchers/${sleeper(this.#made++ % sleepers)}/enable`)],
      [8, () => this.#tierUpdate()],
      [8, () => this.#campaignUpdate()],
      [8, () => this.#tokenIssue()],
      [8, () => this.#introspection()],
      [3, () => this.#revocation()],
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

  #event(): Call {
    const member = anyMember();
    const [event, metadata, effect] = this.#occasion();
    return byTill('send-event', 'POST', '/v1/events', {
      body: json({ event, customer: { source_id: source(member) }, loyalty: { code: card(member) }, metadata }),
      settle: () => {
        this.#books.event(member, effect);
        return undefined;
      },
    });
  }

  #occasion(): [string, object, { points?: number; pending?: number }] {
    const kind = below(4);
    if (kind === 0) return ['visited', {}, { points: earned.visited }];
    if (kind === 1) return ['photo_added', {}, { pending: earned.photo_added }];
    const amount = 100 + below(20_000);
    return ['order_paid', { amount, receipt: this.#fresh() }, { points: earned.order_paid(amount) }];
  }

  #keyedEvent(): Call {
    const event = this.#event();
    const call = { ...event, headers: { ...event.headers, 'Idempotency-Key': this.#fresh() } };
    return {
      ...call,
      operation: 'send-event with a key',
      settle: (body, headers) => {
        this.#keyed.add({ call, reply: body });
        return call.settle?.(body, headers);
      },
    };
  }

  #replay(): Call {
    const first = this.#keyed.any();
    if (!first) return this.#keyedEvent();
    return {
      ...first.call,
      operation: 'send-event replayed',
      settle: (body, headers) => {
        if (headers['idempotent-replayed'] !== 'true') return 'the reply is not that of a replay';
        return body === first.reply ? undefined : `another reply than the first: ${body}`;
      },
    };
  }

  #transfer(): Call {
    const to = anyMember();
    const from = new Map<number, number>();
    for (let count = 1 + below(3); count > 0; count--) {
      const member = anyMember();
      if (member !== to) from.set(member, 1 + below(20));
    }
    if (from.size === 0) from.set((to + 1) % members, 1);
    const sources = [...from].map(([member, points]) => ({ member, points }));
    const call = byTill('transfer-points', 'POST', `/v1/loyalties/camp_club/members/${card(to)}/transfers`, {
      body: json(sources.map(({ member, points }) => ({ code: card(member), points, source_id: this.#fresh() }))),
    });
    return {
      ...call,
      settle: () => {
        this.#books.transferred(to, sources);
        this.#transfers.add(call);
        return undefined;
      },
    };
  }

  #repeatedTransfer(): Call {
    const first = this.#transfers.any();
    return first ? { ...first, operation: 'transfer-points repeated' } : this.#transfer();
  }

  #pendingPoints(): Call {
    const member = anyMember();
    const points = below(2) === 0 ? 7 : -5;
    const path = `/v1/loyalties/members/${card(member)}/pending-points/${pendingPoints(member)}/balance`;
    return byTill('adjust-pending-points', 'POST', path, {
      body: json({ points }),
      settle: () => {
        this.#books.adjusted(member, points);
        return undefined;
      },
    });
  }

  #tierUpdate(): Call {
    return byTill('update-promotion-tier', 'PUT', `/v1/promotions/tiers/${promotionTier(below(promotionTiers))}`, {
      body: json({ banner: `Banner ${this.#fresh()}` }),
    });
  }

  #campaignUpdate(): Call {
    return byTill('update-campaign', 'PUT', '/v1/campaigns/Spring', {
      body: json({ metadata: { by: this.#fresh() } }),
    });
  }

  #campaign(): Call {
    return byTill('create-campaign', 'POST', '/v1/campaigns', {
      body: json({ name: `Campaign ${this.#fresh()}`, vouchers_count: 5 }),
    });
  }

  #tokenIssue(): Call {
    const fields = { grant_type: 'client_credentials', scope: 'vouchers loyalties' };
    return form('issue-token', '/v1/oauth/token', fields, (body) => {
      const { access_token } = v.parse(tokenReply, body);
      (below(3) === 0 ? this.#toRevoke : this.#tokens).add(access_token);
      return undefined;
    });
  }

  #byBearer(): Call {
    const token = this.#tokens.any();
    if (!token) return this.#tokenIssue();
    const call = read('get-voucher by bearer', `/v1/vouchers/${coupon(below(coupons))}`);
    return { ...call, headers: { Authorization: `Bearer ${token}` } };
  }

  #introspection(): Call {
    const isRevoked = below(4) === 0;
    const token = isRevoked ? (this.#revoked.any() ?? this.#fresh()) : this.#tokens.any();
    if (token === undefined) return this.#tokenIssue();
    return form('introspect-token', '/v1/oauth/introspect', { access_token: token }, (body) =>
      v.parse(activeReply, body).active === isRevoked ? `a token is told to be what it is not: ${body}` : undefined,
    );
  }

  #revocation(): Call {
    const token = this.#toRevoke.take();
    if (token === undefined) return this.#tokenIssue();
    const call = form('revoke-token', '/v1/oauth/token/revoke', { access_token: token }, () => {
      this.#revoked.add(token);
      return undefined;
    });
    return { ...call, status: 204 };
  }

  #invitation(): Call {
    return {
      ...byTill('invite-user', 'POST', '/management/v1/projects/users/invite', {
        status: 204,
        body: json({
          email: `${this.#fresh()}@mail.example`,
          first_name: 'Ana',
          last_name: 'Lund',
          projects: { [projectId]: 'VIEWER' },
        }),
      }),
      headers: { 'Content-Type': 'application/json' },
    };
  }

  /** Another id each time: nothing of it may stay in memory. */
  #stranger(): Call {
    const headers = { 'X-App-Id': `stranger-${this.#fresh()}`, 'X-App-Token': 'guessed' };
    return { ...refused(401, 'unauthorized', read('', `/v1/vouchers/${coupon(0)}`)), headers };
  }

  #tooManyPoints(): Call {
    const body = json([{ code: card(1), points: 1_000_000_000, source_id: this.#fresh() }]);
    const call = byTill('', 'POST', `/v1/loyalties/camp_club/members/${card(0)}/transfers`, { body });
    return refused(400, 'loyalty_card_points_exceeded', call);
  }

  #undefinedEvent(): Call {
    const body = json({ event: 'never_heard_of', customer: { source_id: source(anyMember()) } });
    return refused(400, 'event_not_defined', byTill('', 'POST', '/v1/events', { body }));
  }
}
