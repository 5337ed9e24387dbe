import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type SecretItem, validSecrets, validTokens, webhookSecrets } from '#kernel/access/projects/webhook-secrets.ts';
import { described, named } from '#kernel/core/documented.ts';
import { dateTime, nullable, object, text } from '#kernel/core/schema.ts';
import type { Managing, Reading } from '#kernel/http/context.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, commitApart, insert } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { inProject } from './manage-webhooks.ts';

/** An earlier secret stays valid this long, so that receivers can accept both. */
export const overlapInMs = 24 * 3_600_000;

/** The prefix shows what the text is. Standard Webhooks decode the rest from base64. */
const prefix = 'whsec_';
const secretBytes = 32;

export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

export const webhookSecret = named(
  'WebhookSecret',
  v.object({
    secret: described(text, 'The key that signs the headers of Standard Webhooks, `whsec_` and base64.'),
    created_at: dateTime,
    previous_secret: described(v.nullable(text), 'The previous key. It also signs, until `previous_until`.'),
    previous_until: described(v.nullable(dateTime), 'The time until which the key before it signs.'),
    token: described(text, "The project's `webhook_token`, which signs `x-voucherify-signature`."),
    previous_token: described(
      v.nullable(text),
      'The token before it. It signs that header until `previous_token_until`.',
    ),
    previous_token_until: described(v.nullable(dateTime), 'The time until which the token before it signs.'),
    object: v.literal('webhook_secret'),
  }),
);

export const rotateSecretBody = object({
  what: described(
    nullable(v.picklist(['secret', 'token'])),
    'The key to replace: the secret `whsec_…`, which is the default, or the `webhook_token` of the project.',
  ),
  keep_previous: described(
    nullable(v.boolean()),
    'Says whether the present key signs for another 24 hours. It does unless this is `false`.',
  ),
});

function present(item: SecretItem, { project, now }: Reading): v.InferOutput<typeof webhookSecret> {
  const [, previous] = validSecrets(item, now);
  const [token = project.webhookToken, previousToken] = validTokens(project, item, now);
  return {
    secret: item.secret,
    created_at: item.created_at,
    previous_secret: previous ?? null,
    previous_until: previous === undefined ? null : (item.previous_until ?? null),
    token,
    previous_token: previousToken ?? null,
    previous_token_until: previousToken === undefined ? null : (item.previous_token_until ?? null),
    object: 'webhook_secret',
  };
}

/** Returns the project's secrets. The first call makes a secret. */
export function readSecrets({ table, project, now }: Reading): Promise<SecretItem> {
  const key = webhookSecrets(project.id);
  return retryOptimistically(table, async () => {
    const { found } = await read(table, { found: key });
    if (found) return found;
    const made = { secret: newWebhookSecret(), created_at: now.toISOString() };
    return (await commitApart(table, [insert(key, made)])) ? made : again;
  });
}

export async function getWebhookSecret(context: Managing, projectId: string) {
  const reading = await inProject(context, projectId);
  return present(await readSecrets(reading), reading);
}

/** Makes a new secret. An earlier secret stays valid for 24 hours, unless the caller sets a different time. */
export async function rotateWebhookSecret(
  context: Managing,
  projectId: string,
  { keep_previous }: Pick<v.InferOutput<typeof rotateSecretBody>, 'keep_previous'>,
) {
  const reading = await inProject(context, projectId);
  const { table, now } = reading;
  const key = webhookSecrets(projectId);
  return retryOptimistically(table, async () => {
    const { before } = await read(table, { before: key });
    const made = { secret: newWebhookSecret(), created_at: now.toISOString() };
    if (!before) return (await commit(table, [insert(key, made)])) ? present(made, reading) : again;
    const until = new Date(now.getTime() + overlapInMs).toISOString();
    const earlier = keep_previous === false ? {} : { previous_secret: before.secret, previous_until: until };
    const cleared = { previous_secret: undefined, previous_until: undefined };
    const after = { ...made, ...earlier };
    const rotated = change(key, (update) =>
      update
        .whenStill('secret', before.secret)
        .take({ previous_secret: null, previous_until: null, ...after }, [
          'secret',
          'created_at',
          'previous_secret',
          'previous_until',
        ]),
    );
    return (await commit(table, [rotated])) ? present({ ...before, ...cleared, ...after }, reading) : again;
  });
}
