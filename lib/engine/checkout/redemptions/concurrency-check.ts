import { hasLock } from '#engine/holds/locks.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Gathered } from '../request/gather.ts';

interface Seen {
  readonly revision: number | undefined;
  /** The ids of vouchers with a lock of the session. */
  readonly locked: readonly string[];
}

function seenIn({ order, asked, redeemables, request }: Gathered): Seen {
  const sessionKey = asked.session?.key ?? undefined;
  const locked = redeemables.flatMap(({ target: { voucher, stored }, campaign }) => {
    const moment = { now: request.now, endedAround: campaign?.sessions_ended ?? 0 };
    return voucher && sessionKey !== undefined && hasLock(stored, sessionKey, moment) ? [voucher.id] : [];
  });
  return { revision: order?.before?.revision, locked };
}

/**
 * Refuses a request (400 `multiple_requests`) whose order, or whose session's locks, another request used while this
 * request waited. The other request redeemed on a changed order, and used or gave up a missing lock.
 */
export class ConcurrencyCheck {
  #seen: Seen | undefined;

  check(gathered: Gathered): void {
    const now = seenIn(gathered);
    const before = this.#seen;
    this.#seen = now;
    if (before && gathered.order && before.revision !== now.revision) {
      throw tellingOf('another request has changed the order since it was read');
    }
    const isTaken = before?.locked.some((id) => !now.locked.includes(id)) ?? false;
    if (isTaken) throw tellingOf('another request has redeemed or released what the session had locked');
  }
}

function tellingOf(what: string): ServiceError {
  return new ServiceError('multiple_requests', { details: `${what}: send this one again if it is still wanted` });
}
