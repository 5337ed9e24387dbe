import { builtInRoles } from '../management/role.ts';
import type { Entry, ListKey } from './entries.ts';

/** What an entry may refer to, and the fields by which it is named: where two have one name, the first field wins. */
export const targets = {
  campaign: { list: 'campaigns', fields: ['id', 'name'], called: 'campaign' },
  category: { list: 'categories', fields: ['id', 'name'], called: 'category' },
  customer: { list: 'customers', fields: ['id'], called: 'customer' },
  customer_source: { list: 'customers', fields: ['source_id'], called: 'customer' },
  earning_rule: { list: 'earning_rules', fields: ['id'], called: 'earning rule' },
  event: { list: 'event_schema', fields: ['name'], called: 'event' },
  loyalty_tier: { list: 'loyalty_tiers', fields: ['id'], called: 'loyalty tier' },
  promotion_tier: { list: 'promotion_tiers', fields: ['id'], called: 'promotion tier' },
  reward: { list: 'rewards', fields: ['id'], called: 'reward' },
  reward_assignment: { list: 'reward_assignments', fields: ['id'], called: 'reward assignment' },
  role: { list: 'roles', fields: ['id', 'name'], called: 'role' },
  validation_rule: { list: 'validation_rules', fields: ['id'], called: 'validation rule' },
  voucher: { list: 'vouchers', fields: ['code'], called: 'voucher' },
  /** The id of a voucher depends on the project's secret: no entry says it, `checkFile` finds it out. */
  voucher_or_id: { list: 'vouchers', fields: ['code', 'id'], called: 'voucher' },
} as const satisfies Record<string, { list: ListKey; fields: readonly string[]; called: string }>;

export type Target = keyof typeof targets;

/** A value that no two entries of a list may share. */
export interface Name {
  field: string;
  value: string;
}

export interface Reference {
  field: string;
  target: Target;
  value: string;
}

type Optional = string | null | undefined;

const name = (field: string, value: Optional): Name[] => (value ? [{ field, value }] : []);

const refer = (field: string, target: Target, value: Optional): Reference[] =>
  value === null || value === undefined ? [] : [{ field, target, value }];

type Categorised = { category?: Optional; category_id?: Optional };

const toCategory = ({ category, category_id }: Categorised) => [
  ...refer('category', 'category', category),
  ...refer('category_id', 'category', category_id),
];

const toCampaign = ({ campaign, campaign_id }: { campaign?: Optional; campaign_id?: Optional }) => [
  ...refer('campaign', 'campaign', campaign),
  ...refer('campaign_id', 'campaign', campaign_id),
];

type Rules = {
  [K in ListKey]: {
    names: (entry: Entry<K>) => Name[];
    /** In groups: those of one group must lead to the same entry. */
    references: (entry: Entry<K>) => Reference[][];
  };
};

const none = () => [];

/** Of each list: what must be unique in it, and what it points at. */
export const referenceRules: Rules = {
  app_keys: { names: (entry) => name('app_id', entry.app_id), references: none },
  management_keys: { names: (entry) => name('management_id', entry.management_id), references: none },
  roles: { names: (entry) => [...name('id', entry.id), ...name('name', entry.name)], references: none },
  users: {
    names: (entry) => name('email', entry.email.toLowerCase()),
    references: ({ role }) => (builtInRoles.includes(role) ? [] : [refer('role', 'role', role)]),
  },
  brands: { names: (entry) => name('id', entry.id), references: none },
  categories: { names: (entry) => [...name('id', entry.id), ...name('name', entry.name)], references: none },
  validation_rules: { names: (entry) => name('id', entry.id), references: none },
  campaigns: {
    names: (entry) => [...name('id', entry.id), ...name('name', entry.name)],
    references: (entry) => [toCategory(entry)],
  },
  vouchers: {
    names: (entry) => name('code', entry.code),
    references: (entry) => [
      toCampaign(entry),
      refer('holder_id', 'customer', entry.holder_id),
      toCategory(entry),
      refer('loyalty_card.standing.tier_id', 'loyalty_tier', entry.loyalty_card?.standing?.tier_id),
    ],
  },
  validation_rules_assignments: {
    names: (entry) => name('id', entry.id),
    references: ({ rule_id, related_object_type: type, related_object_id }) => [
      refer('rule_id', 'validation_rule', rule_id),
      refer('related_object_id', type === 'voucher' ? 'voucher_or_id' : type, related_object_id),
    ],
  },
  promotion_tiers: {
    names: (entry) => name('id', entry.id),
    references: (entry) => [refer('campaign_id', 'campaign', entry.campaign_id), toCategory(entry)],
  },
  loyalty_tiers: {
    names: (entry) => name('id', entry.id),
    references: (entry) => [
      refer('campaign_id', 'campaign', entry.campaign_id),
      ...Object.keys(entry.earning_rules).map((id) => refer(`earning_rules.${id}`, 'earning_rule', id)),
      ...Object.keys(entry.rewards).map((id) => refer(`rewards.${id}`, 'reward_assignment', id)),
    ],
  },
  earning_rules: {
    names: (entry) => name('id', entry.id),
    references: (entry) => [refer('campaign_id', 'campaign', entry.campaign_id), refer('event', 'event', entry.event)],
  },
  rewards: {
    names: (entry) => name('id', entry.id),
    references: (entry) => [refer('parameters.campaign.id', 'campaign', entry.parameters.campaign?.id)],
  },
  reward_assignments: {
    names: (entry) => name('id', entry.id),
    references: (entry) => [
      refer('reward_id', 'reward', entry.reward_id),
      refer('related_object_id', entry.related_object_type, entry.related_object_id),
    ],
  },
  event_schema: { names: (entry) => name('name', entry.name), references: none },
  customers: {
    names: (entry) => [...name('id', entry.id), ...name('source_id', entry.source_id)],
    references: ({ referred_in = [] }) =>
      referred_in.map(({ related_object_id: code }, index) =>
        refer(`referred_in[${index}].related_object_id`, 'voucher', code),
      ),
  },
  activities: {
    names: (entry) => name('id', entry.id),
    references: (entry) => [
      [
        ...refer('data.data.customer.id', 'customer', entry.data.data.customer.id),
        ...refer('data.data.customer.source_id', 'customer_source', entry.data.data.customer.source_id),
      ],
      toCampaign(entry),
      refer('category', 'category', entry.category),
      refer('code', 'voucher', entry.code),
    ],
  },
  pending_points: {
    names: (entry) => name('id', entry.id),
    references: (entry) => [
      refer('code', 'voucher', entry.code),
      refer('earning_rule_id', 'earning_rule', entry.earning_rule_id),
      refer('event', 'event', entry.event),
    ],
  },
};
