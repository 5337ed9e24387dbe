import * as v from 'valibot';
import { createCustomerBody, readCustomerData } from '#engine/customers/customer-body.ts';
import { findUpserted, type Upsert, writeUpsert } from '#engine/customers/upsert-customer.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { heldVouchers } from '#engine/vouchers/held-card.ts';
import { assignReferee, type Referee } from '#engine/vouchers/referee.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { described } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import { array, nullable, object, sentMetadata } from '#kernel/core/schema.ts';
import type { Writing } from '#kernel/http/context.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { check, commit, commitApart, type Effect } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { read } from '#kernel/table/read.ts';
import {
  holder,
  type NamedCode,
  presentHolder,
  type ReferralCode,
  type ReferralHolding,
  referralCodeOr404,
} from './holder.ts';
import { recordHolder } from './holder-activity.ts';

/** Limits the holders of one request. */
const maxHolders = 100;

/** A new customer with source id, holdings and activities is eight items. A transaction accepts 99. */
const atOnce = 12;

const identifiedCustomer = v.pipe(
  createCustomerBody,
  v.check(({ id, source_id }) => Boolean(id ?? source_id), 'must have an id or a source_id'),
);

export const assignHoldersBody = object({
  holders: described(
    v.pipe(
      array(described(identifiedCustomer, 'A customer.'), maxHolders, 'holders'),
      v.minLength(1, 'must have at least one element'),
    ),
    'The customers, by `id` or `source_id`. Each can be named once. The request creates or changes them.',
  ),
  metadata: described(nullable(sentMetadata), 'The metadata of each assignment.'),
});

export const assignedHolders = v.object({ holders: v.array(holder) });

type Body = v.InferOutput<typeof assignHoldersBody>;
type Sent = Body['holders'][number];

/** A holder in the body, with its place. */
interface Row {
  readonly sent: Sent;
  readonly index: number;
}

interface Found extends Row {
  readonly customer: Upsert;
}

function refused(key: 'duplicate_found' | 'holder_assignement_duplication', id: string, details: string): ServiceError {
  return new ServiceError(key, { details, resource: { id, type: 'customer' } });
}

async function findAll(context: Writing, rows: readonly Row[]): Promise<Found[]> {
  const all: Found[] = [];
  for (const { sent, index } of rows) {
    const { id, source_id, ...data } = sent;
    const named = { id, source_id, ...readCustomerData(data) };
    all.push({ sent, index, customer: await findUpserted(context, named, `holders[${index}].`) });
  }
  return all;
}

/** Refuses (409) a customer who is named twice, or is a holder already. */
async function checkAll({ table, project }: Writing, { item }: ReferralCode, all: readonly Found[]): Promise<void> {
  const seen = new Set<string>();
  for (const { customer, sent, index } of all) {
    const name = customer.before?.id ?? sent.source_id ?? customer.after.id;
    if (seen.has(name)) throw refused('duplicate_found', name, `holders[${index}] is there twice`);
    seen.add(name);
  }
  const ids = all.map(({ customer }) => customer.after.id);
  const held = ids.map((id) => heldVouchers(project.id, id, item.id));
  const { found } = await read(table, { found: held });
  for (const [index, id] of ids.entries())
    if (found[index] || id === item.holder_id) throw isHolder(id, all[index]?.index);
}

function isHolder(id: string, index: number | undefined): ServiceError {
  return refused('holder_assignement_duplication', id, `holders[${index}] is a holder of the voucher already`);
}

function checkPublished({ item }: ReferralCode): void {
  if (item.holder_id) return;
  throw new ServiceError('not_published', {
    details: 'the code has no referrer yet: it is to be published first',
    resource: { id: item.code, type: 'voucher' },
  });
}

function effectsOf(
  context: Writing,
  code: ReferralCode,
  { customer, index }: Found,
  one: ReferralHolding,
  occasion: Occasion,
): Effect[] {
  const { id: projectId } = context.project;
  const { item } = code;
  const { role: _, ...own } = one;
  const referee: Referee = {
    ...own,
    voucher_id: item.id,
    code: item.code,
    voucher_type: item.type,
    ...(item.campaign_id ? { campaign_id: item.campaign_id } : {}),
  };
  return [
    ...writeUpsert(context, customer, occasion),
    ...assignReferee(projectId, referee, () => isHolder(one.customer_id, index)),
    ...recordHolder(projectId, 'holderAssigned', one, code, occasion),
  ];
}

/** Commits. Returns `again` if another request was faster. Only the first transaction has the caller's idempotency key. */
async function attempt(
  context: Writing,
  named: NamedCode,
  rows: readonly Row[],
  { metadata, occasion }: { metadata: Body['metadata']; occasion: Occasion },
): Promise<ReturnType<typeof presentHolder>[] | Again> {
  const { table, project, now } = context;
  const code = await referralCodeOr404(context, named);
  checkPublished(code);
  const all = await findAll(context, rows);
  await checkAll(context, code, all);
  const holdings = all.map(
    ({ customer }): ReferralHolding => ({
      id: newTimedId('redeemable_holder', now),
      customer_id: customer.after.id,
      created_at: now.toISOString(),
      ...(metadata ? { metadata } : {}),
      role: 'REFEREE',
    }),
  );
  const asRead = check(vouchers(project.id, code.item.id), (update) =>
    update.whenThere().whenStill('holder_id', code.item.holder_id),
  );
  const effects = all.flatMap((one, index) => {
    const holding = holdings[index];
    return holding ? effectsOf(context, code, one, holding, occasion) : [];
  });
  const isFirst = rows[0]?.index === 0;
  const done = await (isFirst ? commit : commitApart)(table, [asRead, ...effects]).catch((error: unknown) => {
    throw explainItemSize(error, 'metadata would make a customer');
  });
  return done ? holdings.map((one) => presentHolder(one, code)) : again;
}

/**
 * Assigns a referral code to customers as referees. All are checked before the first is assigned, and twelve form one transaction. 400
 * `not_published` if the code has no referrer.
 */
export async function assignHolders(context: Writing, named: NamedCode, { holders, metadata }: Body) {
  const rows = holders.map((sent, index): Row => ({ sent, index }));
  if (rows.length > atOnce) {
    const code = await referralCodeOr404(context, named);
    checkPublished(code);
    await checkAll(context, code, await findAll(context, rows));
  }
  const assigned: ReturnType<typeof presentHolder>[] = [];
  const how = { metadata, occasion: readOccasion(context) };
  for (let first = 0; first < rows.length; first += atOnce) {
    const some = rows.slice(first, first + atOnce);
    assigned.push(...(await retryOptimistically(context.table, () => attempt(context, named, some, how))));
  }
  return { holders: assigned };
}
