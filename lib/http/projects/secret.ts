import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * SHA-256 in base64url: how app tokens and bearer tokens are kept. They are random and long, so that a fast hash is
 * enough.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Stands in where there is no hash to compare with; no secret has it. */
const noHash = Buffer.alloc(Buffer.byteLength(hashSecret('')));

/** Compares in constant time, also where no hash is kept. `presented` is a hash too. */
export function matchesHash(presented: string, kept: string | undefined): boolean {
  const given = Buffer.from(presented);
  const expected = kept === undefined ? noHash : Buffer.from(kept);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** 256 random bits: of a token, of which RFC 6749 §10.10 asks for 128, or of a project. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
