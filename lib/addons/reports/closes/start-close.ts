import * as v from 'valibot';
import { campaignOr404 } from '#engine/campaigns/find-campaign.ts';
import { checkLoyaltyCampaign } from '#engine/campaigns/programme.ts';
import { described } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newPrefixedId } from '#kernel/core/ids.ts';
import { inZoneOf, readTimezone } from '#kernel/core/local-time.ts';
import { array, count, dateTime, object, reference } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { jobItem, newJob } from '#kernel/kit/jobs/job.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, insert } from '#kernel/table/effects.ts';
import { type ItemKey, kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import { type Close, type CloseItem, closeBooks, closeItem, closes, placeClose, presentClose } from './close.ts';
import { findStartOfMonth } from './periods.ts';
import { listPeriods, mostMonths } from './settle-months.ts';
import { startSums } from './sum-card.ts';
import { settledAfterInMs } from './walk-cards.ts';

const jobs = kind<typeof jobItem, [type: 'CLOSE', id: string]>(kinds.job, jobItem);

function closeJobKey(projectId: string, id: string): ItemKey<typeof jobItem> {
  return { ...jobs(projectId, 'CLOSE', id), kind: 'close-points' };
}

const month = v.pipe(v.string(), v.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month, such as 2026-10'));

export const closeBody = object({
  campaign_id: described(reference, 'The id or the name of a loyalty campaign.'),
  at: v.optional(
    described(
      dateTime,
      'The end of the close, at least 15 minutes ago. Without it, the close ends where the current month begins.',
    ),
  ),
  from: v.optional(
    described(
      dateTime,
      'The begin of the first close. Without it, the first close covers the month before its end. Later closes begin where the last one ended.',
    ),
  ),
  sales: v.optional(
    described(
      array(
        object({
          month: described(month, 'YYYY-MM, a month of the close.'),
          amount: described(count, 'The net sales that issued the points of the month, in minor currency units.'),
        }),
        mostMonths,
      ),
      'The net sales by month, from your books. Without them, the stand-alone price of points is deferred.',
    ),
  ),
  opening_amount: v.optional(
    described(
      count,
      'The contract liability in your books when the first close begins, in minor currency units. Without it, the opening points are valued by the estimate.',
    ),
  ),
});

type Body = v.InferOutput<typeof closeBody>;

function refuse(details: string): ServiceError {
  return new ServiceError('invalid_payload', { details });
}

function findEnd({ at }: Body, now: Date): Date {
  const end = inZoneOf(now, at === undefined ? findStartOfMonth(now) : new Date(at));
  const latest = now.getTime() - settledAfterInMs;
  if (end.getTime() <= latest) return end;
  const until = new Date(latest).toISOString();
  throw refuse(
    `at must be at least 15 minutes ago, because work that has begun may still move points: send ${until} or earlier`,
  );
}

/** Returns the begin of the close. A later close begins where the last one ended. */
function findBegin({ from }: Body, end: Date, last: CloseItem | undefined): string {
  if (last) {
    if (from === undefined || Date.parse(from) === Date.parse(last.at)) return last.at;
    throw refuse(`from must be absent or ${last.at}: the close ${last.id} ended there`);
  }
  if (from !== undefined) return new Date(from).toISOString();
  return findStartOfMonth(inZoneOf(end, new Date(end.getTime() - 1))).toISOString();
}

function checkSales({ sales = [] }: Body, months: readonly string[]): void {
  const named = sales.map(({ month }) => month);
  const foreign = named.filter((month) => !months.includes(month));
  if (foreign.length > 0) {
    throw refuse(`sales has ${foreign.join(', ')}: the close has the months ${months.join(', ')}`);
  }
  const twice = named.find((month, index) => named.indexOf(month) !== index);
  if (twice !== undefined) throw refuse(`sales must name each month once, and ${twice} repeats`);
}

/** Returns the new close, or throws 400 if the body does not fit the last close. */
function planClose(
  { now }: Reading,
  body: Body,
  campaign: { readonly id: string; readonly name: string },
  last: CloseItem | undefined,
): CloseItem {
  const end = findEnd(body, now);
  const times = { from: findBegin(body, end, last), at: end.toISOString(), timezone: readTimezone(now) };
  if (Date.parse(times.from) >= end.getTime()) {
    throw refuse(`at must be later than ${times.from}, where the close begins`);
  }
  const periods = listPeriods(times);
  if (periods.length > mostMonths) {
    throw refuse(`from and at must span at most ${mostMonths} months: close the earlier time in a separate close`);
  }
  const months = periods.map(({ month }) => month);
  checkSales(body, months);
  if (last && body.opening_amount !== undefined) {
    throw refuse(`opening_amount must be absent: the close continues with the liability of the close ${last.id}`);
  }
  const { sales, opening_amount } = body;
  return v.parse(closeItem, {
    id: newPrefixedId('close_', now),
    ...{ campaign_id: campaign.id, campaign: campaign.name, ...times, created_at: now.toISOString() },
    ...(sales ? { sales } : {}),
    ...(opening_amount === undefined ? {} : { opening_amount }),
    ...(last ? { previous: { close_id: last.id, points: last.months.at(-1)?.points.closing, pool: last.pool } } : {}),
    status: 'SCHEDULED',
    sums: startSums(periods),
  });
}

/**
 * Starts the next close of a programme. Answers 404 if the campaign is not a programme, and 409 if the last close is
 * not done.
 */
export async function startClose(context: Reading, body: Body): Promise<Close> {
  const { table, project, now } = context;
  const campaign = await campaignOr404(context, body.campaign_id);
  checkLoyaltyCampaign(campaign, body.campaign_id);
  return retryOptimistically(table, async () => {
    const books = closeBooks(project.id, campaign.id);
    const { known } = await read(table, { known: books });
    const { last } = await read(table, { last: known?.last ? closes(project.id, known.last) : undefined });
    if (last && last.status !== 'DONE') {
      throw new ServiceError('points_close_open', {
        details: `the close ${last.id} is ${last.status}: ask for it until it is DONE, or delete it`,
        resource: { id: last.id, type: 'points_close' },
      });
    }
    const item = planClose(context, body, campaign, last);
    const key = closeJobKey(project.id, item.id);
    const job = newJob(key, { kind: 'close-points', about: item.id, project_id: project.id }, now);
    const done = await commit(table, [
      change(books, (update) => update.whenStill('last', known?.last).set(['last'], item.id)),
      insert(closes(project.id, item.id), { ...item, ...placeClose(project.id, item) }),
      insert(key, job.insert),
    ]);
    return done ? presentClose(item, { projectId: project.id, now }) : again;
  });
}
