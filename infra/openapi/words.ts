import type { Route } from '#kernel/http/route.ts';

/** Describes path parameters that accept more than an id. */
const parameters: Readonly<Record<string, string>> = {
  campaignId: 'Id or name of the campaign. An id is tried first.',
  code: 'Code or id of the voucher, percent-encoded once. A code is tried first.',
  customerId: 'Id or source id of the customer. An id is tried first.',
  memberId: 'Code of the loyalty card.',
};

/**
 * Returns the meaning of a path parameter, by the operation's description, the usual description, or its name
 * (`brandId`).
 */
export function describePathParameter({ words }: Route, name: string): string {
  const thing = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[name] ?? parameters[name] ?? `Id of the ${thing}.`;
}

/**
 * Describes the families in the order in which a shop needs them: codes and carts, customers and products, then upkeep.
 */
const tags: Readonly<Record<string, string>> = {
  vouchers: 'Vouchers, gift cards and loyalty cards.',
  campaigns: 'Campaigns, and the generation of their codes.',
  templates: 'Templates of campaigns, and what is set up from them.',
  validations: 'Effects on a cart, before anything is redeemed.',
  redemptions: 'Effects on a cart, and their rollbacks.',
  qualifications: 'Redeemables that a customer or a cart could use.',
  commerce: 'Carts of agents that buy, in the words of UCP and ACP.',
  promotions: 'Promotion tiers, which apply without a code.',
  customers: 'Customers, and what they did.',
  publications: 'Codes that were given to customers.',
  orders: 'Orders, with their discounts.',
  events: 'Events that the systems of a shop report.',
  loyalties: 'Loyalty programmes: points, tiers and rewards.',
  rewards: 'Rewards that loyalty programmes give for points.',
  referrals: 'Customers who refer others.',
  products: 'Products that rules and discounts name.',
  skus: 'Variants of products.',
  'product-collections': 'Groups of products.',
  'validation-rules': 'Conditions for the use of vouchers, tiers and rewards.',
  'validation-rules-assignments': 'Assignments of validation rules to objects.',
  segments: 'Groups of customers.',
  'metadata-schemas': 'Types and limits of metadata.',
  locations: 'Places on the map.',
  categories: 'Categories, which decide what can be combined.',
  exports: 'Exports of lists to files.',
  reports: 'Figures of promotions and points.',
  'async-actions': 'Work in the background, and its outcome.',
  'trash-bin': 'Deleted objects.',
  client: 'Operations that a browser may call.',
  assets: 'Pictures of voucher codes, open to anyone with the address.',
  oauth: 'Bearer tokens. The calls need the two app headers.',
  management: 'Operations for operators. The deployment chooses their guard.',
};

/** Returns the description of a family. A family without a description is described by its name. */
export function describeTag(family: string): { description: string } {
  const name = family.replaceAll('-', ' ');
  return { description: tags[family] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}.` };
}

export function sortFamiliesByUse(families: ReadonlySet<string>): string[] {
  const known = Object.keys(tags).filter((family) => families.has(family));
  return [...known, ...[...families].filter((family) => !known.includes(family)).sort()];
}
