import { useState } from 'preact/hooks';
import type { BodyOf } from '../core/api.ts';
import { count, minorUnits, money, ofMajor, plainMoney } from '../core/format.ts';
import { words } from '../words.ts';
import { type Entered, Field } from './field.tsx';

const w = words.earning;

const sampleAmount = () => ofMajor(100);

export type EarningRule = BodyOf<'create-earning-rules'>[number];

const readNumber = (text: string) => Math.max(0, Math.round(Number(text) || 0));

/** Builds an earning rule from the fields of a form. */
export function earningOf(get: Entered): EarningRule {
  const points = readNumber(get('earned'));
  const kind = get('earning');
  if (kind === 'amount') {
    const every = minorUnits(get('every'));
    const order = { amount: { every, points } };
    return {
      event: 'order.paid',
      loyalty: { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', order },
    };
  }
  const event = kind === 'order' ? 'order.paid' : get('event');
  return { event, loyalty: { type: 'FIXED', points } };
}

/** Returns the points for a sample order, while the user types. */
export function writeSample(get: Entered): string {
  const points = readNumber(get('earned'));
  const kind = get('earning');
  if (kind === 'event') return w.sampleEvent(count(points));
  if (kind === 'order') return w.sample(money(sampleAmount()), count(points));
  const every = minorUnits(get('every'));
  return every > 0 ? w.sample(money(sampleAmount()), count(Math.floor(sampleAmount() / every) * points)) : '';
}

/** Shows the fields that define how members earn points. */
export function EarningFields() {
  const [kind, setKind] = useState('amount');
  return (
    <>
      <Field name="earning" label={w.kind} choices={Object.entries(w.kinds)} value={kind} change={setKind} />
      {kind === 'amount' && <Field name="every" label={w.every} type="amount" initial={plainMoney(ofMajor(1))} />}
      {kind === 'event' && <Field name="event" label={w.event} hint={w.eventHint} />}
      <Field name="earned" label={w.points} type="count" initial="1" />
    </>
  );
}
