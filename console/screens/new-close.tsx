import { useState } from 'preact/hooks';
import { Ready } from '../components/bits.tsx';
import { type Entered, EntryForm, Field, listChoices } from '../components/field.tsx';
import { api, type BodyOf, dataOf } from '../core/api.ts';
import { units } from '../core/currency.ts';
import { startOfDay } from '../core/days.ts';
import { minorUnits, ofMajor, plainMoney } from '../core/format.ts';
import { readSales } from '../core/journal.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.closes;

const salesSample = () => w.salesSample(plainMoney(ofMajor(120_000)));

/** Starts a close of a programme. Without an end, it closes all whole months that are over. */
export function NewClose({ close, campaignId }: { close: () => void; campaignId?: string }) {
  const [fault, setFault] = useState<string | undefined>();
  const loaded = useLoad('', () => dataOf(api.GET('/v1/loyalties', { params: { query: { limit: 100 } } })));
  const timezone = units.value?.timezone;
  const send = async (get: Entered) => {
    const sales = readSales(get('sales'), minorUnits);
    setFault(sales ? undefined : w.salesFault(salesSample()));
    if (!sales) return;
    const body: BodyOf<'create-close'> = {
      campaign_id: get('programme'),
      at: get('at') ? startOfDay(get('at'), timezone ?? 'UTC').toISOString() : undefined,
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
            name="at"
            label={w.end}
            type="date"
            hint={`${timezone ? w.ofZone(timezone) : w.ofUtc} ${w.endHint}`}
            isOptional
          />
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
