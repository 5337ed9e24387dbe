import { api, type BodyOf, dataOf, type Schemas } from './api.ts';
import type { Row } from './report.ts';
import { query } from './router.ts';

/** Requests reports by the parameters of the address. */

export type Report = Schemas['ListReportsReply']['reports'][number];

const options = ['by', 'campaign_id', 'budget', 'until'] as const;
const names = ['from', 'to', 'timezone', ...options, 'order'] as const;

export type Asked = Readonly<Pick<BodyOf<'make-report'>, (typeof names)[number]>>;

/** Returns the parameters of a report that only some reports accept. */
export const listOptions = ({ parameters }: Report) => options.filter((name) => parameters.includes(name));

/** Returns the parameters of the address that the report accepts. */
export function readAsked({ parameters, orders }: Report): Asked {
  const taken = new Set(['from', 'to', 'timezone', ...parameters, ...(orders.length > 0 ? ['order'] : [])]);
  const found = names.flatMap((name) => {
    const text = query.value.get(name);
    if (!text || !taken.has(name)) return [];
    return [[name, name === 'budget' ? Number(text) : text] as const];
  });
  return Object.fromEntries(found);
}

export interface Made {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** The days that the report covers. A report of a file does not contain them. */
  readonly range?: { readonly from: string; readonly to: string; readonly timezone: string };
  readonly files?: { readonly csv: string; readonly parquet: string; readonly count: number };
}

export type Answer = Made | { readonly action: string } | { readonly state: 'running' | 'failed' };

export const rowsOfPage = 100;
const mostFileRows = 100_000;

function post(name: string, body: BodyOf<'make-report'>) {
  return dataOf(api.POST('/v1/reports/{reportName}', { params: { path: { reportName: name } }, body }));
}

/** Makes a report. A long one is answered by an action. */
export async function makeReport(name: string, asked: Asked, page: number): Promise<Answer> {
  const reply = await post(name, { ...asked, limit: rowsOfPage, page });
  if ('async_action_id' in reply) return { action: reply.async_action_id };
  const { rows, has_more: hasMore, from, to, timezone } = reply;
  return { rows, hasMore, range: { from, to, timezone } };
}

const mostRows = 1_000;
const askAgainInMs = 1_000;

/** Returns the first thousand rows, even if the engine needs longer for the report than a request lasts. */
export async function readRows(name: string, asked: Asked): Promise<readonly Row[]> {
  const reply = await post(name, { ...asked, limit: mostRows });
  if (!('async_action_id' in reply)) return reply.rows;
  for (;;) {
    const answer = await readAction(reply.async_action_id);
    if ('rows' in answer) return answer.rows;
    if ('state' in answer && answer.state === 'failed') throw new Error(name);
    await new Promise((resolve) => setTimeout(resolve, askAgainInMs));
  }
}

/** Starts the action that writes all rows to files, and returns its id. */
export async function startFiles(name: string, asked: Asked): Promise<string> {
  const reply = await post(name, { ...asked, limit: mostFileRows, as_file: true });
  if ('async_action_id' in reply) return reply.async_action_id;
  throw new Error(name);
}

/** Reads the report of an action, once it is done. */
export async function readAction(id: string): Promise<Answer> {
  const params = { path: { asyncActionId: id } };
  const { status, result } = await dataOf(api.GET('/v1/async-actions/{asyncActionId}', { params }));
  if (status === 'ENQUEUED' || status === 'IN_PROGRESS') return { state: 'running' };
  const { rows, rows_count: count, csv_url: csv, parquet_url: parquet } = result?.report ?? {};
  if (!rows || count === undefined || !csv || !parquet) return { state: 'failed' };
  return { rows, hasMore: count > rows.length, files: { csv, parquet, count } };
}

/** Names of customers and of tiers cost a call each. */
const mostNamed = 25;

async function readCustomer(customerId: string): Promise<{ id?: string; name?: string | null }[]> {
  const one = await dataOf(api.GET('/v1/customers/{customerId}', { params: { path: { customerId } } }));
  return [one];
}

/** Reads names for the ids in rows. An id whose name the key may not read stays an id. */
export async function readNames(rows: readonly Row[], by: unknown): Promise<ReadonlyMap<string, string>> {
  const idsOf = (name: string) => [...new Set(rows.flatMap((row) => (row[name] ? [String(row[name])] : [])))];
  const reads: Promise<readonly { id?: string; name?: string | null }[]>[] = [
    ...(rows.some((row) => row.campaign_id)
      ? [dataOf(api.GET('/v1/campaigns', { params: { query: { limit: 100 } } })).then(({ campaigns }) => campaigns)]
      : []),
    ...(by === 'promotion_tier'
      ? [dataOf(api.GET('/v1/promotions/tiers', { params: { query: { limit: 100 } } })).then(({ tiers }) => tiers)]
      : []),
    ...(by === 'customer' ? idsOf('group_key').slice(0, mostNamed).map(readCustomer) : []),
    ...(rows.some((row) => row.tier_id)
      ? idsOf('campaign_id')
          .slice(0, mostNamed)
          .map((campaignId) =>
            dataOf(api.GET('/v1/loyalties/{campaignId}/tiers', { params: { path: { campaignId } } })).then(
              ({ data }) => data,
            ),
          )
      : []),
  ];
  const found = await Promise.all(reads.map((read) => read.catch(() => [])));
  return new Map(found.flat().flatMap(({ id, name }) => (id && name ? [[id, name] as const] : [])));
}
