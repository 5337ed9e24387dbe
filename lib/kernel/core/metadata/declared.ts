import type { CompiledSchema, FindSchema } from './check.ts';
import { asDeclared } from './values.ts';

type Metadata = Readonly<Record<string, unknown>>;

interface Kept {
  readonly by: CompiledSchema;
  readonly metadata: Metadata;
}

/** Returns the value of a key as its declared type compares. Without a definition it stays unchanged. */
export function declareValue(schema: CompiledSchema | undefined, key: string, value: unknown): unknown {
  const definition = schema?.definitions.get(key);
  return definition ? asDeclared(definition.type, value) : value;
}

/** The schemas of the lines of an order, and of their products and SKUs. */
export interface LineSchemas {
  readonly item: CompiledSchema | undefined;
  readonly product: CompiledSchema | undefined;
}

/** Returns the schemas of lines. Rules convert only the keys that they read, because an order may have a hundred lines. */
export function findLineSchemas(schemas: FindSchema): LineSchemas {
  return { item: schemas('order_item'), product: schemas('product') };
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
  const declared = Object.entries(metadata).map(([key, value]) => [key, declareValue(schema, key, value)]);
  const made = { by: schema, metadata: Object.fromEntries(declared) };
  kept.set(metadata, made);
  return made.metadata;
}
