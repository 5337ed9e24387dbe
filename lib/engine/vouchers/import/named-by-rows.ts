import { findCampaignId } from '#engine/campaigns/find-campaign.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Writing } from '#kernel/http/context.ts';
import { check, type Effect, insert } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import type { Update } from '#kernel/table/update.ts';
import { buildHolding } from '../held-card.ts';
import { holderSources, holders } from '../holder.ts';
import type { VoucherItem } from '../voucher.ts';

/** Finds the campaigns and customers that rows name. */

/** Names something by its id or by another name. A known id wins. */
interface Naming {
  id?: string | null | undefined;
  name?: string | null | undefined;
  source_id?: string | null | undefined;
}

export interface NamedByRow {
  /** Names the campaign of the voucher, if the path does not name it. */
  readonly campaign?: Naming | undefined;
  /** Names the holder of the voucher. */
  readonly holder?: Naming | undefined;
}

/** Returns for each row the id of the campaign that it names. Answers 404 if the project has none. */
export async function findCampaignIds<R extends NamedByRow>(
  context: Writing,
  rows: readonly R[],
): Promise<Map<R, string>> {
  const found = new Map<string, Promise<string | undefined>>();
  const find = (name: string) => {
    const known = found.get(name) ?? findCampaignId(context, name);
    found.set(name, known);
    return known;
  };
  const named = rows.map(async (row) => {
    const { id, name } = row.campaign ?? {};
    if (!id && !name) return [];
    const campaignId = (id ? await find(id) : undefined) ?? (name ? await find(name) : undefined);
    if (campaignId === undefined) throw notFound('campaign', name || id || '');
    return [[row, campaignId] as const];
  });
  return new Map((await Promise.all(named)).flat());
}

/** Returns for each row the id of the customer that it names. Answers 404 if the project has none. */
export async function findHolderIds<R extends NamedByRow>(
  { table, project }: Writing,
  rows: readonly R[],
): Promise<Map<R, string>> {
  const held = rows.filter(({ holder }) => holder?.id || holder?.source_id);
  const { byId, claims } = await read(table, {
    byId: held.map(({ holder }) => (holder?.id ? holders(project.id, holder.id) : undefined)),
    claims: held.map(({ holder }) => (holder?.source_id ? holderSources(project.id, holder.source_id) : undefined)),
  });
  return new Map(
    held.map((row, index) => {
      const id = byId[index]?.id ?? claims[index]?.customer_id;
      if (id === undefined) throw notFound('customer', row.holder?.source_id || row.holder?.id || '');
      return [row, id] as const;
    }),
  );
}

/** Gives the voucher to its holder, on the condition that the customer exists. */
export function insertHolding(projectId: string, item: VoucherItem): Effect[] {
  const { holder_id: holderId } = item;
  if (!holderId) return [];
  const { key, item: held } = buildHolding(projectId, holderId, item);
  const exists = (update: Update) => update.whenThere();
  return [insert(key, held), check(holders(projectId, holderId), exists, () => notFound('customer', holderId))];
}
