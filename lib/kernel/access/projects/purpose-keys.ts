import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Derives independent bytes for each purpose (RFC 5869). */
export function deriveBytes(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', `tessera ${purpose}`, 32));
}

/** Derives an independent key for each purpose. Hashes are faster with key objects than with bytes. */
function purposeKey(secret: string, purpose: string): KeyObject {
  return createSecretKey(deriveBytes(secret, purpose));
}

/** Makes each key at its first use. Most requests need at most one of them. */
export function purposeKeys(secret: string): (purpose: string) => KeyObject {
  const made = new Map<string, KeyObject>();
  return (purpose) => {
    const key = made.get(purpose) ?? purposeKey(secret, purpose);
    made.set(purpose, key);
    return key;
  };
}
