import type { Category } from '../campaigns/category.ts';
import { activityIndexes } from '../customers/activity.ts';
import type { Attributes } from '../dynamodb.ts';
import type { IdKind } from '../ids.ts';
import { rewardAssignmentListing } from '../loyalty/reward.ts';
import type { Project } from '../projects/project.ts';
import { hashSecret } from '../projects/secret.ts';
import { promotionTierListing } from '../promotions/promotion-tier.ts';
import { indexed, type Key, keys } from '../table.ts';
import { voucherId } from '../vouchers/voucher-id.ts';
import type { CheckedFile, ShortLists } from './check.ts';
import { type Entry, type ListKey, lists } from './entries.ts';
import { IdBook, IdMaker } from './ids.ts';
import type { ItemWrite } from './item-write.ts';
import { heldCardItem, voucherItem } from './voucher-items.ts';

const dates = ['created_at', 'updated_at'] as const;

/** Every attribute that entries of the list can have, so that those left out are seen to be left out. */
function attributesOf<K extends ListKey>(key: K, entry: Entry<K>): Attributes {
  const values = new Map<string, unknown>(Object.entries(entry));
  return Object.fromEntries(Object.keys(lists[key].entries).map((name) => [name, values.get(name) ?? undefined]));
}

export interface Surroundings {
  project: Project;
  /** When the project was first loaded: the date of what has no date, and needs the same one at every load. */
  firstLoadedAt: string;
  now: string;
  /** Ids that the table has for names already. */
  categoryIds: ReadonlyMap<string, string>;
  campaignIds: ReadonlyMap<string, string>;
}

/**
 * Turns entries that `checkFile` found right into items, in the order of the file: of entries that are just alike and
 * have no id, the id tells how many came before. Another walk through the file takes another maker.
 */
export class ItemMaker {
  readonly #around: Surroundings;
  readonly #ids: IdMaker;
  readonly #campaigns: IdBook;
  readonly #categories: IdBook;
  readonly #voucherIds: ReadonlySet<string>;
  readonly #assignments: Map<string, Attributes[]>;
  /** A file without the key says nothing of the assignments that are there. */
  readonly #assignmentsOnce: readonly string[];
  readonly #short: ShortLists;

  constructor({ short, keys: given, voucherIds }: CheckedFile, around: Surroundings) {
    this.#around = around;
    this.#short = short;
    this.#voucherIds = voucherIds;
    const { project, campaignIds, categoryIds } = around;
    this.#ids = new IdMaker(project.id);
    this.#campaigns = new IdBook(
      short.campaigns.map(({ id, name }) => ({
        id: id ?? campaignIds.get(name) ?? this.#ids.fromName('campaign', name),
        name,
      })),
    );
    this.#categories = new IdBook(
      short.categories.map(({ id, name }) => ({
        id: id ?? categoryIds.get(name) ?? this.#ids.fromName('category', name),
        name,
      })),
    );
    this.#assignmentsOnce = given.has('validation_rules_assignments') ? [] : ['validation_rules_assignments'];
    this.#assignments = Map.groupBy(
      short.validation_rules_assignments.map((entry) => this.#assignment(entry)),
      ({ related_object_type, related_object_id }) => `${related_object_type} ${related_object_id}`,
    );
  }

  /** All items of the short lists, but for users and what opens the project to callers. */
  *shortItems(): Generator<ItemWrite> {
    const short = this.#short;
    yield* short.roles.map((entry) => this.#plain('roles', entry, keys.role, this.#idOf('role', entry)));
    yield* short.brands.map((entry) => this.#plain('brands', entry, keys.brand, this.#idOf('brand', entry)));
    yield* short.validation_rules.map((entry) => this.#plain('validation_rules', entry, keys.validationRule, entry.id));
    yield* short.campaigns.map((entry, index) => this.#campaign(entry, index));
    yield* short.rewards.map((entry) => this.#reward(entry));
    yield* short.promotion_tiers.map((entry) => this.#promotionTier(entry));
    yield* short.earning_rules.map((entry) =>
      this.#ofCampaign('earning_rules', entry, keys.earningRule, 'earning_rule'),
    );
    yield* short.loyalty_tiers.map((entry) =>
      this.#ofCampaign('loyalty_tiers', entry, keys.loyaltyTier, 'loyalty_tier'),
    );
    yield* short.reward_assignments.map((entry, index) => this.#rewardAssignment(entry, index));
  }

  categories(): Category[] {
    return this.#short.categories.map(({ id, name, hierarchy, created_at }) => ({
      id: id ?? this.#categories.find(name) ?? name,
      name,
      hierarchy,
      created_at: created_at ?? this.#around.now,
      object: 'category',
    }));
  }

  /** The voucher, and what tells its holder of it. */
  voucher(entry: Entry<'vouchers'>, index: number): ItemWrite[] {
    const { project, now } = this.#around;
    const write = voucherItem(entry, {
      project,
      now,
      place: `vouchers[${index}]`,
      campaignId: this.#campaigns.find(entry.campaign_id, entry.campaign),
      categoryId: this.#categories.find(entry.category_id, entry.category),
      assignments: this.#assignments.get(`voucher ${voucherId(project, entry.code)}`),
    });
    const held = heldCardItem(project, write);
    return [{ ...write, once: [...write.once, ...this.#assignmentsOnce] }, ...(held ? [held] : [])];
  }

  /** `knownId`: the id that the table has for the customer's source id already. */
  customer(entry: Entry<'customers'>, index: number, knownId: string | undefined): ItemWrite {
    const { project, now } = this.#around;
    const { source_id } = entry;
    const id =
      entry.id ??
      knownId ??
      (source_id ? this.#ids.fromName('customer', source_id) : this.#ids.fromContent('customer', entry));
    const write: ItemWrite = {
      key: keys.customer(project.id, id),
      item: {
        ...attributesOf('customers', entry),
        id,
        created_at: entry.created_at ?? now,
        referred_in: entry.referred_in?.map(({ related_object_id: code, ...referral }) => ({
          ...referral,
          related_object_id: voucherId(project, code),
        })),
      },
      once: [...dates, 'summary', 'loyalty', 'referrals', 'referred_customers', 'referred_in'],
    };
    if (!source_id) return write;
    const claim = {
      key: keys.customerSource(project.id, source_id),
      item: { customer_id: id },
      once: ['customer_id'],
      fixed: { customer_id: `customers[${index}].source_id is that of another customer of the project` },
    };
    return { ...write, claim };
  }

  activity(entry: Entry<'activities'>, index: number, customerId: string): ItemWrite {
    const { project, firstLoadedAt } = this.#around;
    const id = this.#idOf('activity', entry);
    const createdAt = entry.created_at ?? firstLoadedAt;
    const { data } = entry;
    const campaignId = this.#campaigns.find(entry.campaign_id, entry.campaign);
    const counter = { attribute: 'activities' };
    return {
      key: keys.activity(project.id, customerId, id),
      item: {
        ...attributesOf('activities', entry),
        id,
        campaign_id: campaignId,
        created_at: createdAt,
        data: { ...data, data: { ...data.data, customer: { id: customerId } } },
        ...activityIndexes(project.id, { customerId, campaignId, createdAt, id }),
      },
      once: ['activityOfCustomer', 'activityOfCampaign', 'activityAt'],
      fixed: { created_at: otherDate(`activities[${index}]`) },
      // By it the activity is listed and counted.
      kept: { campaign_id: `activities[${index}].campaign_id differs from the stored one, which can't be changed` },
      counted: [
        { ...counter, key: keys.customer(project.id, customerId), ofItem: true },
        ...(campaignId ? [{ ...counter, key: keys.customerCampaign(project.id, customerId, campaignId) }] : []),
      ],
    };
  }

  pendingPoints(entry: Entry<'pending_points'>): ItemWrite {
    const { project } = this.#around;
    const id = this.#idOf('pending_points', entry);
    const cardId = voucherId(project, entry.code);
    const pending = entry.state === 'PENDING' ? entry.points : 0;
    const key = keys.pendingPoints(project.id, cardId, id);
    const { code, activates_at, ...attributes } = entry;
    const due =
      pending !== 0 && activates_at !== undefined
        ? { project_id: project.id, dueShard: indexed.dueShardOf(key), dueAt: activates_at }
        : {};
    const item = { ...attributes, id, voucher_id: cardId, activates_at, ...due };
    return {
      key,
      item,
      // Once they are there, they are the card's.
      once: Object.keys(item),
      counted: [{ key: keys.voucher(project.id, cardId), attribute: 'pending_points', by: pending, ofItem: true }],
    };
  }

  #idOf(kind: IdKind, entry: { id?: string | undefined }): string {
    return entry.id ?? this.#ids.fromContent(kind, entry);
  }

  #plain<K extends ListKey>(
    list: K,
    entry: Entry<K>,
    key: (projectId: string, id: string) => Key,
    id: string,
  ): ItemWrite {
    const withId = 'id' in lists[list].entries ? { id } : {};
    return { key: key(this.#around.project.id, id), item: { ...attributesOf(list, entry), ...withId }, once: dates };
  }

  #campaign(entry: Entry<'campaigns'>, index: number): ItemWrite {
    const { project, now } = this.#around;
    const id = entry.id ?? this.#campaigns.find(entry.name) ?? entry.name;
    const { category, ...attributes } = attributesOf('campaigns', entry);
    const joinOnce = entry.campaign_type === 'LOYALTY_PROGRAM' || (entry.type !== 'STANDALONE' && entry.join_once);
    const place = `campaigns[${index}].name`;
    return {
      claim: {
        key: keys.campaignName(project.id, entry.name),
        item: { campaign_id: id },
        once: ['campaign_id'],
        fixed: { campaign_id: `${place} is that of another campaign of the project` },
      },
      key: keys.campaign(project.id, id),
      item: {
        ...attributes,
        id,
        join_once: joinOnce,
        category_id: this.#categories.find(entry.category_id, entry.category),
        validation_rules_assignments: this.#assignments.get(`campaign ${id}`),
        created_at: entry.created_at ?? now,
      },
      once: [...dates, 'creation_status', 'vouchers_generation_status', 'vouchers_count', ...this.#assignmentsOnce],
      fixed: { name: `${place} differs from the stored one, which can't be changed` },
    };
  }

  #promotionTier(entry: Entry<'promotion_tiers'>): ItemWrite {
    const { project, now } = this.#around;
    const id = this.#idOf('promotion_tier', entry);
    const { category, ...attributes } = attributesOf('promotion_tiers', entry);
    return {
      key: keys.promotionTier(project.id, id),
      item: {
        ...attributes,
        id,
        campaign_id: this.#campaigns.find(entry.campaign_id),
        category_id: this.#categories.find(entry.category_id, entry.category),
        validation_rules_assignments: this.#assignments.get(`promotion_tier ${id}`),
        created_at: entry.created_at ?? now,
      },
      once: [...dates, 'summary', ...this.#assignmentsOnce],
      listing: promotionTierListing(project.id),
    };
  }

  #reward(entry: Entry<'rewards'>): ItemWrite {
    const id = this.#idOf('reward', entry);
    const { campaign, ...parameters } = entry.parameters;
    const campaignId = this.#campaigns.find(campaign?.id);
    return {
      key: keys.reward(this.#around.project.id, id),
      item: {
        ...attributesOf('rewards', entry),
        id,
        parameters: { ...parameters, ...(campaign ? { campaign: { ...campaign, id: campaignId } } : {}) },
        created_at: entry.created_at ?? this.#around.now,
      },
      once: [...dates, 'stock', 'redeemed'],
    };
  }

  #rewardAssignment(entry: Entry<'reward_assignments'>, index: number): ItemWrite {
    const { project, firstLoadedAt } = this.#around;
    const id = this.#idOf('reward_assignment', entry);
    const campaignId = this.#campaigns.find(entry.related_object_id) ?? entry.related_object_id;
    const createdAt = entry.created_at ?? firstLoadedAt;
    return {
      key: keys.rewardAssignment(project.id, campaignId, id),
      item: { ...attributesOf('reward_assignments', entry), id, related_object_id: campaignId, created_at: createdAt },
      once: ['updated_at'],
      fixed: { created_at: otherDate(`reward_assignments[${index}]`) },
      listing: rewardAssignmentListing(project.id),
    };
  }

  #ofCampaign<K extends 'earning_rules' | 'loyalty_tiers'>(
    list: K,
    entry: Entry<K>,
    key: (projectId: string, campaignId: string, id: string) => Key,
    kind: IdKind,
  ): ItemWrite {
    const { project, now } = this.#around;
    const id = this.#idOf(kind, entry);
    const campaignId = this.#campaigns.find(entry.campaign_id) ?? entry.campaign_id;
    const createdAt = 'created_at' in entry ? entry.created_at : undefined;
    return {
      key: key(project.id, campaignId, id),
      item: { ...attributesOf(list, entry), id, campaign_id: campaignId, created_at: createdAt ?? now },
      once: dates,
    };
  }

  #assignment(entry: Entry<'validation_rules_assignments'>): Attributes {
    const { project, firstLoadedAt } = this.#around;
    const { related_object_type: type, related_object_id: named } = entry;
    const ids = {
      campaign: this.#campaigns.find(named),
      voucher: this.#voucherIds.has(named) ? named : voucherId(project, named),
      promotion_tier: named,
    };
    return {
      id: this.#idOf('validation_rules_assignment', entry),
      rule_id: entry.rule_id,
      related_object_id: ids[type],
      related_object_type: type,
      created_at: entry.created_at ?? firstLoadedAt,
      object: 'validation_rules_assignment',
    };
  }
}

function otherDate(place: string): string {
  return `${place}.created_at differs from the stored one, which can't be changed`;
}

/** By which the project finds its key again; it is written before it, so that no key is out of sight. */
function pointer(key: Key, item: Attributes): ItemWrite {
  return { key, item, once: Object.keys(item) };
}

/** What opens a project to callers: its keys, that no other project has. */
export function* keyItems({ project, short }: CheckedFile): Generator<ItemWrite> {
  const project_id = project.id;
  const ofAnother = (place: string) => ({ project_id: `${place} has the id of a key of another project` });
  for (const [index, { management_id, management_token, management_token_hash }] of short.management_keys.entries()) {
    const item = { management_id, token_hash: management_token_hash ?? hashSecret(management_token ?? ''), project_id };
    yield {
      key: keys.managementKey(management_id),
      item,
      once: [],
      fixed: ofAnother(`management_keys[${index}]`),
      claim: pointer(keys.projectManagementKey(project_id, management_id), { management_id }),
    };
  }
  for (const [index, { app_id, app_token, app_token_hash, name, active }] of short.app_keys.entries()) {
    const item = {
      app_id,
      name,
      active: active ?? true,
      token_hash: app_token_hash ?? hashSecret(app_token ?? ''),
      project_id,
    };
    yield {
      key: keys.appKey(app_id),
      item,
      // A file that says nothing of it does not switch a key on again.
      once: active === undefined ? ['active'] : [],
      fixed: ofAnother(`app_keys[${index}]`),
      claim: pointer(keys.projectAppKey(project_id, app_id), { app_id }),
    };
  }
}
