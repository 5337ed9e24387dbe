import { createHmac } from 'node:crypto';

/** Signs the requests of webhooks. docs/webhooks.md#verify shows receivers how to check the signature. */

interface Signed {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** Returns the bytes of a secret as Standard Webhooks use them. */
function keyBytes(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

/** The keys that are valid, the newest first. */
export interface SigningKeys {
  /** Signs the headers of Standard Webhooks. */
  readonly secrets: readonly string[];
  /** Signs the header of the public interface: the `webhook_token` of the project. */
  readonly tokens: readonly string[];
}

/**
 * Returns the headers that sign the body. The header of the public interface has a single signature. While two tokens
 * are valid, it is made by the earlier token, so that receivers have time to change.
 */
export function signatureHeaders({ id, at, body }: Signed, { secrets, tokens }: SigningKeys): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const oldest = tokens.at(-1) ?? '';
  const standard = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyBytes(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return {
    'x-voucherify-signature': createHmac('sha256', oldest).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
  };
}
