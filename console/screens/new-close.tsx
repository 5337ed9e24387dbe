import { useState } from 'preact/hooks';
import { Ready } from '../components/bits.tsx';
import { api, dataOf } from '../core/api.ts';
import { startOfDay } from '../core/days.ts';
import { minorUnits } from '../core/format.ts';
import { readSales } from '../core/journal.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.closes;

/** Starts a close of a programme. Without an end, it closes all whole months that are over. */
export function NewClose({ close, campaignId }: { close: () => void; campaignId?: string }) {
  const [fault, setFault] = useState<string | undefined>();
  const programmes = useLoad('', () => dataOf(api.GET('/v1/loyalties', { params: { query: { limit: 100 } } })));
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    const get = (name: string) => String(entries.get(name) ?? '').trim();
    const sales = readSales(get('sales'), minorUnits);
    setFault(sales ? undefined : w.salesFault);
    if (!sales) return;
    const body = {
      campaign_id: get('programme'),
      ...(get('at') ? { at: startOfDay(get('at')) } : {}),
      ...(sales.length > 0 ? { sales } : {}),
      ...(get('opening') ? { opening_amount: minorUnits(get('opening')) } : {}),
    };
    let id = '';
    const isStarted = await attempt(w.started, async () => {
      ({ id } = await dataOf(api.POST('/v1/reports/closes', { body: body as never })));
    });
    if (!isStarted) return;
    close();
    go(`/closes?open=${id}`);
  };
  return (
    <Ready of={programmes}>
      {({ campaigns }) => (
        <form class="fields" onSubmit={send}>
          <label class="field">
            {w.programme}
            <select name="programme" required>
              {campaigns.map(({ id, name }) => (
                <option key={id} value={id} selected={id === campaignId}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            {w.end}
            <input name="at" type="date" />
            <small>{w.endHint}</small>
          </label>
          <label class="field">
            {w.sales}
            <textarea name="sales" rows={3} spellcheck={false} placeholder={w.salesSample} />
            <small>{w.salesHint}</small>
          </label>
          <label class="field">
            {w.openingAmount}
            <input name="opening" inputMode="decimal" autocomplete="off" />
            <small>{w.openingHint}</small>
          </label>
          {fault && (
            <p class="fault" role="alert">
              {fault}
            </p>
          )}
          <div class="actions">
            <button type="submit" class="main">
              {w.create}
            </button>
          </div>
        </form>
      )}
    </Ready>
  );
}
