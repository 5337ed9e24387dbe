import { DialogButton } from '../components/dialog.tsx';
import { EarningFields, earningOf } from '../components/earning-fields.tsx';
import { api, dataOf } from '../core/api.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

const w = words.earning;

export function addEarningRule(campaignId: string, rule: Readonly<Record<string, unknown>>) {
  const params = { path: { campaignId } };
  return dataOf(api.POST('/v1/loyalties/{campaignId}/earning-rules', { params, body: [rule] as never }));
}

/** Adds a rule to a programme. */
export function NewEarningRule({ id, added }: { id: string; added: () => void }) {
  const send = async (event: SubmitEvent, close: () => void) => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    if (await attempt(w.added, () => addEarningRule(id, earningOf(entries)))) close();
    added();
  };
  return (
    <DialogButton label={w.add}>
      {(close) => (
        <form class="fields" onSubmit={(event) => send(event, close)}>
          <EarningFields />
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
