import { ServiceError } from './errors.ts';
import { maxMetadataBytes, metadataFits } from './schema.ts';

type Metadata = Readonly<Record<string, unknown>>;

/**
 * Stored metadata after what is sent was merged into it key by key and what is to be unset was removed; `null` clears all of
 * it. 400 `invalid_payload`, naming the place, where it would be longer than one resource may have.
 */
export function mergeMetadata(
  place: string,
  stored: Metadata,
  sent: Metadata | null | undefined,
  unset: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const merged = sent === null ? [] : [...Object.entries(stored), ...Object.entries(sent ?? {})];
  const kept = Object.fromEntries(merged.filter(([name]) => !unset.has(name)));
  if (sent && !metadataFits(kept)) {
    throw new ServiceError('invalid_payload', {
      details: `${place} would have, with what is kept already, more than ${maxMetadataBytes} bytes as JSON`,
    });
  }
  return kept;
}
