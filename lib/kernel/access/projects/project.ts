import type { KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { usualWeekStart, type Weekday, weekday } from '#kernel/core/local-time.ts';
import { compileSchemas, type FindSchema } from '#kernel/core/metadata/check.ts';
import { type MetadataSchemas, metadataSchemas } from '#kernel/core/metadata/definition.ts';
import { dateTime } from '#kernel/core/schema.ts';
import { projectKind, sharedList } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import type { Table } from '#kernel/table/table.ts';
import { type ClientSwitches, clientMetadata, clientSwitches } from './client-switches.ts';
import { defaultDecimals } from './currency.ts';
import {
  type CodeSettings,
  codeSettings,
  type DefaultCodeConfig,
  defaultCodeConfigItem,
} from './default-code-config.ts';
import { deriveBytes, purposeKeys } from './purpose-keys.ts';

export const projectId = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must have 1 to 64 letters, digits, "_" or "-"'),
);

export const features = v.object({ areas_and_stores: v.optional(v.boolean()) });

/** Records that a project may keep for a number of months. */
export const retainedNames = ['redemptions', 'orders', 'publications', 'activities'] as const;
export type Retained = (typeof retainedNames)[number];

/** A redemption can be rolled back for three months. */
const [leastMonths, mostMonths] = [3, 1_200];

const months = v.optional(
  v.pipe(
    v.number(),
    v.integer('must be a whole number of months'),
    v.minValue(leastMonths, `must be at least ${leastMonths} months`),
    v.maxValue(mostMonths, `must be at most ${mostMonths} months`),
  ),
);

/** The months for which records are kept. Records without a number are never removed. */
export const retention = v.object({
  redemptions: months,
  orders: months,
  publications: months,
  activities: months,
}) satisfies v.GenericSchema<{ [N in Retained]?: number | undefined }>;

type Retention = v.InferOutput<typeof retention>;

/** Limits the till's calls a second, of all callers of a project together. See docs/requests.md#till-rate. */
export const tillRate = v.pipe(
  v.number(),
  v.integer('must be a whole number of calls a second'),
  v.minValue(1, 'must be at least 1 call a second'),
  v.maxValue(100_000, 'must be at most 100000 calls a second'),
);

/** A stored project. `secret` is 256 random bits in base64url. The first load makes it, and it never changes. */
export const projectItem = v.object({
  id: projectId,
  name: v.string(),
  features: v.optional(features, {}),
  client: v.optional(clientSwitches, {}),
  client_metadata: v.optional(clientMetadata, []),
  codes: v.optional(codeSettings, {}),
  retention: v.optional(retention, {}),
  till_rate: v.optional(tillRate),
  /** Codes that differ only in case are the same code. Older projects have no value, and distinguish such codes. */
  case_sensitive_codes: v.optional(v.boolean(), true),
  /** The name of a time zone (IANA), in which days and hours of rules and points are counted. */
  timezone: v.optional(v.string(), 'UTC'),
  week_starts_on: v.optional(weekday, usualWeekStart),
  /** The currency (ISO 4217) of all amounts. Older projects have no currency. */
  currency: v.optional(v.string()),
  /** Pages that may use every client key of the project, besides the origins of each key. */
  client_trusted_domains: v.optional(v.array(v.string()), []),
  default_code_config: v.optional(defaultCodeConfigItem, {}),
  export_bom: v.optional(v.boolean(), false),
  /** CANCELED returns the order. Older projects have no value, and only store the status. */
  orders_carry_effects: v.optional(v.boolean(), false),
  currency_decimals: v.optional(v.number(), defaultDecimals),
  secret: v.string(),
  created_at: dateTime,
});

export const projectsById = projectKind(kinds.project, projectItem);

/**
 * Stores the schemas of a project in a single item, because no function may write the item of the project itself, which
 * has a secret.
 */
export const metadataSchemasItem = v.object({ schemas: metadataSchemas });

/** Requests read the schemas with the project, so that they need no separate round trip. */
export const metadataSchemasOf = projectKind(kinds.metadataSchemas, metadataSchemasItem);

/** The entry of a project in the list of projects. */
export const listedProject = v.object({ project_id: projectId });

/** Lists every project that was ever loaded. */
export const listedProjects = sharedList(kinds.projects, kinds.project);

/** A project for use cases. Its secret stays hidden: callers get keys, each for a single purpose. */
export interface Project {
  id: string;
  name: string;
  features: v.InferOutput<typeof features>;
  client: ClientSwitches;
  /** Metadata keys that replies to browsers show. */
  clientMetadata: readonly string[];
  codes: CodeSettings;
  retention: Retention;
  /** Calls of the till a second, of all callers together. Without it they are not counted. */
  tillRate: number | undefined;
  caseSensitiveCodes: boolean;
  timezone: string;
  /** The first day of each week of limits. */
  weekStartsOn: Weekday;
  /** The decimals of its currency, in files, formulas and rates of exchange. */
  decimals: number;
  /** Files of exports begin with a byte order mark. */
  exportBom: boolean;
  /** A canceled order is returned, with its redemptions and points. */
  ordersCarryEffects: boolean;
  currency: string | undefined;
  trustedDomains: readonly string[];
  defaultCodeConfig: DefaultCodeConfig;
  /** Finds metadata schemas, compiled once for each read of the project. */
  schemas: FindSchema;
  /** Derives voucher ids from codes. */
  voucherIdKey: KeyObject;
  /** Encrypts the ids of assets (AES-256). */
  assetKey: KeyObject;
  /** Makes the nonce of an asset's id. */
  assetNonceKey: KeyObject;
  /** Makes the keys that order the codes of campaigns. */
  codeKey: KeyObject;
  /** Makes tracking ids of source ids. */
  trackingKey: KeyObject;
  /** Makes the hashes by which limits count persons. */
  personKey: KeyObject;
  /** Makes the keys under which idempotent replies are sealed. */
  replyKey: KeyObject;
  /** Makes the keys under which headers of webhooks are sealed. */
  webhookHeadersKey: KeyObject;
  /** Proves to a receiver of webhooks that this project sends them. */
  webhookToken: string;
}

type Stored = v.InferOutput<typeof projectItem>;
type Settings =
  | 'case_sensitive_codes'
  | 'timezone'
  | 'week_starts_on'
  | 'currency'
  | 'client_trusted_domains'
  | 'default_code_config'
  | 'export_bom'
  | 'orders_carry_effects'
  | 'currency_decimals';
type Optional = 'client' | 'client_metadata' | 'codes' | 'retention' | 'till_rate' | Settings;
type ProjectItem = Omit<Stored, Optional> & {
  [N in Settings]?: Stored[N] | undefined;
} & {
  client?: ClientSwitches | undefined;
  client_metadata?: readonly string[] | undefined;
  codes?: CodeSettings | undefined;
  retention?: Retention | undefined;
  till_rate?: number | undefined;
};

export function toProject(item: ProjectItem, metadata_schemas?: MetadataSchemas): Project {
  const { id, name, features, client, client_metadata = [], codes, retention = {}, till_rate, secret } = item;
  const key = purposeKeys(secret);
  return {
    id,
    name,
    features,
    client: client ?? v.parse(clientSwitches, {}),
    clientMetadata: client_metadata,
    codes: codes ?? v.parse(codeSettings, {}),
    retention,
    tillRate: till_rate,
    caseSensitiveCodes: item.case_sensitive_codes ?? true,
    timezone: item.timezone ?? 'UTC',
    weekStartsOn: item.week_starts_on ?? usualWeekStart,
    decimals: item.currency_decimals ?? defaultDecimals,
    exportBom: item.export_bom ?? false,
    ordersCarryEffects: item.orders_carry_effects ?? false,
    currency: item.currency,
    trustedDomains: item.client_trusted_domains ?? [],
    defaultCodeConfig: item.default_code_config ?? {},
    schemas: compileSchemas(metadata_schemas),
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
    get personKey() {
      return key('person');
    },
    get replyKey() {
      return key('idempotent reply');
    },
    get webhookHeadersKey() {
      return key('webhook headers');
    },
    get webhookToken() {
      return deriveBytes(secret, 'webhook token').toString('base64url');
    },
  };
}

export async function findProject(table: Table, id: string): Promise<Project | undefined> {
  const { item, beside } = await read(table, { item: projectsById(id), beside: metadataSchemasOf(id) });
  return item && toProject(item, beside?.schemas);
}

/** Returns whether the project was deleted. Its tombstone stays for ever, so that its id is never used again. */
export async function isProjectDeleted(table: Table, id: string): Promise<boolean> {
  const [item] = await table.getMany([projectsById(id)], { deletedToo: true });
  return item?.deleted_at !== undefined;
}
