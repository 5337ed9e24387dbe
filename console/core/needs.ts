import { api, dataOf, type ParamsOf, type QueryOf, type Schemas } from './api.ts';
import { isOn } from './benefit.ts';
import type { DayRange } from './day-range.ts';
import { shiftDay } from './days.ts';
import { findManaged } from './management.ts';
import { isRecord } from './part.ts';
import { type Delivery, readWebhooks, type Webhook } from './webhooks.ts';

/**
 * Finds what an operator should look at: failed work, objects that are switched off, and objects that end this week.
 */

type Campaign = Schemas['ListCampaignsReply']['campaigns'][number];

const dayInMs = 86_400_000;

/** Returns whether something that ends then ends within a week from now. */
export function endsSoon(end: string | null | undefined, now: number): boolean {
  const left = end ? Date.parse(end) - now : -1;
  return left > 0 && left <= 7 * dayInMs;
}

export function isRunning({ active, start_date: start, expiration_date: end }: Campaign, now: number): boolean {
  return isOn(active) && (!start || Date.parse(start) <= now) && (!end || Date.parse(end) > now);
}

const mostActions = 50;

/** Returns work of the last week that failed at least partly. */
export async function readFailedWork(now: number) {
  const query = { limit: mostActions };
  const { async_actions: actions } = await dataOf(api.GET('/v1/async-actions', { params: { query } }));
  const since = new Date(now - 7 * dayInMs).toISOString();
  return actions.filter((one) => one.operation_status === 'FAILED' && one.created_at >= since);
}

const newestCodes = 100;

/** Returns codes of no campaign that end this week, of the newest hundred. Codes of campaigns end with their campaign. */
export async function readEndingCodes(now: number) {
  const query: QueryOf<'list-vouchers'> = { limit: newestCodes };
  const { vouchers } = await dataOf(api.GET('/v1/vouchers', { params: { query } }));
  return vouchers.filter(
    ({ active, campaign_id: campaign, expiration_date: end }) => isOn(active) && !campaign && endsSoon(end, now),
  );
}

export interface SpentBudget {
  readonly campaign: Campaign;
  readonly limit: number;
  readonly left: number;
}

const budgetRule = 'campaign.orders.amount_discounted';

/** Returns the most discount that the rules of a document allow a campaign. */
function budgetIn(rules: unknown): number | undefined {
  if (!isRecord(rules)) return undefined;
  for (const node of Object.values(rules)) {
    if (!isRecord(node) || node.name !== budgetRule || !isRecord(node.conditions)) continue;
    const { $less_than: below, $less_than_or_equal: most } = node.conditions;
    const limit = Number([most ?? below].flat()[0]);
    if (limit > 0) return limit;
  }
  return undefined;
}

async function readDiscount(campaignId: string, query: QueryOf<'get-campaign-summary'>): Promise<number> {
  const params = { path: { campaignId }, query };
  const summary = await dataOf(api.GET('/v1/campaigns/{campaignId}/summary', { params }));
  return (summary.discounted_amount ?? 0) - (summary.rolledback_discounted_amount ?? 0);
}

/** Returns the budgets that a week like the last week would spend. */
export async function readBudgets(campaigns: readonly Campaign[], { to }: DayRange): Promise<SpentBudget[]> {
  const { data: rules } = await dataOf(api.GET('/v1/validation-rules', { params: { query: { limit: 100 } } }));
  const limits = new Map(rules.flatMap(({ id, rules: own }) => (budgetIn(own) ? [[id, budgetIn(own) ?? 0]] : [])));
  if (limits.size === 0) return [];
  const query = { limit: 100 };
  const assigned = await dataOf(api.GET('/v1/validation-rules-assignments', { params: { query } }));
  const found = await Promise.all(
    assigned.data.map(async ({ rule_id: rule, related_object_id: id }): Promise<SpentBudget[]> => {
      const campaign = campaigns.find((one) => one.id === id);
      const limit = limits.get(rule);
      if (!campaign || !limit) return [];
      const week = { start_date: shiftDay(to, -6), end_date: to };
      const [all, ofWeek] = await Promise.all([readDiscount(id, {}), readDiscount(id, week)]);
      const left = Math.max(0, limit - all);
      return ofWeek >= left ? [{ campaign, limit, left }] : [];
    }),
  );
  return found.flat();
}

interface FailedDelivery {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
}

const mostWebhooks = 10;
const mostFailed = 6;

async function readFailed(projectId: string, webhooks: readonly Webhook[]): Promise<FailedDelivery[]> {
  const path = '/management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries';
  const found = await Promise.all(
    webhooks.slice(0, mostWebhooks).map(async (webhook) => {
      const query: QueryOf<'list-webhook-deliveries'> = { status: 'FAILED', limit: mostFailed };
      const params: ParamsOf<'list-webhook-deliveries'> = { path: { projectId, webhookId: webhook.id }, query };
      const { data } = await dataOf(api.GET(path, { params }));
      return data.map((delivery) => ({ webhook, delivery }));
    }),
  );
  return found
    .flat()
    .sort((a, b) => b.delivery.created_at.localeCompare(a.delivery.created_at))
    .slice(0, mostFailed);
}

export interface WebhookNeeds {
  readonly off: readonly Webhook[];
  readonly failed: readonly FailedDelivery[];
}

/** Reads the webhooks that are switched off, and the newest deliveries that failed. */
export async function readWebhookNeeds(): Promise<WebhookNeeds> {
  const { project } = await findManaged();
  if (!project) return { off: [], failed: [] };
  const webhooks = await readWebhooks(project.id);
  return { off: webhooks.filter(({ active }) => !active), failed: await readFailed(project.id, webhooks) };
}
