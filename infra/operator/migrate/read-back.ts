import { stat } from 'node:fs/promises';
import { classifyEvent } from '#engine/ledger/earning-events.ts';
import type { Lot } from '#engine/ledger/lots.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { ofEach, ruleAssignments } from './collect.ts';
import { type Cells, cellsIn, flag, headerOf, whole } from './csv-rows.ts';
import { toCustomer } from './customer-rows.ts';
import { linesIn } from './json-lines.ts';
import { listedIn, orderLines } from './listed-rows.ts';
import { toOrder, toWholeOrder } from './order-rows.ts';
import type { Row } from './pages.ts';
import { redemptionsOf } from './redemption-rows.ts';
import * as rows from './rows.ts';
import type { Progress } from './state.ts';

/** Walks over everything that was read, as entries in the order of a project file. */

export interface Found {
  readonly list: string;
  readonly value: Row;
  /** The facts that the source does not provide. */
  readonly lost?: readonly string[];
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Yields the rows of a list, each once: a row that moved to another page was read twice. */
async function* rowsOf(progress: Progress, ...names: readonly string[]): AsyncGenerator<Row> {
  const seen = new Set<unknown>();
  for (const path of names.map((name) => progress.path(`${name}.jsonl`))) {
    if (!(await isThere(path))) continue;
    for await (const row of linesIn(path)) {
      if (seen.has(row.id)) continue;
      seen.add(row.id);
      yield row;
    }
  }
}

/** Yields the assignments, also where this run has read them by rule. Files of an earlier run do not count. */
async function* assignmentsOf(progress: Progress): AsyncGenerator<Row> {
  const lists: string[] = [];
  for await (const { id } of rowsOf(progress, 'validation_rules')) lists.push(ofEach(ruleAssignments, String(id)));
  yield* rowsOf(progress, ruleAssignments, ...lists.filter((name) => progress.step(name).done));
}

async function* cellsOf(progress: Progress, name: string): AsyncGenerator<Cells> {
  const path = progress.path(`${name}.csv`);
  if (progress.step(`${name}.csv`).refused === undefined && (await isThere(path))) yield* cellsIn(path);
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/** Holds the facts that several lists need of the others. */
interface Surroundings {
  readonly campaigns: ReadonlyMap<string, rows.Campaign>;
  readonly byName: ReadonlyMap<string, rows.Campaign>;
  /** The codes of cards, of referral codes, and of vouchers with assignments, by their ids at the source. */
  readonly codes: ReadonlyMap<string, string>;
  readonly lots: ReadonlyMap<string, readonly Lot[]>;
}

async function readLots(progress: Progress, codes: ReadonlyMap<string, string>): Promise<Map<string, Lot[]>> {
  const lots = new Map<string, Lot[]>();
  for await (const { voucher_id = '', status, points, expires_at } of cellsOf(progress, 'points_expiration')) {
    const code = codes.get(voucher_id);
    if (code === undefined || status !== 'ACTIVE') continue;
    const own = lots.get(code) ?? [];
    lots.set(code, own);
    own.push({ points: whole(points) ?? 0, expires: expires_at?.slice(0, 10) ?? null });
  }
  return lots;
}

async function survey(progress: Progress): Promise<Surroundings> {
  const found = await all(rowsOf(progress, 'campaigns'));
  const categories = new Map((await all(rowsOf(progress, 'categories'))).map(({ id, name }) => [id, String(name)]));
  const campaigns = found.map((row) => {
    return { id: String(row.id), name: String(row.name), category: categories.get(row.category_id), row };
  });
  const wanted = new Set<unknown>();
  for await (const row of assignmentsOf(progress)) wanted.add(row.related_object_id);
  const codes = new Map<string, string>();
  for await (const { id = '', code = '', voucher_type, is_referral_code } of cellsOf(progress, 'vouchers')) {
    if (voucher_type === 'LOYALTY_CARD' || flag(is_referral_code) || wanted.has(id)) codes.set(id, code);
  }
  return {
    campaigns: new Map(campaigns.map((one) => [one.id, one])),
    byName: new Map(campaigns.map((one) => [one.name, one])),
    codes,
    lots: await readLots(progress, codes),
  };
}

/** Returns the schemas of custom events that rules name, because only managers may read them. */
function schemasOf(rules: readonly Row[]): Row[] {
  const schemas = new Map<string, Record<string, string>>();
  for (const { event, loyalty } of rules) {
    if (typeof event !== 'string' || classifyEvent(event) !== 'custom') continue;
    const metadata = schemas.get(event) ?? {};
    schemas.set(event, metadata);
    const custom = isRecord(loyalty) && isRecord(loyalty.custom_event) ? loyalty.custom_event.metadata : undefined;
    if (isRecord(custom) && typeof custom.property === 'string') metadata[custom.property] = 'number';
  }
  return [...schemas].map(([name, metadata]) => ({ name, metadata }));
}

async function* ofProgrammes(progress: Progress, { campaigns, codes }: Surroundings): AsyncGenerator<Found> {
  for (const id of campaigns.keys()) {
    for (const list of ['loyalty_tiers', 'reward_assignments']) {
      for await (const value of rowsOf(progress, ofEach(list, id))) yield { list, value };
    }
    const rules = await all(rowsOf(progress, ofEach('earning_rules', id)));
    for (const value of rules) yield { list: 'earning_rules', value };
    for await (const row of rowsOf(progress, ofEach('pending_points', id))) {
      const code = codes.get(String(row.voucher_id));
      if (code !== undefined) yield { list: 'pending_points', value: rows.toPending(row, code) };
    }
  }
}

async function* ofEvents(progress: Progress, { campaigns }: Surroundings): AsyncGenerator<Found> {
  const rules = await Promise.all(
    [...campaigns.keys()].map((id) => all(rowsOf(progress, ofEach('earning_rules', id)))),
  );
  for (const value of schemasOf(rules.flat())) yield { list: 'event_schema', value };
}

async function* ofCatalogue(progress: Progress): AsyncGenerator<Found> {
  for await (const { skus, ...value } of rowsOf(progress, 'products')) {
    yield { list: 'products', value };
    const shown = isRecord(skus) && Array.isArray(skus.data) ? skus.data.filter(isRecord) : [];
    const read = await all(rowsOf(progress, ofEach('skus', String(value.id))));
    for (const sku of read.length > 0 ? read : shown) yield { list: 'skus', value: { product_id: value.id, ...sku } };
  }
}

async function* ofSegments(progress: Progress): AsyncGenerator<Found> {
  for await (const value of rowsOf(progress, 'segments')) {
    if (value.type !== 'static') yield { list: 'segments', value };
    else {
      const members = await all(rowsOf(progress, ofEach('members', String(value.id))));
      yield { list: 'segments', value: { ...value, customers: members.map(({ id }) => id) } };
    }
  }
}

/** Returns the facts that the exports of the source do not have, because only some services have their columns. */
async function readLost(progress: Progress) {
  const lacks = async (name: string, column: string) =>
    (await isThere(progress.path(`${name}.csv`))) && !(await headerOf(progress.path(`${name}.csv`))).includes(column);
  return {
    customers: (await lacks('customers', 'summary'))
      ? ['customers come without their referrals and credits, which the export does not have']
      : [],
    publications: (await lacks('publications', 'source_id'))
      ? ['publications come without their id and source_id, which the export does not have']
      : [],
  };
}

async function* ofExports(progress: Progress, { campaigns, byName, lots, codes }: Surroundings): AsyncGenerator<Found> {
  const named = (name: string | undefined) => byName.get(name ?? '');
  const lostOf = await readLost(progress);
  for await (const cells of cellsOf(progress, 'customers')) {
    yield { list: 'customers', value: toCustomer(cells, codes), lost: lostOf.customers };
  }
  for await (const cells of cellsOf(progress, 'vouchers')) {
    const campaign = campaigns.get(cells.campaign_id ?? '') ?? named(cells.campaign);
    const isLost = !campaign && (cells.campaign_id ?? cells.campaign) !== undefined;
    const value = rows.toVoucher(cells, campaign, lots.get(cells.code ?? ''));
    yield { list: 'vouchers', value: isLost ? { ...value, campaign_id: cells.campaign_id ?? cells.campaign } : value };
  }
  const joins = ({ campaign = '', customer_id = '' }: Cells) => `${campaign}\n${customer_id}`;
  const last = new Map<string, number>();
  let number = 0;
  for await (const cells of cellsOf(progress, 'publications')) {
    number += 1;
    if (cells.campaign && cells.voucher_code) last.set(joins(cells), number);
  }
  number = 0;
  for await (const cells of cellsOf(progress, 'publications')) {
    number += 1;
    const isLatest = last.get(joins(cells)) === number;
    yield {
      list: 'publications',
      value: rows.toPublication(cells, named(cells.campaign), isLatest),
      lost: lostOf.publications,
    };
  }
  if (progress.step('orders.csv').refused === undefined && (await isThere(progress.path('orders.csv')))) {
    for await (const found of listedIn(progress, orderLines)) {
      yield { list: 'orders', value: 'row' in found ? toWholeOrder(found.row) : toOrder(found.cells) };
    }
  }
  if (progress.step('redemptions.csv').refused !== undefined || !(await isThere(progress.path('redemptions.csv'))))
    return;
  for await (const found of redemptionsOf(progress, { campaigns, byName })) yield { list: 'redemptions', ...found };
}

const plain = ['categories', 'validation_rules', 'campaigns', 'promotion_tiers', 'promotion_stacks', 'rewards'];

export async function* entriesOf(progress: Progress): AsyncGenerator<Found> {
  const around = await survey(progress);
  for (const list of [...plain, 'locations', 'product_collections']) {
    for await (const value of rowsOf(progress, list)) yield { list, value };
  }
  // The id is Tessera's own. A new id for each load would turn each load into a change.
  for await (const value of rowsOf(progress, 'stacking_rules')) {
    yield { list: 'stacking_rules', value: { ...value, id: 'stk_migrated' } };
  }
  yield* ofEvents(progress, around);
  for await (const row of assignmentsOf(progress)) {
    const id = String(row.related_object_id);
    const code = row.related_object_type === 'voucher' ? around.codes.get(id) : undefined;
    yield { list: 'validation_rules_assignments', value: { ...row, related_object_id: code ?? id } };
  }
  yield* ofProgrammes(progress, around);
  yield* ofCatalogue(progress);
  yield* ofSegments(progress);
  yield* ofExports(progress, around);
  for await (const row of rowsOf(progress, 'referral_holders')) {
    if (row.holder_role !== 'OWNER') yield { list: 'referral_holders', value: rows.toHolder(row) };
  }
}
