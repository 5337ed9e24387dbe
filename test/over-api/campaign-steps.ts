import { path } from './api.ts';
import type { Building } from './building.ts';
import { asEntry, type Entry, part, text, without } from './project.ts';

/** The fields that limit the time of use. They are set last, so that used vouchers can be used again before. */
const validity = [
  ...['start_date', 'expiration_date', 'validity_timeframe'],
  ...['validity_day_of_week', 'validity_hours'],
];

/** Sorts campaigns so that each comes before those that give its codes. */
function inOrder(campaigns: readonly Entry[]): Entry[] {
  const rank = (campaign: Entry) => (campaign.referral_program ? 1 : 0);
  return campaigns.toSorted((a, b) => rank(a) - rank(b));
}

export async function campaigns(building: Building): Promise<void> {
  const { api } = building;
  for (const entry of inOrder(building.entries('campaigns'))) {
    // The codes are created by name later, so their number is left out.
    const body = building.as(without(entry, 'id', 'vouchers_count', ...validity));
    await building.trying(`campaigns ${text(entry, 'id')}`, async () =>
      building.made(entry, await api.post('/v1/campaigns', body)),
    );
  }
  await api.settle();
}

function validityOf(entry: Entry): Entry {
  return Object.fromEntries(validity.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])));
}

/** Sets the dates, and disables what is disabled in the file. */
export async function restrict(building: Building): Promise<void> {
  const { api } = building;
  await building.each('vouchers', async (entry) => {
    const own = path`/v1/vouchers/${text(entry, 'code')}`;
    if (Object.keys(validityOf(entry)).length > 0) await api.send('PUT', own, validityOf(entry));
    if (entry.active === false) await api.post(`${own}/disable`);
  });
  await building.each('campaigns', async (entry) => {
    const own = path`/v1/campaigns/${building.idOf(entry.id)}`;
    if (Object.keys(validityOf(entry)).length > 0) await api.send('PUT', own, validityOf(entry));
    if (entry.active === false) await api.send('POST', `${own}/disable`, {});
  });
  await api.settle();
}

export async function vouchers(building: Building): Promise<void> {
  const { api } = building;
  await building.each('vouchers', async (entry) => {
    const { loyalty_card: _, ...body } = without(entry, 'active', 'publish', ...validity);
    await api.post(path`/v1/vouchers/${text(entry, 'code')}`, building.as(body));
    const holder = text(entry, 'holder_id');
    if (holder === '') return;
    await api.post('/v1/publications', { voucher: entry.code, customer: { id: building.idOf(holder) } });
  });
}

/** Splits a sum into whole parts, each a multiple of `unit`. */
function shares(sum: number, count: number, unit: number): number[] {
  const units = Math.floor(sum / unit);
  const least = Math.floor(units / count);
  return Array.from({ length: count }, (_, index) => (least + (index < units - least * count ? 1 : 0)) * unit);
}

const ofUse = (entry: Entry, name: string) => Number(part(entry, 'redemption')[name] ?? 0);

interface Use {
  readonly order: { readonly amount: number };
  readonly gift?: { readonly credits: number };
  readonly reward?: { readonly id: string; readonly points: number };
}

/** Returns the programme's COIN reward, which uses points without a gift. */
function coinOf(building: Building, campaignId: unknown): Entry {
  const rewards = building
    .entries('reward_assignments')
    .filter(({ related_object_id: id }) => id === campaignId)
    .map(({ reward_id }) => building.find('rewards', reward_id));
  const coin = rewards.find(({ type }) => type === 'COIN');
  if (!coin) throw new Error(`${String(campaignId)} has no COIN reward to use its points`);
  return coin;
}

function usesOf(building: Building, entry: Entry): Use[] {
  const count = ofUse(entry, 'redeemed_quantity');
  if (entry.type === 'GIFT_VOUCHER') {
    return shares(ofUse(entry, 'redeemed_amount'), count, 1).map((credits) => ({
      order: { amount: credits },
      gift: { credits },
    }));
  }
  if (entry.type === 'LOYALTY_CARD' && count > 0) {
    const coin = coinOf(building, entry.campaign_id);
    const { exchange_ratio: ratio = 1, points_ratio: unit = 1 } = part(part(coin, 'parameters'), 'coin');
    return shares(ofUse(entry, 'redeemed_points'), count, Number(unit)).map((points) => ({
      order: { amount: (points / Number(unit)) * Number(ratio) * 100 },
      reward: { id: building.idOf(coin.id), points },
    }));
  }
  return Array.from({ length: count }, () => ({ order: { amount: 100_000 } }));
}

/** Uses every used voucher and card again. */
export async function uses(building: Building): Promise<void> {
  const { api } = building;
  await building.each('vouchers', async (entry) => {
    for (const { order, ...use } of usesOf(building, entry)) {
      const redeemables = [{ object: 'voucher', id: entry.code, ...use }];
      const reply = asEntry(await api.send('POST', '/v1/redemptions', { redeemables, order }));
      building.besides.add(`orders[${text(part(reply, 'order'), 'id')}]`);
    }
  });
}

/** Makes templates of their sources, which must be complete. */
export async function templates(building: Building): Promise<void> {
  await building.each('campaign_templates', async (entry) => {
    const { name, description, source } = entry;
    const body = { name, description, ...asEntry(building.as(source)) };
    building.made(entry, await building.api.post('/v1/templates/campaigns', body));
  });
}
