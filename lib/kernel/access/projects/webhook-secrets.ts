import * as v from 'valibot';
import { dateTime, text } from '#kernel/core/schema.ts';
import { projectKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Project } from './project.ts';

/** The secrets of a project that sign the requests of webhooks. A rotation leaves the other secret unchanged. */
const secretItem = v.object({
  /** Signs the headers of Standard Webhooks. */
  secret: text,
  created_at: dateTime,
  previous_secret: v.optional(text),
  previous_until: v.optional(dateTime),
  /** Signs `x-voucherify-signature`. Absent until the first rotation, because the project derives its first token. */
  token: v.optional(text),
  token_created_at: v.optional(dateTime),
  previous_token: v.optional(text),
  previous_token_until: v.optional(dateTime),
});

export type SecretItem = v.InferOutput<typeof secretItem>;

export const webhookSecrets = projectKind(kinds.webhookSecret, secretItem);

/** Returns the keys of Standard Webhooks that sign at this time, the newest first. */
export function validSecrets({ secret, previous_secret, previous_until }: SecretItem, now: Date): string[] {
  const isValid = previous_secret !== undefined && (previous_until ?? '') > now.toISOString();
  return isValid ? [secret, previous_secret] : [secret];
}

/** Returns the tokens of the public interface's header that are valid at this time, the newest first. */
export function validTokens(project: Pick<Project, 'webhookToken'>, item: SecretItem | undefined, now: Date): string[] {
  const { token = project.webhookToken, previous_token, previous_token_until = '' } = item ?? {};
  return previous_token !== undefined && previous_token_until > now.toISOString() ? [token, previous_token] : [token];
}
