import type { CompiledSchema } from './check.ts';
import { asDeclared } from './values.ts';

type Metadata = Readonly<Record<string, unknown>>;

interface Kept {
  readonly by: CompiledSchema;
  readonly metadata: Metadata;
}

/** Many rules read the same metadata. */
const kept = new WeakMap<Metadata, Kept>();

/** Returns metadata for comparisons: values of defined keys compare as their declared type. Without a schema, nothing changes. */
export function asDeclaredBy<M extends Metadata | undefined>(
  schema: CompiledSchema | undefined,
  metadata: M,
): M | Metadata {
  if (!schema || !metadata) return metadata;
  const known = kept.get(metadata);
  if (known?.by === schema) return known.metadata;
  const declared = Object.entries(metadata).map(([key, value]) => {
    const definition = schema.definitions.get(key);
    return [key, definition ? asDeclared(definition.type, value) : value];
  });
  const made = { by: schema, metadata: Object.fromEntries(declared) };
  kept.set(metadata, made);
  return made.metadata;
}
