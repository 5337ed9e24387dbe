import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { isReport, type Report, reports } from '#addons/reports/report-list.ts';
import { buildReportQuery, findForecastFault, readRange } from '#addons/reports/report-query.ts';
import { writeReportCsv } from '#addons/reports/report-work.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import { inTimezone, timezone } from '#kernel/core/local-time.ts';
import type { ReportEngine } from '#kernel/core/reports.ts';
import { date } from '#kernel/core/schema.ts';
import { findClosest } from '#kernel/core/spelling.ts';
import { Complaint, Misuse, runCommand } from '../command-line.ts';
import { factsFolder } from '../local/facts/open-facts.ts';
import { openReader } from '../local/facts/read-facts.ts';

const names = Object.keys(reports);
const list = Object.entries(reports).map(([name, { words }]) => `  ${name.padEnd(13)} ${words}`);

const usage = `Reports on the promotions of a project, from the facts of a server with a DATA_DIR. The server may run.

  npm run reports -- REPORT --data DIR --project PROJECT [--from DAY] [--to DAY] [--by DIMENSION]

${list.join('\n')}

The report redemptions has a row for each value of a dimension:
  ${reports.redemptions.by.join(', ')}
`;

const options = {
  data: { type: 'string', value: 'DIR', words: 'the DATA_DIR of the server' },
  project: { type: 'string', value: 'PROJECT', words: 'the id of the project' },
  from: {
    type: 'string',
    value: 'DAY',
    words: 'the first day, such as 2026-01-31; 30 days before the last by default',
  },
  to: { type: 'string', value: 'DAY', words: 'the last day; today by default' },
  by: { type: 'string', value: 'DIMENSION', words: 'the dimension of redemptions or refusals' },
  campaign: { type: 'string', value: 'ID', words: 'only this campaign' },
  budget: { type: 'string', value: 'AMOUNT', words: 'the budget of a forecast, in minor currency units' },
  until: { type: 'string', value: 'DAY', words: 'the last day of a forecast; 7 days after the last day by default' },
  order: { type: 'string', value: 'ORDER', words: '-discount_minor, -uses or -refusals: the greatest first' },
  limit: { type: 'string', value: 'ROWS', words: 'at most this number of rows, up to 100000', default: '1000' },
  page: { type: 'string', value: 'NUMBER', words: 'the page, from 1', default: '1' },
  timezone: { type: 'string', value: 'ZONE', words: "the zone in which days count; the project's by default" },
  json: { type: 'boolean', words: 'prints JSON instead of CSV' },
} as const;

const number = (most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,12}$/, `must be an integer from 1 to ${most}`),
    v.transform(Number),
    v.maxValue(most, `must be an integer from 1 to ${most}`),
  );

const settings = v.object({
  data: v.string('is missing: name the DATA_DIR of the server'),
  project: v.pipe(v.string('is missing: name a project, such as proj_demo'), v.nonEmpty()),
  from: v.optional(date),
  to: v.optional(date),
  by: v.optional(v.string()),
  campaign: v.optional(v.string()),
  budget: v.optional(number(1_000_000_000_000)),
  until: v.optional(date),
  order: v.optional(v.string()),
  limit: number(100_000),
  page: number(100_000),
  timezone: v.optional(timezone),
});

function refuseUnknown(what: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw new Misuse(
    `"${value}" is not a known ${what}: write ${findClosest(value, known) ?? known.join(', ') ?? 'none'}.`,
  );
}

async function readTimezoneOf(engine: Pick<ReportEngine, 'query'>, projectId: string): Promise<string> {
  const query = { name: 'timezone', projectId, days: { all: {} }, parameters: {} };
  const [row] = await engine.query(query);
  if (row) return String(row.timezone);
  throw new Complaint(`No facts exist of a project ${projectId}.`, ['Name a project that the server has served.']);
}

await runCommand(
  { usage, options, positionals: { least: 1, most: 1 } },
  async ({ values, positionals: [name = ''] }) => {
    refuseUnknown('report', name, names);
    if (!isReport(name)) return undefined;
    const report: Report = reports[name];
    const checked = v.safeParse(settings, values);
    if (!checked.success) throw new Misuse(describeIssues(checked.issues, 'an option').join('\n'));
    const {
      data,
      project: projectId,
      limit,
      page,
      by,
      campaign,
      budget,
      until,
      order,
      timezone: zone,
    } = checked.output;
    refuseUnknown(`dimension of ${name}`, by, report.by ?? []);
    refuseUnknown(`order of ${name}`, order, report.orders ?? []);
    for (const option of ['campaign', 'budget', 'until'] as const) {
      const isTaken = report.takes?.includes(option === 'campaign' ? 'campaign_id' : option) ?? false;
      if (checked.output[option] !== undefined && !isTaken)
        throw new Misuse(`--${option} is not an option of ${name}.`);
    }
    const folder = factsFolder(data);
    if (!existsSync(folder)) {
      throw new Complaint(`${data} has no facts: start the server with DATA_DIR=${data}, which keeps them.`);
    }
    const engine = await openReader(folder);
    try {
      const timezone = zone ?? (await readTimezoneOf(engine, projectId));
      const range = readRange(checked.output, formatDay(inTimezone(new Date(), timezone)));
      const fault = 'fault' in range ? range.fault : findForecastFault(range.to, until);
      if ('fault' in range || fault !== undefined) throw new Complaint(`These days do not fit: ${fault}.`);
      const asked = { report: name, projectId, timezone, ...range, by, campaignId: campaign, budget, until };
      const rows = await engine.query(buildReportQuery({ ...asked, order, limit, page }));
      if (rows.length > limit)
        process.stderr.write(`There are more rows: ask for --page ${page + 1}, or a higher --limit.\n`);
      if (rows.length === 0) process.stderr.write(`The report has no rows from ${range.from} to ${range.to}.\n`);
      const shown = rows.slice(0, limit);
      return values.json ? `${JSON.stringify(shown, null, 2)}\n` : writeReportCsv(shown);
    } finally {
      engine.end();
    }
  },
);
