import { useRef } from 'preact/hooks';
import { DialogButton } from '../components/dialog.tsx';
import { type Entered, EntryForm, Field } from '../components/field.tsx';
import { api, type BodyOf, dataOf } from '../core/api.ts';
import { count } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

const w = words.movePoints;

interface MovePointsProps {
  readonly campaignId: string;
  readonly code: string;
  readonly changed: () => void;
}

/** Moves points to another card of the programme. */
export function MovePoints({ campaignId, code, changed }: MovePointsProps) {
  // A second click sends the same id, so the points move once.
  const sourceId = useRef<string>(crypto.randomUUID());
  const send = async (get: Entered, close: () => void) => {
    const points = Number(get('points'));
    const reason = get('reason') || undefined;
    // The path names the card that gets the points, and each entry a card that gives some.
    const params = { path: { campaignId, memberId: get('code') } };
    const body: BodyOf<'transfer-points'> = [{ code, points, reason, source_id: sourceId.current }];
    const act = () => dataOf(api.POST('/v1/loyalties/{campaignId}/members/{memberId}/transfers', { params, body }));
    if (!(await attempt(w.moved(count(points), get('code')), act))) return;
    sourceId.current = crypto.randomUUID();
    close();
    changed();
  };
  return (
    <DialogButton label={w.move}>
      {(close) => (
        <EntryForm submit={w.move} send={(get) => send(get, close)}>
          <Field name="code" label={w.to} hint={w.toHint} />
          <Field name="points" label={words.points} type="count" />
          <Field name="reason" label={words.vouchers.reason} isOptional />
        </EntryForm>
      )}
    </DialogButton>
  );
}
