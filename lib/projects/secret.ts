import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * SHA-256 in base64url: how app tokens and bearer tokens are kept. They are random and long, so that a fast hash is
 * enough.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Takes the same time wherever the two differ; hashes of nothing stand in for a hash that isn't there. */
export function matchesHash(secret: string, hash: string | undefined): boolean {
  const presented = Buffer.from(hashSecret(secret));
  const expected = Buffer.from(hash ?? hashSecret(''));
  return presented.length === expected.length && timingSafeEqual(presented, expected) && hash !== undefined;
}
