import * as v from 'valibot';
import { described, named } from '../../core/documented.ts';
import { dateTime, nullable, object, text } from '../../core/schema.ts';
import type { Managing } from '../../http/context.ts';
import { newSecret } from '../../http/projects/secret.ts';
import { validTokens, webhookSecrets } from '../../http/projects/webhook-secrets.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { change, commit, insert } from '../../table/effects.ts';
import { read } from '../../table/read.ts';
import { inProject } from './manage-webhooks.ts';
import { newWebhookSecret, overlapInMs } from './secret.ts';

/** Rotates the token of a project that signs `x-voucherify-signature` (docs/webhooks.md#secret). */

export const rotatedToken = named(
  'WebhookToken',
  v.object({
    webhook_token: described(text, 'The new token, which the project shows from now on.'),
    created_at: dateTime,
    previous_token: described(v.nullable(text), 'The token before it, which signs until `previous_until`.'),
    previous_until: described(v.nullable(dateTime), 'The time until which the token before it signs.'),
    object: v.literal('webhook_token'),
  }),
);

export const rotateTokenBody = object({
  keep_previous: described(
    nullable(v.boolean()),
    'Says whether the present token signs for another 24 hours. It does unless this is `false`.',
  ),
});

/** Makes a new token. Requests have one such header, so the earlier token signs it for 24 hours, unless the caller says otherwise. */
export async function rotateWebhookToken(
  context: Managing,
  projectId: string,
  { keep_previous }: v.InferOutput<typeof rotateTokenBody>,
): Promise<v.InferOutput<typeof rotatedToken>> {
  const { table, project, now } = await inProject(context, projectId);
  const key = webhookSecrets(projectId);
  const created_at = now.toISOString();
  const token = newSecret();
  return retryOptimistically(table, async () => {
    const { before } = await read(table, { before: key });
    const [present = project.webhookToken] = validTokens(project, before, now);
    const isKept = keep_previous !== false;
    const previous_token = isKept ? present : null;
    const previous_until = isKept ? new Date(now.getTime() + overlapInMs).toISOString() : null;
    const fields = { token, token_created_at: created_at };
    const kept = isKept ? { previous_token: present, previous_token_until: previous_until } : {};
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
    if (!(await commit(table, [written]))) return again;
    return { webhook_token: token, created_at, previous_token, previous_until, object: 'webhook_token' };
  });
}
