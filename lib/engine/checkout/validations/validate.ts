import * as v from 'valibot';
import { makeSession, type Session } from '#engine/holds/session.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import type { Checkout } from '../engine/checkout.ts';
import { createCounterOpener } from '../redemptions/open-counters.ts';
import { checkLocks, checkRollbackSize } from '../redemptions/rollback-size.ts';
import type { Calling, FoundRedeemable } from '../request/build-redeemable.ts';
import {
  type Asked,
  type AskedByBrowser,
  type CheckoutBody,
  readAsked,
  readExpansions,
} from '../request/checkout-body.ts';
import type { Gathered } from '../request/gather.ts';
import { judgeCheckout } from '../request/judge-checkout.ts';
import { lockUses } from '../request/locks.ts';
import { createCheckoutRoom, showJudgedOrder, showRedeemable } from '../request/show-redeemable.ts';
import type { ShownRedeemable } from '../request/shown-redeemable.ts';
import { readTrackingId } from '../request/tracking-id.ts';
import { type Noting, noteConsidered } from './tally.ts';
import { appliedRules, type Validation } from './validation.ts';

export type Validating = Calling & Noting & { readonly requestId: string };

type Lists = Pick<Validation, 'redeemables' | 'skipped_redeemables' | 'inapplicable_redeemables'>;

/** Returns the lists of the reply (docs/checkout.md#checkout). */
function listsOf(all: readonly ShownRedeemable[], isValid: boolean, mode: 'ALL' | 'PARTIAL'): Lists {
  const of = (status: ShownRedeemable['status']) => all.filter((one) => one.status === status);
  const [applicable, inapplicable, skipped] = [of('APPLICABLE'), of('INAPPLICABLE'), of('SKIPPED')];
  const beside = {
    ...(skipped.length > 0 ? { skipped_redeemables: skipped } : {}),
    ...(inapplicable.length > 0 ? { inapplicable_redeemables: inapplicable } : {}),
  };
  if (isValid) return { redeemables: applicable, ...beside };
  return { redeemables: mode === 'PARTIAL' && inapplicable.length > 0 ? inapplicable : [...all], ...beside };
}

function shown(
  context: Validating,
  gathered: Gathered,
  { isValid, considered, order }: Checkout<FoundRedeemable>,
  expand: ReadonlySet<string>,
): Validation {
  const tracking_id = readTrackingId(context, gathered);
  const room = createCheckoutRoom();
  const all = considered.map((one) =>
    room.take(showRedeemable(one, gathered, { requestId: context.requestId, expand })),
  );
  // The lists of an invalid validation have them twice.
  if (!isValid) for (const one of all) if (one.status !== 'APPLICABLE') room.take(one);
  return {
    id: newTimedId('validation', context.now),
    valid: isValid,
    ...(tracking_id === undefined ? {} : { tracking_id }),
    ...(isValid && gathered.order ? { order: room.take(showJudgedOrder(order, gathered)) } : {}),
    ...listsOf(all, isValid, gathered.stackingRules.redeemables_application_mode),
    stacking_rules: v.parse(appliedRules, gathered.stackingRules),
  };
}

/** A judged checkout, and the session that locks it. */
export interface Validated {
  readonly gathered: Gathered;
  readonly decided: Checkout<FoundRedeemable>;
  readonly session: Validation['session'];
}

/** Runs before any lock. A refusal here has changed nothing. */
type Look = (gathered: Gathered, decided: Checkout<FoundRedeemable>) => void;

/** Judges the checkout, and locks its uses for the session. Reads again if they have changed since the read. */
function decideLocking(context: Validating, asked: Asked, session: Session, look?: Look): Promise<Validated> {
  const openCounters = createCounterOpener();
  return retryOptimistically(context.table, async () => {
    const { gathered, decided } = await judgeCheckout(context, asked, openCounters);
    if (!decided.isValid) return { gathered, decided, session: undefined };
    checkRollbackSize(gathered, decided);
    look?.(gathered, decided);
    const locks = lockUses(gathered, decided, session);
    checkLocks(locks);
    if (locks.length > 0 && !(await commit(context.table, locks))) return again;
    const { key, ttl, ttl_unit } = session;
    return { gathered, decided, session: { key, type: 'LOCK' as const, ttl, ttl_unit } };
  });
}

async function decide(context: Validating, asked: Asked, look?: Look): Promise<Validated> {
  if (asked.session) {
    const session = makeSession(asked.session, context.now, asked.browser?.name);
    return decideLocking(context, { ...asked, session: { ...asked.session, key: session.key } }, session, look);
  }
  const { gathered, decided } = await judgeCheckout(context, asked, createCounterOpener());
  if (decided.isValid) checkRollbackSize(gathered, decided);
  return { gathered, decided, session: undefined };
}

/** Judges the checkout, and notes the outcome for campaigns. Only the lock of a session is stored, and only after a success. */
export async function decideAndNote(context: Validating, asked: Asked, look?: Look): Promise<Validated> {
  const validated = await decide(context, asked, look);
  noteConsidered(context, validated.decided);
  return validated;
}

/** Shows the effects of redeemables on an order. `browser` is present if a browser calls. */
export async function validate(context: Validating, body: CheckoutBody, browser?: AskedByBrowser): Promise<Validation> {
  const expand = readExpansions(body);
  const show = (gathered: Gathered, decided: Checkout<FoundRedeemable>) => shown(context, gathered, decided, expand);
  const { gathered, decided, session } = await decideAndNote(context, readAsked(body, browser), show);
  const reply = show(gathered, decided);
  return { ...reply, ...(session ? { session } : {}) };
}
