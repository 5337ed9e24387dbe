import { isRecord } from '#kernel/core/is-record.ts';
import { askAgain, nameAsked } from './ask-redeemers.ts';
import { differencesOf } from './differences.ts';
import { fetchExport } from './exports.ts';
import { pagesFrom } from './pages.ts';
import { chooseRedeemers, chooseSamples, type Redeemer } from './samples.ts';
import { type Source, SourceRefusal } from './source.ts';
import type { Progress } from './state.ts';
import { sumsOf } from './sums.ts';

/** Compares a project at its source with the copy here. */

export interface Side {
  readonly service: Source;
  readonly progress: Progress;
}

export interface Found {
  readonly place: string;
  readonly source: unknown;
  readonly here: unknown;
  readonly cause: string;
}

export interface Checked {
  readonly sums: number;
  readonly samples: number;
  /** Counts the customers that were checked on both sides. */
  readonly asked: number;
  readonly found: readonly Found[];
}

const exportsOf = {
  vouchers: {
    object: 'voucher',
    fields: ['code', 'voucher_type', 'campaign', 'redemption_count', 'gift_balance', 'loyalty_balance'],
  },
  customers: { object: 'customer', fields: ['id'] },
  redemptions: {
    object: 'redemption',
    fields: ['id', 'object', 'voucher_code', 'promotion_tier_id', 'customer_id', 'date', 'result', 'order_amount'],
  },
  expirations: {
    object: 'points_expiration',
    fields: ['id', 'campaign_id', 'voucher_id', 'status', 'expires_at', 'points'],
  },
} as const;

async function namesOfCampaigns(service: Source): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { rows } of pagesFrom(service, '/v1/campaigns?order=created_at')) {
    for (const { id, name } of rows) names.set(String(id), String(name));
  }
  return names;
}

async function fetchAll({ service, progress }: Side): Promise<void> {
  for (const [name, wanted] of Object.entries(exportsOf)) {
    if (!progress.step(`${name}.csv`).done) await fetchExport(service, progress, `${name}.csv`, wanted);
  }
}

const sumsOfSide = async ({ service, progress }: Side) =>
  sumsOf(progress.path('vouchers.csv'), progress.path('expirations.csv'), await namesOfCampaigns(service));

/** Fields that differ in every copy. */
const ignoring = {
  names: new Set(['assets', 'object', 'url', 'cockpit_url', 'publish']),
  paths: new Set(['id', 'validation_rules_assignments', 'categories', 'system_metadata']),
};

/** The causes of differences by field. The first match gives the cause. */
const causes: readonly (readonly [field: RegExp, cause: string])[] = [
  [/loyalty_tier|standing/, 'tiers of members are not copied: the balance decides until the programme computes them'],
  [/^(refunded_amount|returned_)/, 'returns of orders are not copied'],
  [/^referrer_id$/, 'exports do not tell the referrer of a code without a holder'],
  [/^updated_at$/, 'the copy keeps the time of the change at the source'],
];

const timeOf = (value: unknown) => (isRecord(value) ? String(value.updated_at ?? '') : '');

function causeOf(field: string, source: unknown, here: unknown): string {
  if (source === undefined) return 'the source does not have it, and it stays here until you delete it';
  if (here === undefined)
    return 'it was made at the source after the copy, or was left out: see the report of the copy';
  if (timeOf(source) > timeOf(here)) return 'it was changed at the source after the copy: run the migration again';
  if (timeOf(source) < timeOf(here)) return 'it was changed here after the copy';
  return causes.find(([pattern]) => pattern.test(field))?.[1] ?? 'it was copied differently';
}

async function readOne(service: Source, path: string): Promise<unknown> {
  try {
    return await service.get(path);
  } catch (error) {
    if (error instanceof SourceRefusal && error.status === 404) return undefined;
    throw error;
  }
}

async function compareOne(source: Side, here: Side, path: string): Promise<Found[]> {
  const [one, other] = await Promise.all([readOne(source.service, path), readOne(here.service, path)]);
  if (one === undefined || other === undefined) {
    if (one === other) return [];
    return [{ place: path, source: one && 'there', here: other && 'there', cause: causeOf('', one, other) }];
  }
  return [...differencesOf(one, other, ignoring)].map((difference) => ({
    place: `${path} ${difference.field}`,
    source: difference.one,
    here: difference.other,
    cause: causeOf(difference.field, one, other),
  }));
}

/** Asks both sides whether the customer may redeem once more. */
async function compareAnswers(source: Side, here: Side, redeemer: Redeemer): Promise<Found[]> {
  const [one, other] = await Promise.all([askAgain(source.service, redeemer), askAgain(here.service, redeemer)]);
  if (one === other) return [];
  const place = `${redeemer.customer} redeems ${nameAsked(redeemer)} again`;
  return [{ place, source: one, here: other, cause: 'a limit or a state differs: run the migration again' }];
}

/** Compares sums per campaign, samples by field, and answers to customers who have redeemed. */
export async function check(source: Side, here: Side, samples: number): Promise<Checked> {
  for (const side of [source, here]) await fetchAll(side);
  const [sums, sumsHere] = [await sumsOfSide(source), await sumsOfSide(here)];
  const names = [...new Set([...sums.keys(), ...sumsHere.keys()])].sort();
  const found: Found[] = names
    .map((name) => ({ place: name, source: sums.get(name) ?? 0, here: sumsHere.get(name) ?? 0 }))
    .filter((one) => one.source !== one.here)
    .map((one) => ({
      ...one,
      cause: 'the sum differs: the samples may tell why, and another run of the migration may end it',
    }));
  const { progress } = source;
  const chosen = await chooseSamples(progress.path('vouchers.csv'), progress.path('customers.csv'), samples);
  const paths = [
    ...[...chosen.cards, ...chosen.codes].map((code) => `/v1/vouchers/${encodeURIComponent(code)}`),
    ...chosen.customers.map((id) => `/v1/customers/${encodeURIComponent(id)}`),
  ];
  for (const path of paths) found.push(...(await compareOne(source, here, path)));
  const redeemers = await chooseRedeemers(progress.path('redemptions.csv'), samples);
  for (const redeemer of redeemers) found.push(...(await compareAnswers(source, here, redeemer)));
  for (const side of [source, here]) await side.progress.end();
  return { sums: names.length, samples: paths.length, asked: redeemers.length, found };
}
