import type { Books } from './books.ts';
import { byTill, json } from './calls.ts';
import { anyMember, below } from './dice.ts';
import { fresh } from './fresh.ts';
import { Kept } from './kept.ts';
import type { Call } from './round.ts';
import { card, earned, members, pendingPoints, source } from './shop.ts';

/** Makes calls that move members' points. Each updates the books. */
export class PointCalls {
  readonly #books: Books;
  readonly #keyed = new Kept<{ call: Call; reply: string }>();
  readonly #transfers = new Kept<Call>();

  constructor(books: Books) {
    this.#books = books;
  }

  event(): Call {
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
    return ['order_paid', { amount, receipt: fresh() }, { points: earned.order_paid(amount) }];
  }

  keyedEvent(): Call {
    const event = this.event();
    const call = { ...event, headers: { ...event.headers, 'Idempotency-Key': fresh() } };
    return {
      ...call,
      operation: 'send-event with a key',
      settle: (body, headers) => {
        this.#keyed.add({ call, reply: body });
        return call.settle?.(body, headers);
      },
    };
  }

  replay(): Call {
    const first = this.#keyed.any();
    if (!first) return this.keyedEvent();
    return {
      ...first.call,
      operation: 'send-event replayed',
      settle: (body, headers) => {
        if (headers['idempotent-replayed'] !== 'true') return 'the reply is not a replay';
        return body === first.reply ? undefined : `another reply than the first one: ${body}`;
      },
    };
  }

  transfer(): Call {
    const to = anyMember();
    const from = new Map<number, number>();
    for (let count = 1 + below(3); count > 0; count--) {
      const member = anyMember();
      if (member !== to) from.set(member, 1 + below(20));
    }
    if (from.size === 0) from.set((to + 1) % members, 1);
    const sources = [...from].map(([member, points]) => ({ member, points }));
    const call = byTill('transfer-points', 'POST', `/v1/loyalties/camp_club/members/${card(to)}/transfers`, {
      body: json(sources.map(({ member, points }) => ({ code: card(member), points, source_id: fresh() }))),
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

  repeatedTransfer(): Call {
    const first = this.#transfers.any();
    return first ? { ...first, operation: 'transfer-points repeated' } : this.transfer();
  }

  pendingPoints(): Call {
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
}
