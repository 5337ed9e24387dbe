import type { Route } from '../../lib/http/route.ts';

/** Path parameters that take more than an id. */
const parameters: Readonly<Record<string, string>> = {
  campaignId: 'Id or name of the campaign; an id wins over a name.',
  code: 'Code or id of the voucher, percent-encoded once; a code wins over an id.',
  customerId: 'Id or source id of the customer; an id wins over a source id.',
  memberId: 'Code of the loyalty card.',
};

/** What a path parameter stands for: in the operation's words, the usual ones, or by its name (`brandId`). */
export function parameterWords({ words }: Route, name: string): string {
  const thing = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[name] ?? parameters[name] ?? `Id of the ${thing}.`;
}

/** The families, in the order in which a shop comes to need them: codes and carts first, then who buys what, then upkeep. */
const tags: Readonly<Record<string, string>> = {
  vouchers: 'Vouchers, gift cards and loyalty cards.',
  campaigns: 'Campaigns, and the generation of their codes.',
  validations: 'What a cart would get, before anything is redeemed.',
  redemptions: 'What a cart gets, and how it is taken back.',
  qualifications: 'What a customer or a cart could use.',
  promotions: 'Promotion tiers, which apply without a code.',
  customers: 'Customers, and what they did.',
  publications: 'Codes that are given to customers.',
  orders: 'Orders, with what they were reduced by.',
  events: 'What client systems report.',
  loyalties: 'Loyalty programmes: points, tiers and rewards.',
  rewards: 'What loyalty programmes give for points.',
  referrals: 'Customers who refer others.',
  products: 'Products that rules and discounts name.',
  skus: 'Variants of products.',
  'product-collections': 'Products under one name.',
  'validation-rules': 'Conditions under which something applies.',
  'validation-rules-assignments': 'What validation rules are assigned to.',
  segments: 'Customers under one name.',
  categories: 'Categories, which decide what stacks.',
  exports: 'Lists as files.',
  'async-actions': 'Works in the background, and their outcome.',
  'trash-bin': 'Deleted objects.',
  client: 'What pages in a browser may call.',
  assets: 'Pictures of voucher codes, for anyone who has their address.',
  oauth: 'Bearer tokens. Called with the two app headers.',
  management: 'For operators. Guarded as the deployment says.',
};

/** Of a family without words of its own: its name, as people read it. */
export function tagWords(family: string): { description: string } {
  const name = family.replaceAll('-', ' ');
  return { description: tags[family] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}.` };
}

export function inOrderOfUse(families: ReadonlySet<string>): string[] {
  const known = Object.keys(tags).filter((family) => families.has(family));
  return [...known, ...[...families].filter((family) => !known.includes(family)).sort()];
}
