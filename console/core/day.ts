import { api, dataOf, type QueryOf, Refusal } from './api.ts';
import type { CampaignFigure } from './campaign-figure.ts';
import { type DayEvent, type Sums, sumEvents, toEvent } from './day-events.ts';
import type { DayRange } from './day-range.ts';
import { shiftDay, startOfDay } from './days.ts';
import type { Redemption } from './redemption.ts';
import type { Row } from './report.ts';
import { readRows } from './report-call.ts';

/**
 * Reads the figures of a period and of the preceding period: from reports if the server keeps facts, else from the
 * lists.
 */

export interface Step {
  readonly key: string;
  readonly uses: number;
  readonly refusals: number;
  readonly discount: number;
}

export interface Day {
  readonly isOfFacts: boolean;
  readonly now: Sums;
  readonly before: Sums;
  /** Counts refused validations. Only facts contain them. */
  readonly refusedValidations?: number;
  readonly steps: readonly Step[];
  readonly campaigns: readonly { readonly id: string | undefined; readonly name?: string; readonly uses: number }[];
  readonly reasons: readonly { readonly code: string; readonly refusals: number }[];
  /** Is the number of records if the list has more than were read. */
  readonly ofMany?: number;
}

const pageSize = 100;
const mostPages = 10;
const mostOriginals = 100;

interface Listed {
  readonly events: readonly DayEvent[];
  readonly total: number;
  readonly isWhole: boolean;
}

/** Reads the redemptions that were rolled back, but happened earlier. */
async function readOriginals(records: readonly Redemption[]): Promise<ReadonlyMap<string, Redemption>> {
  const known = new Map(records.map((one) => [one.id, one]));
  const ids = records.flatMap(({ object, redemption: id }) => (object === 'redemption_rollback' && id ? [id] : []));
  const missing = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, mostOriginals);
  const read = (redemptionId: string) =>
    api.GET('/v1/redemptions/{redemptionId}', { params: { path: { redemptionId } } }).then(({ data }) => data);
  for (const one of await Promise.all(missing.map(read))) if (one) known.set(one.id, one);
  return known;
}

/** Reads the records since a day, newest first, up to a thousand. */
async function readList(since: string, timezone: string): Promise<Listed> {
  const after = new Date(startOfDay(since, timezone).getTime() - 1).toISOString();
  const read = (page: number) =>
    dataOf(api.GET('/v1/redemptions', { params: { query: { limit: pageSize, page, created_at: { after } } } }));
  const first = await read(1);
  const pages = Math.min(mostPages, Math.ceil(first.total / pageSize));
  const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => read(index + 2)));
  const records = [first, ...others].flatMap((page) => page.redemptions);
  const originals = await readOriginals(records);
  const events = records.map((one) => toEvent(one, originals.get(one.redemption ?? ''), timezone));
  return { events, total: first.total, isWhole: first.total <= pageSize * mostPages };
}

function toSteps(keys: readonly string[], events: readonly DayEvent[]): Step[] {
  const length = keys[0]?.length ?? 0;
  const groups = Map.groupBy(events, ({ hour }) => hour.slice(0, length));
  return keys.map((key) => {
    const { uses, refusals, discount } = sumEvents(groups.get(key) ?? []);
    return { key, uses, refusals, discount };
  });
}

function countBy<Key>(events: readonly DayEvent[], keyOf: (one: DayEvent) => Key): [Key, Sums][] {
  return [...Map.groupBy(events, keyOf)].map(([key, own]) => [key, sumEvents(own)]);
}

function ofLists({ from, before, steps }: DayRange, { events, total, isWhole }: Listed): Day {
  const own = events.filter(({ hour }) => hour >= from);
  const earlier = events.filter(({ hour }) => hour >= before && hour < from);
  const campaigns = countBy(own, ({ campaignId }) => campaignId).map(([id, { uses }]) => ({ id, uses }));
  const reasons = countBy(own, ({ reason }) => reason).flatMap(([code, { refusals }]) =>
    code === undefined ? [] : [{ code, refusals }],
  );
  return {
    ...{ isOfFacts: false, now: sumEvents(own), before: sumEvents(earlier), steps: toSteps(steps, own) },
    ...{ campaigns, reasons, ...(isWhole ? {} : { ofMany: total }) },
  };
}

const figureIn = (row: Row | undefined, name: string) => Number(row?.[name] ?? 0);

function sumRows(rows: readonly Row[]): Sums {
  const sum = (name: string) => rows.reduce((all, row) => all + figureIn(row, name), 0);
  return {
    ...{ uses: sum('uses'), rollbacks: sum('rollbacks'), discount: sum('discount_minor') },
    ...{ turnover: sum('orders_total_minor'), refusals: sum('failures') },
  };
}

async function ofFacts({ timezone, from, to, before, steps }: DayRange): Promise<Day> {
  const isHours = from === to;
  const [days, campaigns, reasons, hours] = await Promise.all([
    readRows('redemptions', { by: 'day', from: before, to, timezone }),
    readRows('redemptions', { by: 'campaign', from, to, timezone, order: '-uses' }),
    readRows('refusals', { by: 'reason', from, to, timezone, order: '-refusals' }),
    isHours ? readList(from, timezone) : undefined,
  ]);
  const own = days.filter(({ group_key: day }) => String(day) >= from);
  const ofDay = (key: string) => days.find(({ group_key: day }) => day === key);
  return {
    ...{ isOfFacts: true, now: sumRows(own), before: sumRows(days.filter((row) => !own.includes(row))) },
    refusedValidations: reasons.reduce((sum, row) => sum + figureIn(row, 'refused_validations'), 0),
    steps: hours
      ? toSteps(steps, hours.events)
      : steps.map((key) => {
          const { uses, refusals, discount } = sumRows([ofDay(key) ?? {}]);
          return { key, uses, refusals, discount };
        }),
    campaigns: campaigns.map((row) => ({
      id: typeof row.group_key === 'string' ? row.group_key : undefined,
      ...(typeof row.name === 'string' ? { name: row.name } : {}),
      uses: figureIn(row, 'uses'),
    })),
    reasons: reasons.map((row) => ({
      code: String(row.group_key ?? ''),
      refusals: figureIn(row, 'failed_redemptions'),
    })),
    ...(hours && !hours.isWhole ? { ofMany: hours.total } : {}),
  };
}

const isWithoutReports = (error: unknown) => error instanceof Refusal && error.status === 403;

export async function readDay(range: DayRange): Promise<Day> {
  const day = await ofFacts(range).catch((error: unknown) => {
    if (isWithoutReports(error)) return undefined;
    throw error;
  });
  return day ?? ofLists(range, await readList(range.before, range.timezone));
}

const mostProgrammes = 20;

/** Sums the points of the newest programmes by their counters, which the API keeps by days of the project. */
async function readPoints(from: string, to: string): Promise<{ issued: number; spent: number }> {
  const { campaigns } = await dataOf(api.GET('/v1/loyalties', { params: { query: { limit: mostProgrammes } } }));
  const query: QueryOf<'get-campaign-summary'> = { start_date: from, end_date: to };
  const summaries = await Promise.all(
    campaigns.map(({ id }) =>
      dataOf(api.GET('/v1/campaigns/{campaignId}/summary', { params: { path: { campaignId: id }, query } })),
    ),
  );
  const sum = (name: CampaignFigure) => summaries.reduce((all, one) => all + (one[name] ?? 0), 0);
  return {
    issued:
      sum('points_rewarded') +
      sum('pending_points_activated') +
      sum('points_added') -
      sum('points_subtracted') +
      sum('created_vouchers_points'),
    spent: sum('points_redeemed') - sum('points_rolledback'),
  };
}

/** Returns the points of a period and of the preceding period. */
export async function comparePoints({ from, to, before }: DayRange) {
  const [now, earlier] = await Promise.all([readPoints(from, to), readPoints(before, shiftDay(from, -1))]);
  return { now, before: earlier };
}
