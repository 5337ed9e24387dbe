import { DialogButton } from '../components/dialog.tsx';
import { api, dataOf } from '../core/api.ts';
import { dayOf } from '../core/days.ts';
import { minorUnits } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

const w = words.liability;

function estimateOf(campaignId: string, entries: FormData): Record<string, unknown> {
  const get = (name: string) => String(entries.get(name) ?? '').trim();
  return {
    campaign_id: campaignId,
    valid_from: get('from'),
    expected_per_10000: Math.round(Number(get('expected').replace(',', '.')) * 100),
    point_price: { amount: minorUnits(get('amount')), points: Number(get('points')) },
    author: get('author'),
    ...(get('note') ? { note: get('note') } : {}),
  };
}

/** Adds an estimate of redeemed points. It never changes, so that auditors can follow each close. */
export function NewEstimate({ id, added }: { id: string; added: () => void }) {
  const send = async (event: SubmitEvent, close: () => void) => {
    event.preventDefault();
    const body = estimateOf(id, new FormData(event.currentTarget as HTMLFormElement));
    const act = () => dataOf(api.POST('/v1/reports/liability-estimates', { body: body as never }));
    if (await attempt(w.added, act)) close();
    added();
  };
  return (
    <DialogButton label={w.add}>
      {(close) => (
        <form class="fields" onSubmit={(event) => send(event, close)}>
          <label class="field">
            {w.expected}
            <input name="expected" inputMode="decimal" required pattern="\d{1,3}([.,]\d{1,2})?" autocomplete="off" />
            <small>{w.expectedHint}</small>
          </label>
          <label class="field">
            {w.points}
            <input name="points" type="number" min={1} required defaultValue="1000" />
          </label>
          <label class="field">
            {w.worth}
            <input name="amount" inputMode="decimal" required pattern="[0-9.,]+" autocomplete="off" />
            <small>{words.inMajorUnits}</small>
          </label>
          <label class="field">
            {w.validFrom}
            <input name="from" type="date" required defaultValue={dayOf(new Date()).slice(0, 8).concat('01')} />
          </label>
          <label class="field">
            {w.author}
            <input name="author" required autocomplete="name" />
          </label>
          <label class="field">
            {w.note}
            <input name="note" autocomplete="off" />
            <small>{w.noteHint}</small>
          </label>
          <div class="actions">
            <button type="submit" class="main">
              {w.add}
            </button>
          </div>
        </form>
      )}
    </DialogButton>
  );
}
