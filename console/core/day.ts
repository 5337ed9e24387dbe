import type { Bar } from '../components/chart.tsx';
import { api, dataOf, type ParamsOf, type QueryOf } from './api.ts';
import type { CampaignFigure } from './campaign-figure.ts';
import { dayOf } from './days.ts';
import { findManaged } from './management.ts';
import type { Redemption } from './redemption.ts';
import { type Delivery, readWebhooks, type Webhook } from './webhooks.ts';

/** Reads what the screen of the day shows. */

const hourInMs = 3_600_000;
export const periods = { day: 24 * hourInMs, week: 7 * 24 * hourInMs, month: 30 * 24 * hourInMs } as const;
export type Period = keyof typeof periods;

const pageSize = 100;
const mostPages = 10;

/** Reads the newest redemptions of a period, up to a thousand. */
export async function readRedemptions(since: Date): Promise<{ redemptions: Redemption[]; total: number }> {
  const read = (page: number) =>
    dataOf(
      api.GET('/v1/redemptions', {
        params: { query: { limit: pageSize, page, created_at: { after: since.toISOString() } } },
      }),
    );
  const first = await read(1);
  const pages = Math.min(mostPages, Math.ceil(first.total / pageSize));
  const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => read(index + 2)));
  return { redemptions: [first, ...others].flatMap((page) => page.redemptions), total: first.total };
}

export const isRefused = ({ result }: Redemption) => result === 'FAILURE';

/** Returns what a redemption took off. One that was refused or rolled back took off nothing. */
export function discountOf({ order, status }: Redemption): number {
  if (status !== 'SUCCEEDED') return 0;
  return order?.total_applied_discount_amount ?? order?.total_discount_amount ?? 0;
}

type Measure = (own: readonly Redemption[]) => Omit<Bar, 'label'>;

export const countResults: Measure = (own) => {
  const refused = own.filter(isRefused).length;
  return { value: own.length - refused, second: refused };
};

export const sumDiscounts: Measure = (own) => ({ value: own.reduce((sum, one) => sum + discountOf(one), 0) });

/** Divides the period into hours or days, oldest first, and measures each. */
export function toBars(redemptions: readonly Redemption[], period: Period, now: number, measure: Measure): Bar[] {
  const step = period === 'day' ? hourInMs : 24 * hourInMs;
  const bars = periods[period] / step;
  const label = new Intl.DateTimeFormat(
    undefined,
    period === 'day' ? { hour: '2-digit' } : { day: 'numeric', month: 'short' },
  );
  const places = redemptions.map((one) => ({ one, at: Math.floor((now - new Date(one.date).getTime()) / step) }));
  return Array.from({ length: bars }, (_, index) => {
    const own = places.filter(({ at }) => at === bars - 1 - index).map(({ one }) => one);
    return { label: label.format(now - (bars - 1 - index) * step), ...measure(own) };
  });
}

export function rank(names: readonly string[]): Bar[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([label, { length }]) => ({ label, value: length }))
    .sort((a, b) => b.value - a.value)
    .slice(0, 6);
}

const mostProgrammes = 20;

/** Sums the points of the newest programmes. The API counts them by days of the project. */
export async function readPoints(since: Date): Promise<{ issued: number; spent: number }> {
  const { campaigns } = await dataOf(api.GET('/v1/loyalties', { params: { query: { limit: mostProgrammes } } }));
  const query: QueryOf<'get-campaign-summary'> = { start_date: dayOf(since) };
  const summaries = await Promise.all(
    campaigns.map(({ id }) =>
      dataOf(api.GET('/v1/campaigns/{campaignId}/summary', { params: { path: { campaignId: id }, query } })),
    ),
  );
  const sum = (name: CampaignFigure) => summaries.reduce((all, one) => all + (one[name] ?? 0), 0);
  return {
    issued: sum('points_rewarded') + sum('points_added') + sum('created_vouchers_points'),
    spent: sum('points_redeemed') - sum('points_rolledback'),
  };
}

export interface FailedDelivery {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
}

const mostWebhooks = 10;
const mostFailed = 6;

/** Reads the newest failed deliveries of the newest webhooks. */
export async function readFailedDeliveries(): Promise<readonly FailedDelivery[]> {
  const { project } = await findManaged();
  if (!project) return [];
  const webhooks = (await readWebhooks(project.id)).slice(0, mostWebhooks);
  const path = '/management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries';
  const found = await Promise.all(
    webhooks.map(async (webhook) => {
      const query: QueryOf<'list-webhook-deliveries'> = { status: 'FAILED', limit: mostFailed };
      const params: ParamsOf<'list-webhook-deliveries'> = {
        path: { projectId: project.id, webhookId: webhook.id },
        query,
      };
      const { data } = await dataOf(api.GET(path, { params }));
      return data.map((delivery) => ({ webhook, delivery }));
    }),
  );
  return found
    .flat()
    .sort((a, b) => b.delivery.created_at.localeCompare(a.delivery.created_at))
    .slice(0, mostFailed);
}
