import { ServiceError } from './errors.ts';
import { isMetadataWithinLimit, maxMetadataBytes } from './schema.ts';

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Merges sent metadata into stored metadata key by key, then removes the keys in `unset`. `null` clears the metadata. 400
 * `invalid_payload` names the place if the result is too long.
 */
export function mergeMetadata(
  place: string,
  stored: Metadata,
  sent: Metadata | null | undefined,
  unset: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const merged = sent === null ? [] : [...Object.entries(stored), ...Object.entries(sent ?? {})];
  const kept = Object.fromEntries(merged.filter(([name]) => !unset.has(name)));
  if (sent && !isMetadataWithinLimit(kept)) {
    throw new ServiceError('invalid_payload', {
      details: `${place} would have more than ${maxMetadataBytes} bytes as JSON after the merge with the stored metadata`,
    });
  }
  return kept;
}
