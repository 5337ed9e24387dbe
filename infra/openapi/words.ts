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

/** The families, in the order in which most integrations come to need them; others follow. */
const tags: Readonly<Record<string, string>> = {
  vouchers: 'Vouchers, gift cards and loyalty cards.',
  campaigns: 'Campaigns, and the generation of their codes.',
  promotions: 'Promotion tiers.',
  customers: 'Customers, and what they did.',
  events: 'What client systems report.',
  loyalties: 'Loyalty programmes: points, tiers and rewards.',
  rewards: 'What loyalty programmes give for points.',
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
