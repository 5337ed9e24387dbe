import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns the SHA-256 of a token in base64url. Tokens are long and random, so a fast hash suffices. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Replaces a missing hash in comparisons. No secret has this hash. */
const noHash = Buffer.alloc(Buffer.byteLength(hashSecret('')));

/** Compares in constant time, even if no hash is stored. `presented` is also a hash. */
export function isSameHash(presented: string, kept: string | undefined): boolean {
  const given = Buffer.from(presented);
  const expected = kept === undefined ? noHash : Buffer.from(kept);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Makes 256 random bits. RFC 6749 §10.10 requires 128 in a token. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
