import { createHmac } from 'node:crypto';

/** Signs what webhooks send. docs/webhooks.md#verify shows receivers how to check it. */

interface Signed {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** Returns the bytes of a secret as Standard Webhooks use them. */
function keyBytes(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

/**
 * Returns the headers that sign the body. `secrets` begin with the newest. The header of the public interface has one signature. While two
 * secrets are valid, it is made by the earlier one, so that receivers have time to change.
 */
export function signatureHeaders({ id, at, body }: Signed, secrets: readonly string[]): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const oldest = secrets.at(-1) ?? '';
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
