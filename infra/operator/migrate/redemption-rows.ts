import { stat } from 'node:fs/promises';
import { defined } from '#kernel/core/defined.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { type Cells, cellsIn, json } from './csv-rows.ts';
import { knownRows, listedIn, redemptionRows, versionsIn } from './listed-rows.ts';
import type { Row } from './pages.ts';
import { type Campaign, toRedemption } from './rows.ts';
import type { Progress } from './state.ts';

/** Turns redemptions and rollbacks of the source into entries of a project file, with the links between them. */

interface Links {
  /** All records of the export, so that every link has a target. */
  readonly ids: ReadonlyMap<string, string>;
  /** The rollbacks of each redemption. A row that was read before its rollback does not have them. */
  readonly rollbacks: ReadonlyMap<string, readonly Row[]>;
  /** The metadata of redemptions that were rolled back. A rollback may change it. */
  readonly rolledBack: ReadonlyMap<string, unknown>;
}

async function readRolledBack(progress: Progress): Promise<Map<string, unknown>> {
  const path = progress.path('rolled_back.csv');
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  const found = new Map<string, unknown>();
  if (!isThere || progress.step('rolled_back.csv').refused !== undefined) return found;
  for await (const { id = '', metadata } of cellsIn(path)) found.set(id, json(metadata));
  return found;
}

async function readLinks(progress: Progress): Promise<Links> {
  const ids = await versionsIn(progress, redemptionRows);
  const rollbacks = new Map<string, Row[]>();
  for await (const { object, result, redemption, id, date } of knownRows(progress, redemptionRows, new Map(ids))) {
    if (object !== 'redemption_rollback' || result !== 'SUCCESS' || typeof redemption !== 'string') continue;
    const own = rollbacks.get(redemption) ?? [];
    rollbacks.set(redemption, own);
    own.push({ id, date });
  }
  return { ids, rollbacks, rolledBack: await readRolledBack(progress) };
}

const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Returns the links of a row to the records that the export has, and the ids of others. */
function linksOf({ id, redemption, related_redemptions: shown }: Row, { ids, rollbacks }: Links) {
  const { redemptions: children, rollbacks: said } = isRecord(shown) ? shown : {};
  const isKnown = (one: Row) => ids.has(String(one.id));
  const known = rowsIn(children).filter(isKnown);
  const found = rowsIn(said).length > 0 ? rowsIn(said) : rollbacks.get(String(id));
  const isOf = typeof redemption === 'string' && ids.has(redemption);
  const related = defined({ redemptions: Array.isArray(children) ? known : undefined, rollbacks: found });
  const lost = rowsIn(children).length > known.length || (typeof redemption === 'string' && !isOf);
  return {
    links: {
      redemption: isOf ? redemption : undefined,
      related_redemptions: Object.keys(related).length > 0 ? related : undefined,
    },
    lost,
  };
}

function withoutNulls(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

function orderOfRow({ order }: Row): Row | undefined {
  if (!isRecord(order) || typeof order.id !== 'string') return undefined;
  // Replies have `null` in these, and leave other empty fields out.
  const { source_id = null, updated_at } = order;
  const empty = { source_id, ...(updated_at === undefined ? {} : { updated_at }) };
  const people = Object.fromEntries(
    ['customer_id', 'referrer_id'].flatMap((name) => (name in order ? [[name, order[name]]] : [])),
  );
  return { ...withoutNulls(order), ...empty, ...people, items: rowsIn(order.items).map(withoutNulls) };
}

export interface RedemptionFound {
  readonly value: Row;
  /** The facts that the source does not provide. */
  readonly lost: readonly string[];
}

function fromRow(row: Row, campaigns: ReadonlyMap<string, Campaign>, all: Links): RedemptionFound {
  const { links, lost } = linksOf(row, all);
  const { related_redemptions: _, redemption: __, order: ___, customer: ____, ...shown } = withoutNulls(row);
  const { campaign: ofTier } = isRecord(row.promotion_tier) ? row.promotion_tier : {};
  const tierCampaign = isRecord(ofTier) ? campaigns.get(String(ofTier.id)) : undefined;
  const isRolledBack = all.rolledBack.has(String(row.id));
  return {
    value: defined({
      ...shown,
      ...links,
      ...(isRolledBack
        ? { status: 'ROLLED_BACK', metadata: all.rolledBack.get(String(row.id)) ?? shown.metadata }
        : {}),
      campaign: tierCampaign?.name,
      order: orderOfRow(row),
    }),
    lost: lost ? ['redemptions name a parent or a child that the source does not give'] : [],
  };
}

function fromCells(cells: Cells, campaign: Campaign | undefined, { rolledBack }: Links): RedemptionFound {
  return {
    value: toRedemption(cells, campaign, rolledBack.has(cells.id ?? '')),
    lost: ['redemptions come without their discounts, links and key, which only their list has'],
  };
}

/** Yields each redemption and rollback of the export once. */
export async function* redemptionsOf(
  progress: Progress,
  { campaigns, byName }: { campaigns: ReadonlyMap<string, Campaign>; byName: ReadonlyMap<string, Campaign> },
): AsyncGenerator<RedemptionFound> {
  const links = await readLinks(progress);
  for await (const found of listedIn(progress, redemptionRows)) {
    if ('row' in found) yield fromRow(found.row, campaigns, links);
    else yield fromCells(found.cells, byName.get(found.cells.campaign ?? ''), links);
  }
}
