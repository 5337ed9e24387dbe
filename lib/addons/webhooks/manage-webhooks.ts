import type * as v from 'valibot';
import { managedProjectOr404 } from '#kernel/access/users/manager.ts';
import { listEnvelope, wrapList } from '#kernel/core/schema.ts';
import type { Managing, Reading } from '#kernel/http/context.ts';
import { itemOr404, saveItem } from '#kernel/kit/resource/item.ts';
import { createResource, getResource, readFew, removeResource } from '#kernel/kit/resource/operations.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { checkTarget } from './allowed-targets.ts';
import { keepHeaders } from './headers.ts';
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
  { headers, ...body }: v.InferOutput<typeof webhook.createBody>,
): Promise<Webhook> {
  const reading = await inProject(context, projectId);
  checkTarget(context, body);
  const kept = keepHeaders(reading.project, { headers, target: body.target_url });
  return createResource(reading, webhook, { ...body, ...kept });
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

/**
 * Changes the sent fields. 400 for a target that this deployment never calls, and for a new target if the body does not
 * mention headers.
 */
export async function updateWebhook(
  context: Managing,
  { projectId, webhookId }: WebhookPlace,
  { headers, ...body }: v.InferOutput<typeof webhook.updateBody>,
): Promise<Webhook> {
  const reading = await inProject(context, projectId);
  const { table, project } = reading;
  checkTarget(context, body);
  const after = await retryOptimistically(table, async () => {
    const before = parseStored(webhook.stored, await itemOr404(reading, webhook, webhookId));
    const target = body.target_url ?? before.target_url;
    const kept = keepHeaders(project, { headers, target, before: before.target_url }, before);
    const saved = saveItem(reading, webhook, before, { ...body, ...kept });
    return (await commit(table, saved.effects)) ? saved.after : again;
  });
  return presentResource(webhook, after);
}

/** Deletes the webhook. Deliveries that wait are not made. */
export async function deleteWebhook(context: Managing, { projectId, webhookId }: WebhookPlace): Promise<void> {
  await removeResource(await inProject(context, projectId), webhook, webhookId);
}
