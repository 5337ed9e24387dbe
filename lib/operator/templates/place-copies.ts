import { collection } from '../../catalogue/collections/resource.ts';
import { product, sku } from '../../catalogue/products/resource.ts';
import { notFound, ServiceError } from '../../core/errors.ts';
import { planFilteredSegments } from '../../customers/segments/save-segment.ts';
import { segment } from '../../customers/segments/segment.ts';
import type { Reading } from '../../http/context.ts';
import { findItem, saveItem } from '../../kit/resource/item.ts';
import { type Item, type Resource, resourceKey, type Values } from '../../kit/resource/shape.ts';
import { segmentNames } from '../../rules/names.ts';
import { type References, renameInRule } from '../../rules/rename-references.ts';
import { change, check, type Effect } from '../../table/effects.ts';
import { read } from '../../table/read.ts';
import { planRule } from '../../vouchers/assignments/save-rule.ts';
import { listSegmentIds, renameInCollection } from './copy-resources.ts';
import { type CampaignTemplate, campaignTemplate, type ResourceLink } from './resource.ts';

/** A resource that a setup creates, under its public name. */
export interface CreatedResource {
  readonly id: string;
  readonly object: 'validation_rules' | 'product' | 'sku' | 'products_collection' | 'segments';
}

interface Copy {
  readonly id: string;
  readonly source_id?: string | null | undefined;
}

/** Collects what a setup writes, and the new names of what the copies refer to. */
class Placement {
  readonly effects: Effect[] = [];
  readonly created: CreatedResource[] = [];
  readonly links: ResourceLink[] = [];
  readonly #items = new Map<string, string>();
  readonly #segments = new Map<string, string>();
  readonly references: References = {
    item: (name) => this.#items.get(name) ?? name,
    byRule: new Map(segmentNames.map((rule) => [rule, (name: string) => this.#segments.get(name) ?? name])),
  };

  #link(object: ResourceLink['object'], of: string, id: string): void {
    this.links.push({ object, of, id });
    (object === 'segment' ? this.#segments : this.#items).set(of, id);
  }

  /** Uses an existing resource. The transaction is refused if it was deleted meanwhile. */
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

/** Returns the resource that stands for each copy: the linked one, or one with the same source id. */
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

/** Answers 404 for a segment that the rules name, and that has no copy. Without it, a rule would mean something else. */
async function checkSegments({ table, project }: Reading, { content }: CampaignTemplate): Promise<void> {
  const copied = new Set(content.segments.map(({ id }) => id));
  const named = listSegmentIds(content.validation_rules).filter((id) => !copied.has(id));
  const { found } = await read(table, { found: named.map((id) => segment.few(project.id, id)) });
  const missing = named.find((_, index) => !found[index]);
  if (missing !== undefined) throw notFound(segment.name, missing);
}

/** Keeps the resources that stand for the copies. Another setup that created them at the same time makes this one start again. */
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

/** Creates the products, SKUs, collections and segments that the project lacks. */
async function placeResources(context: Reading, template: CampaignTemplate): Promise<Placement> {
  const { content } = template;
  const placement = new Placement();
  const { references } = placement;
  const place = async <C extends Copy>(
    resource: Resource & { readonly name: ResourceLink['object'] },
    copies: readonly C[],
    valuesOf: (copy: C) => Values,
  ) => {
    const found = await findLinked(template, context, resource, copies);
    for (const [index, copy] of copies.entries()) {
      const item = found[index];
      if (item) {
        placement.use(resource.name, copy.id, resourceKey(resource, context.project.id, item), item);
        continue;
      }
      const { id: _, ...values } = valuesOf(copy);
      const { after, effects } = saveItem(context, resource, undefined, values);
      placement.add(resource.name, copy.id, after, effects);
    }
  };
  await place(product, content.products, (copy) => copy);
  await place(sku, content.skus, (copy) => ({ ...copy, product_id: references.item(copy.product_id) }));
  await place(collection, content.product_collections, (copy) => renameInCollection(copy, references));
  const added = placement.created.filter(({ object }) => object === 'products_collection').length;
  placement.effects.push(...limitCollections(context.project.id, added));

  const found = await findLinked(template, context, segment, content.segments);
  const missing = content.segments.filter((_, index) => !found[index]);
  for (const [index, { id }] of content.segments.entries()) {
    const item = found[index];
    if (item) placement.use('segment', id, segment.few(context.project.id, item.id), item);
  }
  const { made, effects } = await planFilteredSegments(
    context,
    missing.map(({ id: _, ...body }) => body),
  );
  placement.effects.push(...effects);
  for (const [index, { id }] of missing.entries()) {
    const item = made[index];
    if (item) placement.add('segment', id, item);
  }
  return placement;
}

export interface Placed extends Pick<Placement, 'effects' | 'created' | 'references'> {
  /** The ids of the new rules. */
  readonly ruleIds: readonly string[];
}

/** Returns the effects that create the template's rules, and the resources that the project lacks for them. Rules are always new. */
export async function placeCopies(context: Reading, template: CampaignTemplate): Promise<Placed> {
  await checkSegments(context, template);
  const { effects, created, references, links } = await placeResources(context, template);
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
