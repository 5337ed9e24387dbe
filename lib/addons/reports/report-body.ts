import * as v from 'valibot';
import { formatDay } from '#kernel/core/calendar.ts';
import { described, named } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { readTimezone, timezone } from '#kernel/core/local-time.ts';
import { reportRow } from '#kernel/core/reports.ts';
import { count, date, object, reference, shortText } from '#kernel/core/schema.ts';
import { findClosest } from '#kernel/core/spelling.ts';
import type { Reading } from '#kernel/http/context.ts';
import { mostShownRows } from '#kernel/kit/async-actions/made-report.ts';
import { isReport, type Report, reports } from './report-list.ts';
import { type AskedReport, findForecastFault, readRange } from './report-query.ts';

const usualRows = 100;
/** Limits the rows of a file, which a worker holds in memory. */
const mostFileRows = 100_000;

const most = (limit: number) =>
  v.pipe(count, v.minValue(1, 'must be at least 1'), v.maxValue(limit, `must be at most ${limit}`));

export const reportBody = object({
  from: described(v.optional(date), 'The first day. Without it, the report covers 30 days.'),
  to: described(v.optional(date), 'The last day, which the report includes. Without it, the last day is today.'),
  timezone: described(v.optional(timezone), "The time zone in which days count. Without it, the project's zone."),
  by: described(v.optional(shortText), 'The dimension of the rows, if the report has dimensions.'),
  campaign_id: described(v.optional(reference), 'Only what belongs to the campaign with this id.'),
  budget: described(v.optional(count), 'The budget that a forecast is compared with, in minor currency units.'),
  until: described(v.optional(date), 'The last day of a forecast. Without it, the forecast covers 7 days.'),
  order: described(v.optional(shortText), 'The order of the rows, one of the orders of the report.'),
  limit: described(
    v.optional(most(mostFileRows), usualRows),
    `The number of rows, at most ${mostShownRows}, or ${mostFileRows} with as_file.`,
  ),
  page: described(v.optional(most(mostFileRows), 1), 'The page of rows, from 1.'),
  as_file: described(
    v.optional(v.boolean(), false),
    'Says whether the report is made as files. The reply is then 202, with an async action.',
  ),
});

export type ReportBody = v.InferOutput<typeof reportBody>;

export const reportReply = named(
  'Report',
  v.object({
    object: v.literal('report'),
    name: described(v.string(), 'The name of the report.'),
    from: described(date, 'The first day.'),
    to: described(date, 'The last day, which the report includes.'),
    timezone: described(v.string(), 'The time zone in which days count.'),
    by: described(v.nullable(v.string()), 'The dimension of the rows.'),
    rows: described(v.array(reportRow), 'A row for each value of the dimension. Amounts are in minor currency units.'),
    page: described(count, 'The page of rows.'),
    has_more: described(v.boolean(), 'Says whether another page follows.'),
  }),
);

export const reportsReply = v.object({
  currency: described(v.nullable(v.string()), 'The currency (ISO 4217) of all amounts, if the project has a currency.'),
  currency_decimals: described(count, 'The decimals of the currency. An amount of 1250 with 2 decimals is 12.50.'),
  timezone: described(v.string(), 'The time zone (IANA) of the project.'),
  reports: described(
    v.array(
      v.object({
        name: described(v.string(), 'The name of the report.'),
        description: v.string(),
        parameters: described(v.array(v.string()), 'Parameters besides days, zone, order, limit and page.'),
        dimensions: described(v.array(v.string()), 'The values of `by`, the default first.'),
        orders: described(v.array(v.string()), 'The values of `order`.'),
      }),
    ),
    'The reports.',
  ),
});

/** Lists the reports with their parameters, and the units of the project's amounts and days. */
export function listReports({ project }: Pick<Reading, 'project'>): v.InferOutput<typeof reportsReply> {
  const all: readonly [name: string, report: Report][] = Object.entries(reports);
  return {
    currency: project.currency ?? null,
    currency_decimals: project.decimals,
    timezone: project.timezone,
    reports: all.map(([name, { words, takes = [], by = [], orders = [] }]) => ({
      name,
      description: `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`,
      parameters: [...takes],
      dimensions: [...by],
      orders: [...orders],
    })),
  };
}

function refuse(details: string): ServiceError {
  return new ServiceError('invalid_payload', { details });
}

function checkWord(field: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  const meant = findClosest(value, known);
  throw refuse(`${field} must be ${meant === undefined ? `one of ${known.join(', ')}` : meant}`);
}

/** Refuses parameters that the report would pass over. */
function checkOptions(name: string, { takes = [], by = [], orders = [] }: Report, body: ReportBody): void {
  for (const option of ['by', 'campaign_id', 'budget', 'until'] as const) {
    if (body[option] !== undefined && !takes.includes(option)) throw refuse(`${option} is not a parameter of ${name}`);
  }
  if (body.order !== undefined && orders.length === 0) throw refuse(`order is not a parameter of ${name}`);
  checkWord('by', body.by, by);
  checkWord('order', body.order, orders);
  if (body.limit > mostShownRows && !body.as_file) {
    throw refuse(`limit must be at most ${mostShownRows}: send as_file for up to ${mostFileRows} rows`);
  }
}

/** Returns the question of a body. Answers 404 for an unknown report, and 400 for parameters that the report lacks. */
export function readAskedReport(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  name: string,
  body: ReportBody,
): AskedReport {
  if (!isReport(name)) {
    const known = Object.keys(reports);
    const closest = findClosest(name, known);
    const hint = closest ? `is ${closest} meant?` : `use one of ${known.join(', ')}`;
    throw notFound('report', name, `no report has this name: ${hint}`);
  }
  const report: Report = reports[name];
  checkOptions(name, report, body);
  const zone = body.timezone ?? readTimezone(now);
  const range = readRange(body, formatDay(now));
  if ('fault' in range) throw refuse(range.fault);
  const fault = findForecastFault(range.to, body.until);
  if (fault !== undefined) throw refuse(fault);
  const { by = report.by?.[0], campaign_id: campaignId, budget, until, order, limit, page } = body;
  return {
    report: name,
    projectId: project.id,
    timezone: zone,
    ...range,
    ...{ by, campaignId, budget, until, order, limit, page },
  };
}
