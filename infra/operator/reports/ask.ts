import { addDays, formatDay } from '../../../lib/core/calendar.ts';
import { findStartOfDay, inTimezone } from '../../../lib/core/local-time.ts';
import type { ReportQuery } from '../../../lib/core/reports.ts';
import { type Report, type ReportName, reports } from './report-list.ts';

const utcDay = (ms: number) => formatDay(new Date(ms));

/** A question of an operator. Days count in the time zone, both included. */
export interface Asked {
  readonly report: ReportName;
  readonly projectId: string;
  readonly timezone: string;
  readonly from: string;
  readonly to: string;
  readonly by: string | undefined;
  readonly campaignId: string | undefined;
  readonly order: string | undefined;
  readonly limit: number;
  readonly page: number;
}

/** Returns the query of a report. Its partitions are the days of the range in UTC. */
export function buildQuery(asked: Asked): ReportQuery {
  const { report, projectId, timezone, from, to, by, campaignId, order, limit, page } = asked;
  const { readsHistory, readsLater = [], by: dimensions = [] }: Report = reports[report];
  const zone = inTimezone(new Date(0), timezone);
  const begin = findStartOfDay(from, zone);
  const end = findStartOfDay(addDays(to, 1), zone);
  const last = { to: utcDay(end.getTime() - 1) };
  const range = { from: utcDay(begin.getTime()), ...last };
  const later = readsLater.map((table) => [table, { from: range.from }] as const);
  return {
    name: report,
    projectId,
    days: { all: readsHistory ? last : range, ...Object.fromEntries(later) },
    parameters: {
      from_ms: BigInt(begin.getTime()),
      to_ms: BigInt(end.getTime()),
      from_day: from,
      timezone,
      by: by ?? dimensions[0] ?? null,
      campaign_id: campaignId ?? null,
      order: order ?? 'group',
      // One row more shows whether another page follows.
      most: BigInt(limit + 1),
      offset: BigInt((page - 1) * limit),
    },
  };
}
