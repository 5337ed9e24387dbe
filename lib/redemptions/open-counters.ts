import { isDeepStrictEqual } from 'node:util';
import { campaigns } from '../campaigns/campaign.ts';
import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { notedAs } from '../candidates/noted.ts';
import type { Reading } from '../context.ts';
import type { OpenCounters } from '../redeemables/free-lapsed.ts';
import type { FoundRedeemable } from '../redeemables/redeemable-of.ts';
import type { CountedName, CountedNames } from '../rules/counted-names.ts';
import { counters } from '../rules/counters.ts';
import { inBatches } from '../table/batches.ts';
import { change, commitApart, type Effect } from '../table/effects.ts';
import type { ItemKey } from '../table/kind.ts';
import { entries } from '../table/listing.ts';
import { newVersion, versionChanges } from '../table/versioned.ts';
import { vouchers } from '../vouchers/voucher.ts';
import { countEarlier } from './count-earlier.ts';
import { type RedemptionItem, redemptionLists } from './redemption.ts';

/**
 * A limit counts all redemptions, whenever they were made. Counting everything ahead would cost each redemption a dozen writes. So a
 * campaign, or a code, begins to count what a rule names when the first request asks for it, and counts earlier redemptions from their records.
 */

/** Redemptions that were under way when counting began are committed by then. */
const settledAfterInMs = 60_000;
/** A request counts so many records, however many limits are new to it, and the next request goes on. */
const mostOfRequest = 1_000;
/** A step that finds nothing to count costs as much as so many records. */
const recordsOfStep = 10;
const recordsAtOnce = 50;

interface Owner {
  readonly type: 'campaign' | 'voucher';
  readonly id: string;
  readonly key: ItemKey;
  readonly known: CountedNames | undefined;
  readonly names: ReadonlySet<string>;
}

const isOfCampaign = (name: string) => counters.get(name)?.of === 'campaign';

/** Limits that the campaign counts: its own, those of its tiers, and those that its codes name of it. */
function campaignNames({ target, campaign, judged }: FoundRedeemable): string[] {
  const ids = new Set(campaign?.validation_rules_assignments.map(({ rule_id }) => rule_id));
  return judged.rules.flatMap(({ id, compiled }) => {
    const all = [...compiled.needs.counters];
    return ids.has(id) || target.tier ? all : all.filter(isOfCampaign);
  });
}

function ownNames({ campaign, judged }: FoundRedeemable): string[] {
  const ids = new Set(campaign?.validation_rules_assignments.map(({ rule_id }) => rule_id));
  const own = judged.rules.filter(({ id }) => !ids.has(id));
  return own.flatMap(({ compiled }) => [...compiled.needs.counters].filter((name) => !isOfCampaign(name)));
}

function ownersOf(projectId: string, redeemables: readonly FoundRedeemable[]): Owner[] {
  const byCampaign = Map.groupBy(redeemables, ({ campaign }) => campaign?.id);
  const ofCampaigns = [...byCampaign].flatMap(([id, own]): Owner[] => {
    const campaign: CampaignTerms | undefined = own[0]?.campaign;
    if (id === undefined || !campaign) return [];
    const names = new Set(own.flatMap(campaignNames));
    return [{ type: 'campaign', id, key: campaigns(projectId, id), known: campaign.counted_limits, names }];
  });
  const ofVouchers = redeemables.flatMap((one): Owner[] => {
    const { voucher } = one.target;
    // A code that nobody has redeemed counts from its first redemption on.
    if (!voucher || (voucher.redeemed_quantity === 0 && !voucher.counted_limits)) return [];
    const names = new Set(ownNames(one));
    return [
      { type: 'voucher', id: voucher.id, key: vouchers(projectId, voucher.id), known: voucher.counted_limits, names },
    ];
  });
  return [...ofCampaigns, ...ofVouchers].filter(({ names }) => names.size > 0);
}

/** What is next for a limit; nothing where its count is complete, or will be complete by itself. */
function stepOf(known: CountedName | undefined, now: Date): 'begin' | 'walk' | undefined {
  if (!known) return 'begin';
  if (known.state === 'BEGUN') return 'walk';
  const isSettled = now.getTime() - Date.parse(known.since) >= settledAfterInMs;
  return known.state === 'WALKED' && isSettled ? 'walk' : undefined;
}

/** Only while nobody else has changed what is counted. */
function saving(projectId: string, { type, id, key, known }: Owner, next: CountedNames): Effect[] {
  const version = type === 'campaign' ? newVersion() : undefined;
  const saved = change(key, (update) => {
    update.whenThere().whenStill('counted_limits', known).set(['counted_limits'], next);
    return version === undefined ? update : update.set(['version'], version);
  });
  if (version === undefined) return [saved];
  return [saved, ...versionChanges(key, version), ...notedAs(projectId, 'campaign', { id, version })];
}

/** Where the walk begins: once all is counted, only redemptions that were under way when counting began may be missing. */
function rangeOf({ state, since, at }: CountedName) {
  const from = new Date(Date.parse(since) - settledAfterInMs).toISOString();
  return { ...(at === undefined ? {} : { behind: at }), ...(state === 'WALKED' ? { from } : {}) };
}

/** Records that a request may still count, of all of its limits together. */
interface Budget {
  left: number;
}

interface Walk {
  readonly names: readonly string[];
  readonly known: CountedName;
  readonly budget: Budget;
}

/** Counts earlier redemptions. Returns the place up to which it came, or nothing at the end. */
async function walk(
  context: Reading,
  { type, id }: Owner,
  { names, known, budget }: Walk,
): Promise<string | undefined> {
  const { table, project } = context;
  const isForCampaign = type === 'campaign';
  const list = isForCampaign ? redemptionLists.ofCampaign : redemptionLists.ofObject;
  const isOf = (item: RedemptionItem) =>
    (isForCampaign ? item.related_object_parent_id : item.related_object_id) === id;
  const all = entries(table, list, [project.id, id], { atOnce: recordsAtOnce, ...rangeOf(known) });
  for await (const batch of inBatches(all, recordsAtOnce)) {
    await countEarlier(context, batch, { names, isOf });
    budget.left -= batch.length;
    if (budget.left <= 0) return batch.at(-1)?.at;
  }
  return undefined;
}

function after(known: CountedName, at: string | undefined): CountedName {
  const { since, state } = known;
  if (at !== undefined) return { since, state, at };
  return { since, state: state === 'BEGUN' ? 'WALKED' : 'DONE' };
}

async function advance(context: Reading, owner: Owner, budget: Budget): Promise<boolean> {
  const { now, table, project } = context;
  const steps = Map.groupBy(owner.names, (name) => stepOf(owner.known?.[name], now));
  const [begun, walked] = [steps.get('begin') ?? [], steps.get('walk') ?? []];
  if (begun.length === 0 && walked.length === 0) return false;
  budget.left -= recordsOfStep;
  if (begun.length > 0) {
    const states = begun.map((name) => [name, { since: now.toISOString(), state: 'BEGUN' as const }]);
    await commitApart(table, saving(project.id, owner, { ...owner.known, ...Object.fromEntries(states) }));
    return true;
  }
  const [first] = walked;
  const known = first === undefined ? undefined : owner.known?.[first];
  if (!known) return false;
  // Limits that a rule came to name together are counted together.
  const names = walked.filter((name) => isDeepStrictEqual(owner.known?.[name], known));
  const at = await walk(context, owner, { names, known, budget });
  const next = Object.fromEntries(names.map((name) => [name, after(known, at)]));
  await commitApart(table, saving(project.id, owner, { ...owner.known, ...next }));
  return at === undefined;
}

/** Returns what lets the limits of one request count earlier redemptions: its calls share one budget of records. */
export function openCountersWithin(most = mostOfRequest): OpenCounters {
  const budget: Budget = { left: most };
  return async (context, { redeemables }) => {
    let isChanged = false;
    for (const owner of ownersOf(context.project.id, redeemables)) {
      if (budget.left <= 0) break;
      isChanged = (await advance(context, owner, budget)) || isChanged;
    }
    return isChanged;
  };
}
