import * as v from 'valibot';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { parseInstant } from '#kernel/core/date-time.ts';
import { described } from '#kernel/core/documented.ts';
import { type ErrorKey, ServiceError } from '#kernel/core/errors.ts';
import { inZoneOf } from '#kernel/core/local-time.ts';
import { identifier, longText, nullable, object, sentInteger } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import { dateOrTime, isDateAlone } from '#kernel/http/page.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { type MemberPath, memberOr404 } from '../member-path.ts';
import { type memberBalance, presentPoints } from './balance.ts';
import { countPosted, postPoints } from './post-points.ts';

export const adjustMemberBalanceBody = object({
  points: described(
    sentInteger,
    'The points to add. A number below 0 removes points, beginning with the points that expire soonest.',
  ),
  expiration_type: described(
    v.optional(v.picklist(['PROGRAM_RULES', 'CUSTOM_DATE', 'NON_EXPIRING']), 'PROGRAM_RULES'),
    'Says when the added points expire.',
  ),
  expiration_date: described(
    nullable(dateOrTime),
    "The last day of the points, in the project's time zone, for CUSTOM_DATE. A moment means its day in this zone.",
  ),
  reason: described(nullable(longText), 'The reason, which is shown with the transaction.'),
  source_id: described(
    nullable(identifier),
    "The caller's own id of the transaction. The same id sent again makes another transaction.",
  ),
});

export const memberBalanceErrors = [
  'not_found',
  'not_published',
  'loyalty_card_points_exceeded',
  'invalid_amount',
  'missing_param',
  'invalid_expiration_date',
] as const satisfies readonly ErrorKey[];

type Body = v.InferOutput<typeof adjustMemberBalanceBody>;

/** Returns the last day of added points. `undefined` means that the programme's rules decide. */
function lastDayOf({ expiration_type, expiration_date }: Body, now: Date): string | null | undefined {
  if (expiration_type === 'PROGRAM_RULES') return undefined;
  if (expiration_type === 'NON_EXPIRING') return null;
  if (!expiration_date) {
    throw new ServiceError('missing_param', {
      details: 'expiration_date is required if expiration_type is CUSTOM_DATE',
    });
  }
  const day = isDateAlone(expiration_date)
    ? expiration_date
    : formatDay(inZoneOf(now, new Date(parseInstant(expiration_date) ?? Number.NaN)));
  if (day < formatDay(now)) {
    throw new ServiceError('invalid_expiration_date', {
      details: `expiration_date must be ${formatDay(now)} or later`,
    });
  }
  return day;
}

/** Adds points to a member's card, or subtracts some. */
export async function adjustMemberBalance(
  context: Writing,
  path: MemberPath,
  body: Body,
): Promise<v.InferOutput<typeof memberBalance>> {
  const { table, now } = context;
  const { points, reason, source_id } = body;
  if (points === 0) throw new ServiceError('invalid_amount', { details: 'points must not be 0' });
  const expires = points > 0 ? lastDayOf(body, now) : undefined;
  const occasion = readOccasion(context);
  return retryOptimistically(table, async () => {
    const item = await memberOr404(context, path);
    const change = { points, expires, reason, source_id, place: 'points' };
    const posted = await postPoints(context, item, occasion, change);
    if (posted === again) return again;
    const done = await commit(table, [...posted.effects, ...countPosted(context, item, points)]);
    return done ? presentPoints(posted.entry) : again;
  });
}
