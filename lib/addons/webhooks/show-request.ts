import * as v from 'valibot';
import { validSecrets, validTokens, webhookSecrets } from '#kernel/access/projects/webhook-secrets.ts';
import { described } from '#kernel/core/documented.ts';
import type { Files } from '#kernel/core/files/files.ts';
import { text } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import { type Delivery, webhookEvents } from './delivery.ts';
import { buildBody } from './envelope.ts';
import { signatureHeaders } from './sign.ts';

/** Shows the request of a delivery, so that developers see it without a receiver (`npm run listen`). */

export const deliveryRequest = v.object({
  headers: described(
    v.record(v.string(), text),
    'The headers that sign the body, as an attempt at this time has them. Empty before the secret exists, and for roles that only read.',
  ),
  body: described(text, 'The body of each attempt, byte for byte.'),
});

/** Signs with the present secrets, because the log keeps no signatures. Returns `null` without the event. */
export async function showRequest(
  { table, project, now }: Reading,
  delivery: Delivery,
  { files, isSigned }: { readonly files: Files; readonly isSigned: boolean },
): Promise<v.InferOutput<typeof deliveryRequest> | null> {
  const { event, secret } = await read(table, {
    event: webhookEvents(project.id, delivery.event_id),
    secret: webhookSecrets(project.id),
  });
  if (!event) return null;
  const webhook = { id: delivery.webhook_id, target_url: delivery.target_url };
  const body = await buildBody({ projectId: project.id, delivery, event, webhook }, files);
  if (!secret || !isSigned) return { headers: {}, body };
  const keys = { secrets: validSecrets(secret, now), tokens: validTokens(project, secret, now) };
  return { headers: signatureHeaders({ id: delivery.id, at: now, body }, keys), body };
}
