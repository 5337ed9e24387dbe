import { mergeMetadata } from '../../core/merge-metadata.ts';
import { checkBySchema } from '../../core/metadata/check.ts';
import type { Reading } from '../../http/context.ts';
import type { Item, Resource, Values } from './shape.ts';

function isMetadata(value: unknown): value is Values | null {
  return typeof value === 'object';
}

/** Merges sent fields into the stored ones. `null` clears, and metadata merges by key. */
export function mergeSent(before: Values = {}, sent: Values): Values {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  const stored = isMetadata(before.metadata) ? (before.metadata ?? {}) : {};
  const metadata = isMetadata(sent.metadata)
    ? { metadata: mergeMetadata({ place: 'metadata' }, stored, sent.metadata) }
    : {};
  const all = { ...before, ...Object.fromEntries(given), ...metadata };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** Returns the schema of a resource's metadata. SKUs share the schema of products. */
export function findResourceSchema({ schemas }: Reading['project'], name: string) {
  return schemas(name === 'sku' ? 'product' : name);
}

/** Checks sent metadata, and the metadata of a new resource, by the schema of the resource. */
export function checkSchema(
  project: Reading['project'],
  resource: Resource,
  before: Item | undefined,
  after: Values,
  sent: Values,
) {
  if (before && sent.metadata === undefined) return;
  const metadata = ({ metadata }: Values) => (isMetadata(metadata) ? (metadata ?? {}) : {});
  const schema = findResourceSchema(project, resource.name);
  checkBySchema(schema, metadata(after), { place: 'metadata', before: before && metadata(before) });
}
