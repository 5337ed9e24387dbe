import { campaigns } from '#engine/campaigns/campaign.ts';
import { assignedRewards, type RewardParameters, reward } from '#engine/loyalty/reward.ts';
import type { Reading } from '#kernel/http/context.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { read, readChildren } from '#kernel/table/read.ts';
import type { Qualified } from './evaluate.ts';

/** Reads further data that replies show, only for the redeemables of a page. */

type Coin = NonNullable<RewardParameters['coin']>;

export interface ReplyExtras {
  /** The campaigns that qualify, by id. */
  readonly metadata: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The worth of points, by programme. */
  readonly coins: ReadonlyMap<string, Coin>;
}

/** Limits the COIN rewards that are examined. A project has one for each rate. */
const maxCoins = 20;

async function metadataOf({ table, project }: Reading, ids: readonly string[]): Promise<ReplyExtras['metadata']> {
  const { items } = await read(table, { items: ids.map((id) => campaigns(project.id, id)) });
  return new Map(items.flatMap((item) => (item ? [[item.id, item.metadata] as const] : [])));
}

/** Returns the worth of points of each programme by its COIN reward, the oldest of several. */
async function coinsOf(context: Reading, programmes: readonly string[]): Promise<ReplyExtras['coins']> {
  if (programmes.length === 0) return new Map();
  const { table, project } = context;
  const made = (await readFew(context, reward)).sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
  const paid = made.flatMap(({ id, type, parameters: { coin } }) => (type === 'COIN' && coin ? [{ id, coin }] : []));
  const each = await Promise.all(
    paid.slice(0, maxCoins).map(async ({ id, coin }) => {
      const assigned = await readChildren(table, assignedRewards, project.id, id);
      return assigned.map(({ campaign_id }) => [campaign_id, coin] as const);
    }),
  );
  return new Map(each.flat().reverse());
}

/** Reads the further data. `areNotesShown` includes the metadata of campaigns. */
export async function readReplyExtras(
  context: Reading,
  shown: readonly Qualified[],
  { areNotesShown }: { areNotesShown: boolean },
): Promise<ReplyExtras> {
  const ids = shown.flatMap(({ candidate: { object, id } }) => (areNotesShown && object === 'campaign' ? [id] : []));
  const programmes = shown.flatMap(({ candidate: { target, campaign } }) =>
    target.voucher?.type === 'LOYALTY_CARD' && campaign ? [campaign.id] : [],
  );
  const [metadata, coins] = await Promise.all([metadataOf(context, ids), coinsOf(context, programmes)]);
  return { metadata, coins };
}
