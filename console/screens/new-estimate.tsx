import { DialogButton } from '../components/dialog.tsx';
import { type Entered, EntryForm, Field } from '../components/field.tsx';
import { api, type BodyOf, dataOf } from '../core/api.ts';
import { dayOf } from '../core/days.ts';
import { minorUnits } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

const w = words.liability;

function estimateOf(campaignId: string, get: Entered): BodyOf<'create-liability-estimate'> {
  return {
    campaign_id: campaignId,
    valid_from: get('from'),
    expected_per_10000: Math.round(Number(get('expected').replace(',', '.')) * 100),
    point_price: { amount: minorUnits(get('amount')), points: Number(get('points')) },
    author: get('author'),
    note: get('note') || undefined,
  };
}

/** Adds an estimate of redeemed points. It never changes, so that auditors can follow each close. */
export function NewEstimate({ id, added }: { id: string; added: () => void }) {
  const send = async (get: Entered, close: () => void) => {
    const body = estimateOf(id, get);
    if (await attempt(w.added, () => dataOf(api.POST('/v1/reports/liability-estimates', { body })))) close();
    added();
  };
  const month = dayOf(new Date()).slice(0, 8).concat('01');
  return (
    <DialogButton label={w.add}>
      {(close) => (
        <EntryForm submit={w.add} send={(get) => send(get, close)}>
          <Field name="expected" label={w.expected} hint={w.expectedHint} pattern="\d{1,3}([.,]\d{1,2})?" />
          <Field name="points" label={w.points} type="count" initial="1000" />
          <Field name="amount" label={w.worth} type="amount" />
          <Field name="from" label={w.validFrom} type="date" initial={month} />
          <Field name="author" label={w.author} autocomplete="name" />
          <Field name="note" label={w.note} hint={w.noteHint} isOptional />
        </EntryForm>
      )}
    </DialogButton>
  );
}
