import { collectionChanges, collectionChangeTypes } from '#engine/catalogue/collections/activities.ts';
import { collection } from '#engine/catalogue/collections/resource.ts';
import { location } from '#engine/catalogue/locations/location.ts';
import { product, sku } from '#engine/catalogue/products/resource.ts';
import { planFilteredSegments } from '#engine/customers/segments/save-segment.ts';
import { segment } from '#engine/customers/segments/segment.ts';
import { segmentNames } from '#engine/rules/names.ts';
import { type References, renameInFilter, renameInRule } from '#engine/rules/rename-references.ts';
import { planRule } from '#engine/vouchers/assignments/save-rule.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { findItem, saveItem } from '#kernel/kit/resource/item.ts';
import { type Item, type Resource, resourceKey, type Values } from '#kernel/kit/resource/shape.ts';
import { change, check, type Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import type { TemplateContent } from './content.ts';
import { listSegmentIds, renameInCollection } from './copy-resources.ts';
import { type CampaignTemplate, campaignTemplate, type ResourceLink } from './resource.ts';

/** A resource that a setup creates, under its public name. */
interface CreatedResource {
  readonly id: string;
  readonly object: 'validation_rules' | 'product' | 'sku' | 'products_collection' | 'segments' | 'location';
}

interface Copy {
  readonly id: string;
  readonly source_id?: string | null | undefined;
}

/** Collects the effects of a setup, and the new names that replace the references of the copies. */
class Placement {
  readonly effects: Effect[] = [];
  readonly created: CreatedResource[] = [];
  readonly links: ResourceLink[] = [];
  readonly #items = new Map<string, string>();
  readonly #segments = new Map<string, string>();
  readonly #locations = new Map<string, string>();
  readonly references: References = {
    item: (name) => this.#items.get(name) ?? name,
    location: (id) => this.#locations.get(id) ?? id,
    byRule: new Map(segmentNames.map((rule) => [rule, (name: string) => this.#segments.get(name) ?? name])),
  };

  #link(object: ResourceLink['object'], of: string, id: string): void {
    this.links.push({ object, of, id });
    const names = object === 'segment' ? this.#segments : object === 'location' ? this.#locations : this.#items;
    names.set(of, id);
  }

  /** Uses an existing resource. The transaction is refused if it was deleted after the read. */
  use(object: ResourceLink['object'], of: string, key: ReturnType<typeof resourceKey>, { id }: Item): void {
    this.#link(object, of, id);
    this.effects.push(check(key, (update) => update.whenThere()));
  }

  add(object: ResourceLink['object'], of: string, { id }: Item, effects: readonly Effect[] = []): void {
    this.#link(object, of, id);
    this.effects.push(...effects);
    this.created.push({ id, object: object === 'segment' ? 'segments' : object });
  }
}

/** Returns the existing resource for each copy: the linked resource, or a resource with the same source id. */
function findLinked({ links }: CampaignTemplate, context: Reading, resource: Resource, copies: readonly Copy[]) {
  const find = ({ id, source_id }: Copy) => {
    const link = links?.find(({ object, of }) => object === resource.name && of === id);
    return findItem(context, resource, { id: link?.id, source_id: source_id ?? undefined });
  };
  return Promise.all(copies.map(find));
}

/** Returns the effect that refuses a setup whose new collections exceed the project's limit together. */
function limitCollections(projectId: string, added: number): Effect[] {
  const { most, counter, name } = collection;
  if (most === undefined || added < 2) return [];
  const details = `a project has at most ${most} of the kind ${name}, and the template adds ${added}`;
  return [
    check(
      counter(projectId),
      (update) => update.whenAtMost('number', most - added),
      () => new ServiceError('too_many_resources', { details }),
    ),
  ];
}

/**
 * Answers 404 for a segment that the rules name, and that has no copy. Without it, a rule would have a different
 * meaning.
 */
async function checkSegments({ table, project }: Reading, { content }: CampaignTemplate): Promise<void> {
  const copied = new Set(content.segments.map(({ id }) => id));
  const named = listSegmentIds(content.validation_rules).filter((id) => !copied.has(id));
  const { found } = await read(table, { found: named.map((id) => segment.few(project.id, id)) });
  const missing = named.find((_, index) => !found[index]);
  if (missing !== undefined) throw notFound(segment.name, missing);
}

/**
 * Keeps the resources that correspond to the copies. A simultaneous setup that created them makes this setup start
 * again.
 */
function keepLinks(projectId: string, template: CampaignTemplate, links: readonly ResourceLink[]): Effect {
  const key = campaignTemplate.few(projectId, template.id);
  const known = new Set((template.links ?? []).map(({ object, of, id }) => `${object} ${of} ${id}`));
  if (links.every(({ object, of, id }) => known.has(`${object} ${of} ${id}`))) {
    return check(
      key,
      (update) => update.whenThere(),
      () => notFound(campaignTemplate.name, template.id),
    );
  }
  return change(key, (update) =>
    update.whenThere().whenStill('revision', template.revision).set(['links'], links).add('revision', 1),
  );
}

type Found = readonly (Item | undefined)[];

interface Placing<C extends Copy> {
  readonly copies: readonly C[];
  readonly found: Found;
  readonly valuesOf: (copy: C) => Values;
  readonly record?: (context: Reading, after: Item) => Effect[];
}

const recordCreation = (context: Reading, after: Item) =>
  collectionChanges.record(context, after, [collectionChangeTypes.created]);

/** Uses the resources that were found, and creates the others. */
function place<C extends Copy>(
  context: Reading,
  placement: Placement,
  resource: Resource & { readonly name: ResourceLink['object'] },
  { copies, found, valuesOf, record = () => [] }: Placing<C>,
): void {
  for (const [index, copy] of copies.entries()) {
    const item = found[index];
    if (item) {
      placement.use(resource.name, copy.id, resourceKey(resource, context.project.id, item), item);
      continue;
    }
    const { id: _, ...values } = valuesOf(copy);
    const { after, effects } = saveItem(context, resource, undefined, values);
    placement.add(resource.name, copy.id, after, [...effects, ...record(context, after)]);
  }
}

/** Answers 409 if an existing SKU belongs to a different product than in the template. */
function checkOwners({ skus }: TemplateContent, found: Found, { item }: References): void {
  for (const [index, { product_id }] of skus.entries()) {
    const sku = found[index];
    if (!sku || sku.product_id === item(product_id)) continue;
    throw new ServiceError('duplicate_found', {
      details: `the SKU ${sku.id} has the source id of a SKU of the template, and belongs to another product: change its source id`,
      resource: { id: sku.id, type: 'sku' },
    });
  }
}

async function placeItems(context: Reading, template: CampaignTemplate, placement: Placement): Promise<void> {
  const { content } = template;
  const { products, skus, product_collections: collections, locations } = content;
  const { references } = placement;
  const [ofLocations, byName, ofSkus, ofCollections] = await Promise.all([
    findLinked(template, context, location, locations),
    findLinked(template, context, product, products),
    findLinked(template, context, sku, skus),
    findLinked(template, context, collection, collections),
  ]);
  // The product of an existing SKU replaces the copy of its product.
  const ofProducts = products.map(({ id }, index) => {
    const owned = ofSkus.find((one, place) => one && skus[place]?.product_id === id);
    return byName[index] ?? (owned && { id: String(owned.product_id) });
  });
  place(context, placement, location, { copies: locations, found: ofLocations, valuesOf: (copy) => copy });
  place(context, placement, product, { copies: products, found: ofProducts, valuesOf: (copy) => copy });
  checkOwners(content, ofSkus, references);
  const valuesOfSku = (copy: (typeof skus)[number]) => ({ ...copy, product_id: references.item(copy.product_id) });
  place(context, placement, sku, { copies: skus, found: ofSkus, valuesOf: valuesOfSku });
  const valuesOf = (copy: (typeof collections)[number]) => renameInCollection(copy, references);
  place(context, placement, collection, {
    copies: collections,
    found: ofCollections,
    valuesOf,
    record: recordCreation,
  });
  const added = ofCollections.filter((one) => !one).length;
  placement.effects.push(...limitCollections(context.project.id, added));
}

async function placeSegments(context: Reading, template: CampaignTemplate, placement: Placement): Promise<void> {
  const { segments } = template.content;
  const found = await findLinked(template, context, segment, segments);
  const missing = segments.filter((_, index) => !found[index]);
  for (const [index, { id }] of segments.entries()) {
    const item = found[index];
    if (item) placement.use('segment', id, segment.few(context.project.id, item.id), item);
  }
  const bodies = missing.map(({ id: _, filter, ...body }) => ({
    ...body,
    ...(filter ? { filter: renameInFilter(filter, placement.references) } : {}),
  }));
  const { made, effects } = await planFilteredSegments(context, bodies);
  placement.effects.push(...effects);
  for (const [index, { id }] of missing.entries()) {
    const item = made[index];
    if (item) placement.add('segment', id, item);
  }
}

export interface Placed extends Pick<Placement, 'effects' | 'created' | 'references'> {
  /** The ids of the new rules. */
  readonly ruleIds: readonly string[];
}

/** Returns the effects that create the template's rules, and the resources that the project lacks for them. Rules are always new. */
export async function placeCopies(context: Reading, template: CampaignTemplate): Promise<Placed> {
  await checkSegments(context, template);
  const placement = new Placement();
  await placeItems(context, template, placement);
  await placeSegments(context, template, placement);
  const { effects, created, references, links } = placement;
  const rules = template.content.validation_rules.map((copy) =>
    planRule(context, undefined, renameInRule(copy, references)),
  );
  const ruleIds = rules.map(({ after }) => after.id);
  return {
    effects: [...effects, ...rules.flatMap((rule) => rule.effects), keepLinks(context.project.id, template, links)],
    created: [...created, ...ruleIds.map((id) => ({ id, object: 'validation_rules' as const }))],
    references,
    ruleIds,
  };
}
