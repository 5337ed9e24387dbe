import { useState } from 'preact/hooks';
import { count, minorUnits, money } from '../core/format.ts';
import { words } from '../words.ts';

const w = words.earning;

const sampleAmount = 10_000;

const readNumber = (entries: FormData, name: string) => Math.max(0, Math.round(Number(entries.get(name)) || 0));

/** Builds an earning rule from the fields of a form. */
export function earningOf(entries: FormData): Record<string, unknown> {
  const points = readNumber(entries, 'earned');
  const kind = String(entries.get('earning'));
  if (kind === 'amount') {
    const every = minorUnits(String(entries.get('every') ?? ''));
    const order = { amount: { every, points } };
    return {
      event: 'order.paid',
      loyalty: { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', order },
    };
  }
  const event = kind === 'order' ? 'order.paid' : String(entries.get('event') ?? '').trim();
  return { event, loyalty: { type: 'FIXED', points } };
}

/** Says what a sample order earns, while a person types. */
export function writeSample(entries: FormData): string {
  const points = readNumber(entries, 'earned');
  const kind = String(entries.get('earning'));
  if (kind === 'event') return w.sampleEvent(count(points));
  if (kind === 'order') return w.sample(money(sampleAmount), count(points));
  const every = minorUnits(String(entries.get('every') ?? ''));
  return every > 0 ? w.sample(money(sampleAmount), count(Math.floor(sampleAmount / every) * points)) : '';
}

/** Asks for what members earn points. */
export function EarningFields() {
  const [kind, setKind] = useState('amount');
  return (
    <>
      <label class="field">
        {w.kind}
        <select name="earning" value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
          {Object.entries(w.kinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {kind === 'amount' && (
        <label class="field">
          {w.every}
          <input
            name="every"
            inputMode="decimal"
            required
            pattern="[0-9]*[.,]?[0-9]+"
            autocomplete="off"
            defaultValue="1.00"
          />
          <small>{words.inMajorUnits}</small>
        </label>
      )}
      {kind === 'event' && (
        <label class="field">
          {w.event}
          <input name="event" required autocomplete="off" />
          <small>{w.eventHint}</small>
        </label>
      )}
      <label class="field">
        {w.points}
        <input name="earned" type="number" min={1} required defaultValue="1" />
      </label>
    </>
  );
}
