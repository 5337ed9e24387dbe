import type { Files } from '#kernel/core/files/files.ts';
import type { Delivery, WebhookEvent } from './delivery.ts';

/** Payloads above this size are files. An item of the table has at most 400 KB. */
export const maxStoredBytes = 256 * 1024;

/** Returns the place of a payload that is too large for the table. */
export function payloadFile(projectId: string, place: string) {
  return { area: 'events', projectId, place } as const;
}

interface Enveloped {
  readonly projectId: string;
  readonly delivery: Delivery;
  readonly event: WebhookEvent;
  readonly webhook: { readonly id: string; readonly target_url: string };
}

/** A payload without its data named a person who was erased. */
const erased = '{}';

async function readData(projectId: string, { data, file }: WebhookEvent, files: Files | undefined): Promise<string> {
  if (data !== undefined) return data;
  if (file === undefined) return erased;
  if (!files) throw new Error('a worker of webhooks has files');
  return files.read(payloadFile(projectId, file));
}

/** Builds the body of a delivery: compact JSON, the same at each attempt. */
export async function buildBody(
  { projectId, delivery, event, webhook: { id, target_url } }: Enveloped,
  files: Files | undefined,
): Promise<string> {
  const { id: eventId, type, created_at, entity_id, group_id, event_source } = event;
  const head = { id: delivery.id, project_id: projectId, created_at, type };
  const tail = {
    source: { id, object: 'webhook', target_url },
    event: { id: eventId, type, created_at, entity_id, group_id, event_source: JSON.parse(event_source) },
  };
  const data = await readData(projectId, event, files);
  return `${JSON.stringify(head).slice(0, -1)},"data":${data},${JSON.stringify(tail).slice(1)}`;
}
