/** All scopes that a caller can request for a token. */
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
  'reports',
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

export type TokenScope = (typeof scopeNames)[number];

/** Scopes that open a family of server paths. */
export type FamilyScope = Exclude<TokenScope, 'api' | ClientScope>;

/** Scopes that open client paths, which browsers call. */
export type ClientScope = Extract<TokenScope, `client_${string}`>;

/** A scope that a path requires. */
export type PathScope = FamilyScope | ClientScope | 'api';

function isScope(name: string): name is TokenScope {
  return scopeNames.some((known) => known === name);
}

/**
 * Returns the widest scope that opens a path. `api` opens every server path, and `client_api` every client path. Neither opens one of the
 * other's.
 */
export function findWidestScope(wanted: PathScope): 'api' | 'client_api' {
  return wanted.startsWith('client_') ? 'client_api' : 'api';
}

export function isScopeGranted(granted: readonly TokenScope[], wanted: PathScope): boolean {
  return granted.includes(findWidestScope(wanted)) || granted.includes(wanted);
}

/** Limits the unknown scopes that an error names. */
const maxNamed = 10;

export type ParsedScopes = { scopes: TokenScope[] } | { fault: string };

/** Parses names that are separated by single spaces (RFC 6749 §3.3). Keeps their order, and drops repeats. */
export function parseScopes(text: string): ParsedScopes {
  if (text === '') return { fault: 'scope must name at least one scope' };
  if (text.includes(',')) return { fault: 'scope must separate its names by single spaces, not by ","' };
  const names = text.split(' ');
  if (names.includes(''))
    return { fault: 'scope must separate its names by single spaces, with none before, after or doubled' };
  const unknown = [...new Set(names.filter((name) => !isScope(name)))];
  if (unknown.length > 0) {
    const named = unknown.slice(0, maxNamed).map((name) => JSON.stringify(name.slice(0, 100)));
    const left = unknown.length - named.length;
    return {
      fault: `scope has ${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}, which is no scope`,
    };
  }
  return { scopes: [...new Set(names.filter(isScope))] };
}
