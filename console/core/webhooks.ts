import { api, dataOf, type ParamsOf, type Schemas } from './api.ts';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['WebhookDelivery'];

export interface WebhookPlace {
  readonly projectId: string;
  readonly webhookId: string;
}

export interface Health {
  readonly asked: number;
  readonly failed: number;
  readonly waiting: number;
  readonly last: Delivery | undefined;
}

const newest = 20;

/** Judges a webhook by its newest deliveries. */
export async function readHealth(place: WebhookPlace): Promise<Health> {
  const params: ParamsOf<'list-webhook-deliveries'> = { path: { ...place }, query: { limit: newest } };
  const { data } = await dataOf(
    api.GET('/management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries', { params }),
  );
  const countOf = (status: Delivery['status']) => data.filter((one) => one.status === status).length;
  return { asked: data.length, failed: countOf('FAILED'), waiting: countOf('PENDING'), last: data[0] };
}

export async function readWebhooks(projectId: string): Promise<readonly Webhook[]> {
  const params = { path: { projectId } };
  return (await dataOf(api.GET('/management/v1/projects/{projectId}/webhooks', { params }))).data;
}

/** The log has no older deliveries. */
const keptInMs = 30 * 24 * 3_600_000;

/** Sends failed deliveries again, in as many requests as necessary. */
export async function replayFailed(place: WebhookPlace): Promise<number> {
  const since = new Date(Date.now() - keptInMs).toISOString();
  const params = { path: { ...place } };
  const replay = () =>
    dataOf(
      api.POST('/management/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/replay', {
        params,
        body: { since },
      }),
    );
  let sum = 0;
  for (;;) {
    const { replayed, has_more: hasMore } = await replay();
    sum += replayed;
    if (!hasMore || replayed === 0) return sum;
  }
}
