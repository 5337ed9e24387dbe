import { type ClientScope, type FamilyScope, type PathScope, scopeNames, type TokenScope } from '../scopes.ts';

/** Built-in roles. Any other role is the id of a custom role. */
export const roleNames = ['ADMIN', 'USER', 'VIEWER', 'MERCHANT', 'USER_RESTRICTED'] as const;

type RoleName = (typeof roleNames)[number];

/** The role of owners. Requests cannot remove the last owner of a project. */
export const ownerRole: string = 'ADMIN' satisfies RoleName;

/** A right to the paths of a family: none, to read, or to read and write. */
export type Right = 'none' | 'read' | 'write';

/** A group of paths that a role opens together. `api` are server paths without a specific scope. */
export type RoleFamily = FamilyScope | 'api' | 'management';

interface Permissions {
  /** The right to each family that is not named. */
  readonly usual: Right;
  readonly families: Readonly<Partial<Record<RoleFamily, Right>>>;
}

/** Custom roles have no stored permissions, so they read like a VIEWER. */
const viewer: Permissions = { usual: 'read', families: {} };

const permissions: Readonly<Record<RoleName, Permissions>> = {
  ADMIN: { usual: 'write', families: {} },
  USER: { usual: 'write', families: { management: 'read', 'metadata-schemas': 'read', 'trash-bin': 'read' } },
  VIEWER: viewer,
  MERCHANT: {
    usual: 'none',
    families: {
      orders: 'write',
      qualifications: 'write',
      redemptions: 'write',
      validations: 'write',
      customers: 'read',
      locations: 'read',
      loyalties: 'read',
      products: 'read',
      promotions: 'read',
      SKUs: 'read',
      vouchers: 'read',
    },
  },
  USER_RESTRICTED: {
    usual: 'read',
    families: {
      customers: 'write',
      events: 'write',
      orders: 'write',
      publications: 'write',
      qualifications: 'write',
      redemptions: 'write',
      validations: 'write',
      vouchers: 'write',
      exports: 'none',
      management: 'none',
      'trash-bin': 'none',
    },
  },
};

/** Maps client paths, which do the same for pages, to the families of server paths. */
const familiesOfClients: Readonly<Record<ClientScope, RoleFamily>> = {
  client_api: 'api',
  client_consents: 'consents',
  client_customers: 'customers',
  client_events: 'events',
  client_promotions: 'promotions',
  client_publish: 'publications',
  client_qualifications: 'qualifications',
  client_redeem: 'redemptions',
  client_redemptions: 'redemptions',
  client_validate: 'validations',
  client_validations: 'validations',
  client_vouchers: 'vouchers',
};

function isClientScope(scope: TokenScope): scope is ClientScope {
  return Object.hasOwn(familiesOfClients, scope);
}

function familyOf(scope: TokenScope): RoleFamily {
  return isClientScope(scope) ? familiesOfClients[scope] : scope;
}

function isBuiltIn(role: string): role is RoleName {
  return Object.hasOwn(permissions, role);
}

/** Returns the right of a role to a family of paths. */
export function findRight(role: string, family: RoleFamily): Right {
  const { usual, families } = isBuiltIn(role) ? permissions[role] : viewer;
  return families[family] ?? usual;
}

/** Returns the family that decides what a role may do on a path with this scope. */
export function findRoleFamily(wanted: PathScope | 'management'): RoleFamily {
  return wanted === 'management' ? wanted : familyOf(wanted);
}

/** Returns the right that the operation needs. Its effect decides, not its method: a GET may write, and a POST may only read. */
export function findNeededRight({ access }: { readonly access: string }): 'read' | 'write' {
  return access === 'write' ? 'write' : 'read';
}

export function isRightEnough(right: Right, needed: 'read' | 'write'): boolean {
  return right === 'write' || right === needed;
}

/**
 * Narrows scopes to families that the role may at least read. A wide scope stays if the role may read all of its families. Otherwise the
 * families that the role may read replace it.
 */
export function narrowScopes(role: string, scopes: readonly TokenScope[]): TokenScope[] {
  const isOpen = (scope: TokenScope) => findRight(role, familyOf(scope)) !== 'none';
  const narrowed = scopes.flatMap((scope) => {
    if (scope !== 'api' && scope !== 'client_api') return isOpen(scope) ? [scope] : [];
    const all = scopeNames.filter((one) => isClientScope(one) === isClientScope(scope));
    return all.every(isOpen) ? [scope] : all.filter((one) => one !== scope && isOpen(one));
  });
  return [...new Set(narrowed)];
}
