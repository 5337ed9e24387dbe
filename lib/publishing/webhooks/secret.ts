import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { described, named } from '../../core/documented.ts';
import { dateTime, nullable, object, text } from '../../core/schema.ts';
import type { Managing, Reading } from '../../http/context.ts';
import { again, retryOptimistically } from '../../table/conflicts.ts';
import { change, commit, commitApart, insert } from '../../table/effects.ts';
import { projectKind } from '../../table/kind.ts';
import { kinds } from '../../table/kind-names.ts';
import { read } from '../../table/read.ts';
import { inProject } from './manage-webhooks.ts';

/** An earlier secret stays valid this long, so that receivers can accept both. */
const overlapInMs = 24 * 3_600_000;

const secretItem = v.object({
  secret: text,
  created_at: dateTime,
  previous_secret: v.optional(text),
  previous_until: v.optional(dateTime),
});

export type SecretItem = v.InferOutput<typeof secretItem>;

/** The key that signs everything that a project sends. */
export const webhookSecrets = projectKind(kinds.webhookSecret, secretItem);

/** The prefix says what the text is. Standard Webhooks decode the rest from base64. */
const prefix = 'whsec_';
const secretBytes = 32;

function newSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

export const webhookSecret = named(
  'WebhookSecret',
  v.object({
    secret: described(text, 'The key that signs what webhooks send, `whsec_` and base64.'),
    created_at: dateTime,
    previous_secret: described(v.nullable(text), 'The key before it. It signs too, until `previous_until`.'),
    previous_until: described(v.nullable(dateTime), 'The time until which the key before it signs.'),
    object: v.literal('webhook_secret'),
  }),
);

export const rotateSecretBody = object({
  keep_previous: described(
    nullable(v.boolean()),
    'Says whether the present secret signs for another 24 hours. It does unless this is `false`.',
  ),
});

/** Returns the secrets that sign at this time, the newest first. */
export function validSecrets({ secret, previous_secret, previous_until }: SecretItem, now: Date): string[] {
  const isValid = previous_secret !== undefined && (previous_until ?? '') > now.toISOString();
  return isValid ? [secret, previous_secret] : [secret];
}

function present(item: SecretItem, now: Date): v.InferOutput<typeof webhookSecret> {
  const [, previous] = validSecrets(item, now);
  return {
    secret: item.secret,
    created_at: item.created_at,
    previous_secret: previous ?? null,
    previous_until: previous === undefined ? null : (item.previous_until ?? null),
    object: 'webhook_secret',
  };
}

/** Returns the project's secrets. The first call makes one. */
export function readSecrets({ table, project, now }: Reading): Promise<SecretItem> {
  const key = webhookSecrets(project.id);
  return retryOptimistically(table, async () => {
    const { found } = await read(table, { found: key });
    if (found) return found;
    const made = { secret: newSecret(), created_at: now.toISOString() };
    return (await commitApart(table, [insert(key, made)])) ? made : again;
  });
}

export async function getWebhookSecret(context: Managing, projectId: string) {
  return present(await readSecrets(await inProject(context, projectId)), context.now);
}

/** Makes a new secret. An earlier one stays valid for 24 hours, unless the caller says otherwise. */
export async function rotateWebhookSecret(
  context: Managing,
  projectId: string,
  { keep_previous }: v.InferOutput<typeof rotateSecretBody>,
) {
  const { table, now } = await inProject(context, projectId);
  const key = webhookSecrets(projectId);
  return retryOptimistically(table, async () => {
    const { before } = await read(table, { before: key });
    const made = { secret: newSecret(), created_at: now.toISOString() };
    if (!before) return (await commit(table, [insert(key, made)])) ? present(made, now) : again;
    const until = new Date(now.getTime() + overlapInMs).toISOString();
    const earlier = keep_previous === false ? {} : { previous_secret: before.secret, previous_until: until };
    const after: SecretItem = { ...made, ...earlier };
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
    return (await commit(table, [rotated])) ? present(after, now) : again;
  });
}
