import { isRecord } from '#kernel/core/is-record.ts';
import { compileSchemas, type FindSchema } from '#kernel/core/metadata/check.ts';
import { type MetadataResource, type MetadataSchemas, schemaOf } from '#kernel/core/metadata/definition.ts';
import { cacheLifeInSeconds } from '#kernel/http/credential-cache.ts';
import type { EntryFields, HeldEntries } from '#kernel/kit/entries/traits.ts';

/** Checks the metadata of entries by the schemas of the file and of the table (docs/metadata-schemas.md#files). */

/** The resource of each list with metadata. Vouchers depend on their campaign. */
const resources: Readonly<Record<string, MetadataResource>> = {
  campaigns: 'campaign',
  customers: 'customer',
  earning_rules: 'earning_rule',
  loyalty_tiers: 'loyalty_tier',
  orders: 'order',
  products: 'product',
  promotion_tiers: 'promotion_tier',
  publications: 'publication',
  redemptions: 'redemption',
  rewards: 'reward',
  skus: 'product',
  vouchers: 'voucher',
};

/** The service itself makes some of these, without the keys that a schema requires of callers. */
const alsoMadeByService = ['orders', 'publications', 'redemptions', 'vouchers'];

const nothing: EntryFields = {};

const recordOf = (value: unknown): EntryFields => (isRecord(value) ? value : nothing);

/** Calls may have used an older schema for this time, and some time more until they ended. */
const lagInMs = 2 * cacheLifeInSeconds * 1000;

/** Returns the last change of a schema, or of a schema that it nests. */
function findLastChange(schemas: MetadataSchemas, name: string, seen = new Set<string>()): number {
  const schema = schemaOf(schemas, name);
  if (!schema || seen.has(name)) return 0;
  seen.add(name);
  const nested = Object.values(schema.properties).map(({ object_type = '' }) =>
    findLastChange(schemas, object_type, seen),
  );
  return Math.max(Date.parse(schema.updated_at ?? schema.created_at) || 0, ...nested);
}

export class FileMetadataCheck {
  readonly #find: FindSchema;
  readonly #changedAt = new Map<string, number>();
  readonly #schemas: MetadataSchemas;

  constructor(schemas: MetadataSchemas) {
    this.#schemas = schemas;
    this.#find = compileSchemas(schemas);
  }

  /** Returns whether entries of the list can have faults. */
  concerns(list: string): boolean {
    return Object.hasOwn(resources, list) && Object.keys(this.#schemas).length > 0;
  }

  /** Returns whether the entry is older than the schema. Such objects stay readable until their next change. */
  #isOlder(resource: string, { date, created_at = date }: EntryFields): boolean {
    const changedAt = this.#changedAt.get(resource) ?? findLastChange(this.#schemas, resource);
    this.#changedAt.set(resource, changedAt);
    return changedAt > 0 && typeof created_at === 'string' && Date.parse(created_at) < changedAt + lagInMs;
  }

  #resourceOf(list: string, { campaign_id, campaign }: EntryFields, held: HeldEntries): string | undefined {
    const name = campaign_id ?? campaign;
    if (list !== 'vouchers' || typeof name !== 'string') return resources[list];
    const own = held.find('campaigns', name);
    // The schema of a campaign that only the table has is not known here.
    return own && (own.use_voucher_metadata_schema ? 'voucher' : 'campaign');
  }

  /** Returns the faults of an entry, with the place in it. */
  faultsOf(list: string, entry: EntryFields, held: HeldEntries): string[] {
    if (!this.concerns(list)) return [];
    const resource = this.#resourceOf(list, entry, held);
    const isNew = !alsoMadeByService.includes(list);
    const check = (name: string | undefined, metadata: EntryFields, place: string) =>
      name === undefined || this.#isOlder(name, entry)
        ? []
        : (this.#find(name)?.faultsOf(metadata, { place, before: isNew ? undefined : nothing }) ?? []);
    const lines = list === 'orders' && Array.isArray(entry.items) ? entry.items : [];
    return [
      ...check(resource, recordOf(entry.metadata), 'metadata'),
      ...lines.flatMap((line, index) =>
        check('order_item', recordOf(recordOf(line).metadata), `items[${index}].metadata`),
      ),
    ];
  }
}
