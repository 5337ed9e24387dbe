import type * as v from 'valibot';
import { newSecret } from '#kernel/access/projects/secret.ts';
import { validTokens, webhookSecrets } from '#kernel/access/projects/webhook-secrets.ts';
import type { Managing } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, insert } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { inProject } from './manage-webhooks.ts';
import {
  getWebhookSecret,
  newWebhookSecret,
  overlapInMs,
  type rotateSecretBody,
  rotateWebhookSecret,
} from './secret.ts';

/** Rotates the token of a project that signs `x-voucherify-signature` (docs/webhooks.md#secret). */

/**
 * Makes a new token. Requests have a single such header, so the earlier token signs it for 24 hours, unless the caller
 * sets a different time.
 */
async function rotateWebhookToken(
  context: Managing,
  projectId: string,
  { keep_previous }: Pick<v.InferOutput<typeof rotateSecretBody>, 'keep_previous'>,
): Promise<void> {
  const { table, project, now } = await inProject(context, projectId);
  const key = webhookSecrets(projectId);
  const created_at = now.toISOString();
  const token = newSecret();
  await retryOptimistically(table, async () => {
    const { before } = await read(table, { before: key });
    const [present = project.webhookToken] = validTokens(project, before, now);
    const isKept = keep_previous !== false;
    const previous_token_until = new Date(now.getTime() + overlapInMs).toISOString();
    const fields = { token, token_created_at: created_at };
    const kept = isKept ? { previous_token: present, previous_token_until } : {};
    const written = before
      ? change(key, (update) =>
          update
            .whenStill('token', before.token)
            .take({ previous_token: null, previous_token_until: null, ...fields, ...kept }, [
              'token',
              'token_created_at',
              'previous_token',
              'previous_token_until',
            ]),
        )
      : insert(key, { secret: newWebhookSecret(), created_at, ...fields, ...kept });
    return (await commit(table, [written])) || again;
  });
}

/** Replaces one of the two keys that sign webhooks, and returns both. */
export async function rotateSigningKey(
  context: Managing,
  projectId: string,
  { what, keep_previous }: v.InferOutput<typeof rotateSecretBody>,
) {
  if (what !== 'token') return rotateWebhookSecret(context, projectId, { keep_previous });
  await rotateWebhookToken(context, projectId, { keep_previous });
  return getWebhookSecret(context, projectId);
}
