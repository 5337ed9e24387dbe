import { untilAnswered } from '../conflicts.ts';
import { activityTypes, eventSourceOf } from '../customers/activity.ts';
import { describedAs, insertCustomer, isChanged, newCustomer, updateCustomer } from '../customers/change-customer.ts';
import type { CustomerItem } from '../customers/customer.ts';
import { findCustomerById, findCustomerBySource } from '../customers/find-customer.ts';
import { ownActivity } from '../customers/own-activities.ts';
import { notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { itemSizeTold } from '../item-size.ts';
import { cardEffect, type Known } from './card-earnings.ts';
import type { Context } from './context.ts';
import type { EventBody, EventRecord } from './event-body.ts';
import { checkMetadata, findEvent } from './event-schema.ts';
import { conversionOf } from './referral.ts';

interface Sender {
  /** As stored; `undefined`: the event makes the customer. */
  before: CustomerItem | undefined;
  after: CustomerItem;
}

/** Ruling F.1: an id must be known, and wins; a source id may be new. */
async function findSender(context: Context, { id, source_id, ...data }: EventBody['customer']): Promise<Sender> {
  const before = id ? await findCustomerById(context, id) : await findCustomerBySource(context, source_id ?? '');
  if (before) return { before, after: describedAs(before, data) };
  if (id) throw notFound('customer', id);
  return { before, after: newCustomer({ ...data, source_id }, context.now) };
}

function present(
  { event, metadata }: EventBody,
  { id, name, email, source_id, metadata: own }: CustomerItem,
): EventRecord {
  return {
    object: 'event',
    type: event,
    customer: {
      id,
      name: name ?? null,
      email: email ?? null,
      source_id: source_id ?? null,
      metadata: own,
      object: 'customer',
    },
    referral: null,
    loyalty: null,
    metadata: metadata ?? {},
  };
}

/**
 * Contract, endpoint 18; rulings F. The customer, the activities, the points and the conversion are one transaction. Errors:
 * `event_not_defined`, `metadata_validation_failed`, 404 for a customer, card or code that is not there.
 */
export async function sendEvent(context: Context, body: EventBody): Promise<EventRecord> {
  const { table, project, now, caller } = context;
  const { event, loyalty, referral } = body;
  const metadata = body.metadata ?? {};
  checkMetadata(await findEvent(table, project, event), metadata);
  const occasion = { now, groupId: newId('group'), source: eventSourceOf(caller) };

  const known: Known = {};
  return untilAnswered(table, async () => {
    const { before, after } = await findSender(context, body.customer);
    const customerId = after.id;
    const tell = (type: string, data: Record<string, unknown>) =>
      ownActivity(project, customerId, occasion, { type, data });
    const activities = [
      ...(before ? [] : [tell(activityTypes.created, {})]),
      ...(before && isChanged(before, after) ? [tell(activityTypes.updated, {})] : []),
      tell(activityTypes.customEvent, {
        event: { type: event, metadata, object: 'event' },
        ...(loyalty ? { loyalty } : {}),
        ...(referral ? { referral } : {}),
      }),
    ];
    const effect = loyalty
      ? await cardEffect(context, { code: loyalty.code, event, metadata, customerId }, occasion, known)
      : { writes: [], toldToCustomer: 0 };
    if (!effect) return undefined;
    const conversion = referral ? await conversionOf(context, referral, after, occasion) : undefined;
    const count = activities.length + effect.toldToCustomer;
    const writes = [
      ...(before
        ? [updateCustomer(project, { before, after, referral: conversion?.referral, activities: count }, now)]
        : insertCustomer(project, { ...after, referred_in: conversion ? [conversion.referral] : [] }, count)),
      ...activities,
      ...effect.writes,
      ...(conversion?.writes ?? []),
    ];
    const outcome = await table.commit(writes).catch((error: unknown) => {
      throw itemSizeTold(error, 'metadata would make the customer');
    });
    return outcome.done ? present(body, after) : undefined;
  });
}
