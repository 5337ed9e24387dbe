import type * as v from 'valibot';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { listEnvelope, wrapList } from '#kernel/core/schema.ts';
import type { Managing, Reading } from '#kernel/http/context.ts';
import {
  createResource,
  getResource,
  readFew,
  removeResource,
  updateResource,
} from '#kernel/kit/resource/operations.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { checkTarget } from './allowed-targets.ts';
import { webhook } from './resource.ts';

/** Manages the webhooks of a project. */

export interface WebhookPlace {
  readonly projectId: string;
  readonly webhookId: string;
}

export const webhookList = listEnvelope(webhook.reply);

type Webhook = v.InferOutput<typeof webhook.reply>;

/** Returns the context of the kit's use cases. 404 if the project is missing. */
export async function inProject(context: Managing, projectId: string): Promise<Reading> {
  const { table, now } = context;
  return { table, now, project: await managedProjectOr404(context, projectId) };
}

/** Creates a webhook. 400 for a target that this deployment never calls. */
export async function createWebhook(
  context: Managing,
  projectId: string,
  body: v.InferOutput<typeof webhook.createBody>,
): Promise<Webhook> {
  const reading = await inProject(context, projectId);
  checkTarget(context, body);
  return createResource(reading, webhook, body);
}

export async function listWebhooks(context: Managing, projectId: string) {
  const all = await readFew(await inProject(context, projectId), webhook);
  const placeOf = ({ created_at, id }: (typeof all)[number]) => `${created_at} ${id}`;
  const newestFirst = all.toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  return wrapList(newestFirst.map((one) => presentResource(webhook, one)));
}

export async function getWebhook(context: Managing, { projectId, webhookId }: WebhookPlace): Promise<Webhook> {
  return getResource(await inProject(context, projectId), webhook, webhookId);
}

/** Changes the sent fields. 400 for a target that this deployment never calls. */
export async function updateWebhook(
  context: Managing,
  { projectId, webhookId }: WebhookPlace,
  body: v.InferOutput<typeof webhook.updateBody>,
): Promise<Webhook> {
  const reading = await inProject(context, projectId);
  checkTarget(context, body);
  return updateResource(reading, webhook, webhookId, body);
}

/** Deletes the webhook. Deliveries that wait are not made. */
export async function deleteWebhook(context: Managing, { projectId, webhookId }: WebhookPlace): Promise<void> {
  await removeResource(await inProject(context, projectId), webhook, webhookId);
}
