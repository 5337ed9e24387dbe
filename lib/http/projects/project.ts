import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { dateTime } from '../../core/schema.ts';
import { projectKind, sharedList } from '../../table/kind.ts';
import type { Table } from '../../table/table.ts';

export const projectId = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 letters, digits, "_" or "-"'),
);

export const features = v.object({ areas_and_stores: v.optional(v.boolean()) });

/** How codes are drawn whose form says no charset. */
export const codeSettings = v.object({
  /** Draws none of 0, O, 1, l and I. */
  avoid_look_alikes: v.optional(v.boolean(), false),
});

export type CodeSettings = v.InferOutput<typeof codeSettings>;

/** What a project may keep for some months only. */
export const retainedNames = ['redemptions', 'orders', 'publications', 'activities'] as const;

export type Retained = (typeof retainedNames)[number];

/** A redemption can be rolled back for three months. */
const leastMonths = 3;
const mostMonths = 1_200;

const months = v.optional(
  v.pipe(
    v.number(),
    v.integer('must be a whole number of months'),
    v.minValue(leastMonths, `must be at least ${leastMonths} months`),
    v.maxValue(mostMonths, `must be at most ${mostMonths} months`),
  ),
);

/** For how many months records are kept; those without a number are kept for ever. */
export const retention = v.object({
  redemptions: months,
  orders: months,
  publications: months,
  activities: months,
}) satisfies v.GenericSchema<{ [N in Retained]?: number | undefined }>;

export type Retention = v.InferOutput<typeof retention>;

const maxClientMetadata = 100;

/** Keys of metadata that replies to pages show: none unless the project lists them, for anybody can call as a page does. */
export const clientMetadata = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
  v.maxLength(maxClientMetadata, `must have at most ${maxClientMetadata} entries`),
);

/**
 * Says what pages may do by client keys. Anybody can read such a key, so what changes or tells something is off unless the project
 * switches it on. See docs/interface.md#pages.
 */
export const clientSwitches = v.object({
  /** Lists promotion tiers. */
  listing: v.optional(v.boolean(), true),
  /** Sends custom events. */
  events: v.optional(v.boolean(), false),
  /** Counts referral conversions by custom events. */
  referrals: v.optional(v.boolean(), false),
  /** Publishes vouchers of campaigns with `client_publication`. */
  publication: v.optional(v.boolean(), false),
  /** Redeems. */
  redemption: v.optional(v.boolean(), false),
  /** Creates customers, also with a redemption, a publication or an event. */
  customers: v.optional(v.boolean(), false),
  /** Stores `metadata` of the customers that it creates. */
  customer_metadata: v.optional(v.boolean(), false),
  /** Asks for the codes that a customer holds. */
  wallet: v.optional(v.boolean(), false),
});

export type ClientSwitches = v.InferOutput<typeof clientSwitches>;
export type ClientSwitch = keyof ClientSwitches;

/** As stored. `secret` is 256 random bits in base64url; it is made at the project's first load and never changes. */
export const projectItem = v.object({
  id: projectId,
  name: v.string(),
  features: v.optional(features, {}),
  client: v.optional(clientSwitches, {}),
  client_metadata: v.optional(clientMetadata, []),
  codes: v.optional(codeSettings, {}),
  retention: v.optional(retention, {}),
  secret: v.string(),
  created_at: dateTime,
});

export const projectsById = projectKind('PROJECT', projectItem);

/** What the list of projects has of each. */
export const listedProject = v.object({ project_id: projectId });

/** Every project that was ever loaded. */
export const listedProjects = sharedList('PROJECTS', 'PROJECT');

/** A project as the use cases see it: the secret stays behind, in keys made from it for one purpose each. */
export interface Project {
  id: string;
  name: string;
  features: v.InferOutput<typeof features>;
  client: ClientSwitches;
  /** Keys of metadata that replies to pages show. */
  clientMetadata: readonly string[];
  codes: CodeSettings;
  retention: Retention;
  /** Derives voucher ids from codes. */
  voucherIdKey: KeyObject;
  /** Encrypts the ids of assets (AES-256). */
  assetKey: KeyObject;
  /** Makes the nonce of an asset's id. */
  assetNonceKey: KeyObject;
  /** Makes the keys that order the codes of its campaigns. */
  codeKey: KeyObject;
  /** Makes tracking ids of source ids. */
  trackingKey: KeyObject;
  /** Makes the keys under which idempotent replies are sealed. */
  replyKey: KeyObject;
}

/** RFC 5869: one independent key for each purpose; as an object, for of bytes each hash makes one, which takes longer than the hash. */
function purposeKey(secret: string, purpose: string): KeyObject {
  const bytes = hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', `tessera ${purpose}`, 32);
  return createSecretKey(Buffer.from(bytes));
}

/** Each is made when it is first asked for: most requests need one of them or none. */
function purposeKeys(secret: string): (purpose: string) => KeyObject {
  const made = new Map<string, KeyObject>();
  return (purpose) => {
    const key = made.get(purpose) ?? purposeKey(secret, purpose);
    made.set(purpose, key);
    return key;
  };
}

type Optional = 'client' | 'client_metadata' | 'codes' | 'retention';
type ProjectItem = Omit<v.InferOutput<typeof projectItem>, Optional> & {
  client?: ClientSwitches | undefined;
  client_metadata?: readonly string[] | undefined;
  codes?: CodeSettings | undefined;
  retention?: Retention | undefined;
};

export function toProject(item: ProjectItem): Project {
  const { id, name, features, client, client_metadata = [], codes, retention = {}, secret } = item;
  const key = purposeKeys(secret);
  return {
    id,
    name,
    features,
    client: client ?? v.parse(clientSwitches, {}),
    clientMetadata: client_metadata,
    codes: codes ?? v.parse(codeSettings, {}),
    retention,
    get voucherIdKey() {
      return key('voucher id');
    },
    get assetKey() {
      return key('asset id');
    },
    get assetNonceKey() {
      return key('asset nonce');
    },
    get codeKey() {
      return key('code order');
    },
    get trackingKey() {
      return key('tracking id');
    },
    get replyKey() {
      return key('idempotent reply');
    },
  };
}

export async function findProject(table: Table, id: string): Promise<Project | undefined> {
  const item = await table.get(projectsById(id), projectItem);
  return item && toProject(item);
}
