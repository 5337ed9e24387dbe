/** Contract, endpoint 1: every scope that a token can be asked for. */
export const scopeNames = [
  'api',
  'assets',
  'async-actions',
  'campaigns',
  'categories',
  'client_api',
  'client_consents',
  'client_customers',
  'client_events',
  'client_promotions',
  'client_publish',
  'client_qualifications',
  'client_redeem',
  'client_redemptions',
  'client_validate',
  'client_validations',
  'client_vouchers',
  'consents',
  'customers',
  'events',
  'exports',
  'locations',
  'loyalties',
  'metadata-schemas',
  'orders',
  'product-collections',
  'products',
  'promotions',
  'publications',
  'qualifications',
  'redemptions',
  'referrals',
  'rewards',
  'segments',
  'SKUs',
  'task-results',
  'templates',
  'trash-bin',
  'validation-rules-assignments',
  'validation-rules',
  'validations',
  'vouchers',
] as const;

export type Scope = (typeof scopeNames)[number];

/** The families of server paths, by the scope that opens them (ruling B.2). */
export type FamilyScope = Extract<
  Scope,
  'campaigns' | 'vouchers' | 'promotions' | 'loyalties' | 'customers' | 'events'
>;

function isScope(name: string): name is Scope {
  return scopeNames.some((known) => known === name);
}

/** `api` opens every server path, a family's scope its own; `client_*` scopes and the others open none. */
export function opens(granted: readonly Scope[], family: FamilyScope): boolean {
  return granted.includes('api') || granted.includes(family);
}

/** Of scopes that are none. */
const maxTold = 10;

export type ParsedScopes = { scopes: Scope[] } | { fault: string };

/** RFC 6749 §3.3: names parted by single spaces. Keeps the order asked, without repeats. */
export function parseScopes(text: string): ParsedScopes {
  if (text === '') return { fault: 'scope must name at least one scope' };
  if (text.includes(',')) return { fault: 'scope must part its names by single spaces, not by ","' };
  const names = text.split(' ');
  if (names.includes(''))
    return { fault: 'scope must part its names by single spaces, with none before, after or doubled' };
  const unknown = [...new Set(names.filter((name) => !isScope(name)))];
  if (unknown.length > 0) {
    const told = unknown.slice(0, maxTold).map((name) => JSON.stringify(name.slice(0, 100)));
    const left = unknown.length - told.length;
    return {
      fault: `scope has ${told.join(', ')}${left > 0 ? ` and ${left} more` : ''}, which is no scope`,
    };
  }
  return { scopes: [...new Set(names.filter(isScope))] };
}
