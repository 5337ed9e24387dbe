import { addDays, formatDay } from '#kernel/core/calendar.ts';
import { findStartOfDay, inTimezone } from '#kernel/core/local-time.ts';
import type { ReportQuery } from '#kernel/core/reports.ts';
import { type Report, type ReportName, reports } from './report-list.ts';

const utcDay = (ms: number) => formatDay(new Date(ms));

/** A request for a report. Days count in the time zone, both included. */
export interface AskedReport {
  readonly report: ReportName;
  readonly projectId: string;
  readonly timezone: string;
  readonly from: string;
  readonly to: string;
  readonly by?: string | undefined;
  readonly campaignId?: string | undefined;
  /** The budget of a forecast, in minor currency units. */
  readonly budget?: number | undefined;
  /** The last day of a forecast. */
  readonly until?: string | undefined;
  readonly order?: string | undefined;
  readonly limit: number;
  readonly page: number;
}

const dayInMs = 86_400_000;

/** Returns the days from one day to another. */
function countDays(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayInMs;
}

/** A forecast looks a week ahead unless the request names a later day. */
const usualAhead = 7;

/** Returns the query of a report. Its partitions are the days of the range in UTC. */
export function buildReportQuery(asked: AskedReport): ReportQuery {
  const { report, projectId, timezone, from, to, by, campaignId, budget, until, order, limit, page } = asked;
  const { readsHistory, readsLater = [], readsWhole = [], by: dimensions = [] }: Report = reports[report];
  const zone = inTimezone(new Date(0), timezone);
  const begin = findStartOfDay(from, zone);
  const end = findStartOfDay(addDays(to, 1), zone);
  const last = { to: utcDay(end.getTime() - 1) };
  const range = { from: utcDay(begin.getTime()), ...last };
  const later = readsLater.map((table) => [table, { from: range.from }] as const);
  const whole = readsWhole.map((table) => [table, {}] as const);
  return {
    name: report,
    projectId,
    days: { all: readsHistory ? last : range, ...Object.fromEntries([...later, ...whole]) },
    parameters: {
      from_ms: BigInt(begin.getTime()),
      to_ms: BigInt(end.getTime()),
      from_day: from,
      to_day: to,
      timezone,
      by: by ?? dimensions[0] ?? null,
      campaign_id: campaignId ?? null,
      budget_minor: budget === undefined ? null : BigInt(budget),
      range_days: BigInt(countDays(from, to) + 1),
      ahead_days: BigInt(countDays(to, until ?? addDays(to, usualAhead))),
      order: order ?? 'group',
      // One row more shows whether another page follows.
      most: BigInt(limit + 1),
      offset: BigInt((page - 1) * limit),
    },
  };
}

const usualDays = 30;
/** A longer range is a mistake more often than a wish, and reads each day's file. */
const mostDays = 1_100;

/** Returns the requested range of days, or its fault. The last day is today by default. */
export function readRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): { readonly from: string; readonly to: string } | { readonly fault: string } {
  const last = to ?? today;
  const first = from ?? addDays(last, 1 - usualDays);
  const days = countDays(first, last) + 1;
  if (days < 1) return { fault: `the report would end on ${last}, before it begins on ${first}` };
  if (days <= mostDays) return { from: first, to: last };
  return { fault: `the report would read ${days} days of facts: request at most ${mostDays} days in one report` };
}

/** Returns the fault of the last day of a forecast, if any. */
export function findForecastFault(to: string, until: string | undefined): string | undefined {
  if (until === undefined || (to < until && countDays(to, until) <= mostDays)) return undefined;
  return `until must be a day after ${to}, at most ${mostDays} days later`;
}
