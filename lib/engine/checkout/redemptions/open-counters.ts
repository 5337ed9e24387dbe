import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { campaigns } from '#engine/campaigns/campaign.ts';
import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { type CountedName, counters } from '#engine/rules/counter.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { readWeekStart, usualWeekStart } from '#kernel/core/local-time.ts';
import type { Reading } from '#kernel/http/context.ts';
import { commitApart } from '#kernel/table/effects.ts';
import type { FoundRedeemable } from '../request/build-redeemable.ts';
import type { OpenCounters } from '../request/judge-checkout.ts';
import { type Budget, type Counting, countFurther, isSettled, saveCounted } from './count-history.ts';
import { leaveToJob } from './history-job.ts';

/**
 * Lets a limit count all redemptions, whenever they were made. Counting everything in advance would cost each redemption a dozen writes. So
 * a campaign or a code begins to count when the first request needs a limit, and counts earlier redemptions from their records.
 */

/** Limits the records that one request counts, for all new limits. A job counts longer histories. */
const mostOfRequest = 1_000;
/** A step that finds nothing to count costs as much as this number of records. */
const recordsOfStep = 10;

interface Owner extends Counting {
  readonly names: ReadonlySet<string>;
}

const isOfCampaign = (name: string) => counters.get(name)?.of === 'campaign';

/** Returns the limits that the campaign counts: its own, its tiers', and those that its codes name for it. */
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
    // A code without redemptions counts from its first redemption on.
    if (!voucher || (voucher.redeemed_quantity === 0 && !voucher.counted_limits)) return [];
    const names = new Set(ownNames(one));
    return [
      { type: 'voucher', id: voucher.id, key: vouchers(projectId, voucher.id), known: voucher.counted_limits, names },
    ];
  });
  return [...ofCampaigns, ...ofVouchers].filter(({ names }) => names.size > 0);
}

/** Returns whether the project's weeks began on another day when the limit was counted. Containers know a new day after a minute. */
function isOfOtherWeek(name: string, known: CountedName, now: Date): boolean {
  const isWeekly = counters.get(name)?.period === 'weekly';
  return isWeekly && (known.week ?? usualWeekStart) !== readWeekStart(now) && isSettled(known, now);
}

/** Returns the next step of a limit, or nothing if it is complete or completes by itself. */
function stepOf(name: string, known: CountedName | undefined, now: Date): 'begin' | 'walk' | undefined {
  if (!known || isOfOtherWeek(name, known, now)) return 'begin';
  if (known.job !== undefined) return undefined;
  if (known.state === 'BEGUN') return 'walk';
  return known.state === 'WALKED' && isSettled(known, now) ? 'walk' : undefined;
}

async function advance(context: Reading, owner: Owner, budget: Budget): Promise<boolean> {
  const { now, table, project } = context;
  const steps = Map.groupBy(owner.names, (name) => stepOf(name, owner.known?.[name], now));
  const [begun, walked] = [steps.get('begin') ?? [], steps.get('walk') ?? []];
  if (begun.length === 0 && walked.length === 0) return false;
  budget.left -= recordsOfStep;
  if (begun.length > 0) {
    const week = readWeekStart(now);
    const ofWeek = week === usualWeekStart ? {} : { week };
    const known = { since: now.toISOString(), state: 'BEGUN' as const, ...ofWeek };
    await commitApart(table, saveCounted(project.id, owner, begun, known));
    return true;
  }
  const [first] = walked;
  const known = first === undefined ? undefined : owner.known?.[first];
  if (!known) return false;
  // Limits that a rule named together are counted together.
  const names = walked.filter((name) => isDeepStrictEqual(owner.known?.[name], known));
  const next = await countFurther(context, owner, { names, known, budget });
  const isDone = next.at === undefined;
  const id = randomUUID();
  await commitApart(table, [
    ...saveCounted(project.id, owner, names, isDone ? next : { ...next, job: id }),
    ...(isDone ? [] : [leaveToJob(context, owner, id)]),
  ]);
  return isDone;
}

/** Returns a function that lets a request's limits count earlier redemptions. Its calls share one budget of records. */
export function createCounterOpener(most = mostOfRequest): OpenCounters {
  const budget: Budget = { left: most };
  return async (context, { redeemables }) => {
    let isChanged = false;
    for (const owner of ownersOf(context.project.id, redeemables)) {
      if (budget.left <= recordsOfStep) break;
      isChanged = (await advance(context, owner, budget)) || isChanged;
    }
    return isChanged;
  };
}
