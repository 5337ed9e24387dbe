import { path } from './api.ts';
import type { Building } from './building.ts';
import { asEntry, type Entry, number, part, parts, text, without } from './project.ts';

/** Makes programmes: points of cards, rules that earn them, tiers, rewards and their prices. */

/** Returns the loyalty fields in the form of replies. Files have the stored form. */
function shownLoyalty(loyalty: Entry): Entry {
  const { metadata_key: property, every, points } = loyalty;
  if (property === undefined) return loyalty;
  const custom_event = { metadata: { property, every, points } };
  return { type: 'PROPORTIONAL', calculation_type: 'CUSTOM_EVENT_METADATA', custom_event };
}

function ruleBody(entry: Entry): Entry {
  const { days } = part(entry, 'pending_points');
  return {
    ...without(entry, 'id', 'campaign_id'),
    loyalty: shownLoyalty(part(entry, 'loyalty')),
    ...(days === undefined ? {} : { pending_points: { period_type: 'DAY', period_value: days } }),
  };
}

export async function earningRules(building: Building): Promise<void> {
  await building.each('earning_rules', async (entry) => {
    const all = path`/v1/loyalties/${building.idOf(entry.campaign_id)}/earning-rules`;
    const [made] = await building.api.postAll(all, [building.as(ruleBody(entry))]);
    if (made) building.made(entry, made);
  });
}

/** Makes the given product, if the file only names it. Its name is the file's id. */
async function productOf(building: Building, reward: Entry): Promise<void> {
  const id = text(part(part(reward, 'parameters'), 'product'), 'id');
  if (id === '' || building.ids.has(id)) return;
  building.made({ id }, await building.api.post('/v1/products', { name: id }));
  building.besides.add(`products[${id}]`);
}

async function assign(building: Building, entry: Entry): Promise<void> {
  const { reward_id, related_object_id, parameters } = entry;
  const isCoin = building.find('rewards', reward_id).type === 'COIN';
  const all = path`/v1/loyalties/${building.idOf(related_object_id)}/rewards`;
  const body = { reward: building.idOf(reward_id), ...(isCoin ? {} : { parameters }) };
  const [made] = await building.api.postAll(all, [body]);
  if (made) building.made(entry, made);
}

export async function rewards(building: Building): Promise<void> {
  const { api } = building;
  await building.each('rewards', async (entry) => {
    await productOf(building, entry);
    building.made(entry, await api.post('/v1/rewards', building.as(without(entry, 'id'))));
  });
  const assigned = new Set<string>();
  await building.each('reward_assignments', async (entry) => {
    const what = `${text(entry, 'reward_id')} ${text(entry, 'related_object_id')}`;
    if (assigned.has(what)) building.repeated.add(`reward_assignments[${text(entry, 'id')}]`);
    else await assign(building, entry);
    assigned.add(what);
  });
}

export async function tiers(building: Building): Promise<void> {
  for (const [campaignId, entries] of building.byCampaign('loyalty_tiers')) {
    await building.trying(`loyalty_tiers of ${campaignId}`, async () => {
      const all = path`/v1/loyalties/${building.idOf(campaignId)}/tiers`;
      const made = await building.api.postAll(
        all,
        entries.map((entry) => building.as(entry)),
      );
      for (const one of made) {
        const entry = entries.find(({ name }) => name === one.name);
        if (entry) building.made(entry, one);
      }
    });
  }
}

const cards = (building: Building) => building.entries('vouchers').filter(({ type }) => type === 'LOYALTY_CARD');

async function addPoints(building: Building, code: string, points: number, expires: unknown): Promise<void> {
  if (points === 0) return;
  const expiration =
    typeof expires === 'string'
      ? { expiration_type: 'CUSTOM_DATE', expiration_date: expires }
      : { expiration_type: 'NON_EXPIRING' };
  await building.api.send('POST', path`/v1/loyalties/members/${code}/balance`, { points, ...expiration });
}

/** Returns the points that the programme gave the card at its creation. */
function begunWith(building: Building, card: Entry): number {
  const campaign = building.find('campaigns', card.campaign_id);
  return number(part(part(campaign, 'voucher'), 'loyalty_card'), 'points');
}

/** Adds the points that were used or expired later. They are added first, and the next steps use them. */
export async function pointsToUse(building: Building): Promise<void> {
  for (const card of cards(building)) {
    const { points, balance } = part(card, 'loyalty_card');
    const gone = Number(points) - Number(balance ?? points) - begunWith(building, card);
    await building.trying(`vouchers ${text(card, 'code')}`, () => addPoints(building, text(card, 'code'), gone, null));
  }
}

/** Returns the number of activated points, which the file's lots include. */
export function activatedOn(building: Building, code: string): number {
  return building
    .entries('pending_points')
    .filter((entry) => entry.code === code && entry.state === 'ACTIVATED')
    .reduce((sum, entry) => sum + number(entry, 'points'), 0);
}

/** Returns the remaining points by lot, without those that are activated later. */
function lotsOf(building: Building, card: Entry): { points: number; expires: unknown }[] {
  const { balance, points, lots } = part(card, 'loyalty_card');
  const whole = { points: Number(balance ?? points), expires: null };
  let later = activatedOn(building, text(card, 'code'));
  return (lots ? parts(part(card, 'loyalty_card'), 'lots') : [whole]).map((lot) => {
    const taken = Math.min(later, number(lot, 'points'));
    later -= taken;
    return { points: number(lot, 'points') - taken, expires: lot.expires };
  });
}

export async function pointsLeft(building: Building): Promise<void> {
  for (const card of cards(building)) {
    const code = text(card, 'code');
    await building.trying(`vouchers ${code}`, async () => {
      for (const { points, expires } of lotsOf(building, card)) await addPoints(building, code, points, expires);
    });
  }
}

/** Returns the programme's rule for pending points. Its event must bring nothing else. */
function pendingRule(building: Building, campaignId: unknown): Entry {
  const rules = building
    .entries('earning_rules')
    .filter((rule) => rule.campaign_id === campaignId && rule.active !== false);
  const found = rules.find(
    ({ event, pending_points }) =>
      pending_points !== undefined && rules.every((rule) => rule.event !== event || rule.pending_points),
  );
  if (!found) throw new Error(`${String(campaignId)} has no rule that brings pending points`);
  return found;
}

/** Brings pending points by an event of the holder, corrects their number, and activates or cancels them like the file's points. */
export async function pendingPoints(building: Building): Promise<void> {
  const { api } = building;
  await building.each('pending_points', async (entry) => {
    const code = text(entry, 'code');
    const { campaign_id, holder_id } = building.find('vouchers', code);
    const { event, loyalty } = pendingRule(building, campaign_id);
    const member = path`/v1/loyalties/members/${code}/pending-points`;
    const before = await pendingIds(building, member);
    await api.send('POST', '/v1/events', { event, customer: { id: building.idOf(holder_id) }, loyalty: { code } });
    const id = (await pendingIds(building, member)).find((one) => !before.includes(one)) ?? '';
    building.made(entry, { id });
    const own = `${member}${path`/${id}`}`;
    const more = number(entry, 'points') - number(asEntry(loyalty), 'points');
    if (more !== 0) await api.send('POST', `${own}/balance`, { points: more });
    if (entry.state === 'ACTIVATED') await api.send('POST', `${own}/activate`);
    if (entry.state === 'CANCELED') await api.send('POST', `${own}/cancel`);
  });
}

async function pendingIds({ api }: Building, all: string): Promise<string[]> {
  return parts(asEntry(await api.send('GET', `${all}?limit=100`)), 'data').map(({ id }) => String(id));
}
