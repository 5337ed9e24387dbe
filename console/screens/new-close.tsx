import { useState } from 'preact/hooks';
import { Ready } from '../components/bits.tsx';
import { type Entered, EntryForm, Field, listChoices } from '../components/field.tsx';
import { api, type BodyOf, dataOf } from '../core/api.ts';
import { units } from '../core/currency.ts';
import { startOfDay } from '../core/days.ts';
import { minorUnits, ofMajor, plainMoney } from '../core/format.ts';
import { readSales } from '../core/journal.ts';
import { useLoad } from '../core/load.ts';
import { listMonths } from '../core/month-choice.ts';
import { attempt } from '../core/notice.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.closes;

const otherDay = 'day';
const months = 12;

const salesSample = () => w.salesSample(plainMoney(ofMajor(120_000)));

/** Starts a close of a programme. Without an end, it closes all whole months that are over. */
export function NewClose({ close, campaignId }: { close: () => void; campaignId?: string }) {
  const [fault, setFault] = useState<string | undefined>();
  const loaded = useLoad('', () => dataOf(api.GET('/v1/loyalties', { params: { query: { limit: 100 } } })));
  const timezone = units.value?.timezone;
  const [until, setUntil] = useState('');
  // The month that is not over has no end yet.
  const known = listMonths(Date.now(), timezone ?? 'UTC', months + 1).slice(1);
  const send = async (get: Entered) => {
    const sales = readSales(get('sales'), minorUnits);
    setFault(sales ? undefined : w.salesFault(salesSample()));
    if (!sales) return;
    const end = until === otherDay ? get('at') : until;
    const body: BodyOf<'create-close'> = {
      campaign_id: get('programme'),
      at: end ? startOfDay(end, timezone ?? 'UTC').toISOString() : undefined,
      sales: sales.length > 0 ? [...sales] : undefined,
      opening_amount: get('opening') ? minorUnits(get('opening')) : undefined,
    };
    let id = '';
    const isStarted = await attempt(w.started, async () => {
      ({ id } = await dataOf(api.POST('/v1/reports/closes', { body })));
    });
    if (!isStarted) return;
    close();
    go(`/closes?open=${id}`);
  };
  return (
    <Ready of={loaded}>
      {({ campaigns }) => (
        <EntryForm submit={w.create} send={send} fault={fault}>
          <Field name="programme" label={w.programme} choices={listChoices(campaigns)} initial={campaignId} />
          <Field
            name="month"
            label={w.end}
            isOptional
            choices={[['', w.allMonths], ...known.map(({ name, end }) => [end, name] as const), [otherDay, w.otherDay]]}
            value={until}
            change={setUntil}
            hint={`${timezone ? w.ofZone(timezone) : w.ofUtc} ${w.endHint}`}
          />
          {until === otherDay && <Field name="at" label={w.day} type="date" />}
          <Field
            name="sales"
            label={w.sales}
            lines={3}
            hint={w.salesHint(salesSample())}
            placeholder={salesSample()}
            isOptional
          />
          <Field name="opening" label={w.openingAmount} pattern="[0-9.,]+" hint={w.openingHint} isOptional />
        </EntryForm>
      )}
    </Ready>
  );
}
