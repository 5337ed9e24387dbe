import { ServiceError } from './errors.ts';
import { type CompiledSchema, checkBySchema } from './metadata/check.ts';
import { isMetadataWithinLimit, maxMetadataBytes } from './schema.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** The place of metadata in a request, and the schema of the project for it. */
export interface MetadataPlace {
  readonly place: string;
  readonly schema?: CompiledSchema | undefined;
  /** New metadata must have all keys that its schema requires. */
  readonly isNew?: boolean;
}

/**
 * Merges sent metadata into stored metadata key by key, then removes the keys in `unset`. `null` clears the metadata. 400
 * `invalid_payload` names the place if the result is too long, and `metadata_validation_failed` each key that breaks the schema. A change
 * without metadata is not checked.
 */
export function mergeMetadata(
  { place, schema, isNew = false }: MetadataPlace,
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
  if (isNew) checkBySchema(schema, kept, { place });
  else if (sent !== undefined || unset.size > 0) checkBySchema(schema, kept, { place, before: stored });
  return kept;
}
