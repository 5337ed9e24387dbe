import { DialogButton } from '../components/dialog.tsx';
import { EarningFields, type EarningRule, earningOf } from '../components/earning-fields.tsx';
import { EntryForm } from '../components/field.tsx';
import { api, dataOf } from '../core/api.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

const w = words.earning;

export function addEarningRule(campaignId: string, rule: EarningRule) {
  const params = { path: { campaignId } };
  return dataOf(api.POST('/v1/loyalties/{campaignId}/earning-rules', { params, body: [rule] }));
}

/** Adds a rule to a programme. */
export function NewEarningRule({ id, added }: { id: string; added: () => void }) {
  return (
    <DialogButton label={w.add}>
      {(close) => (
        <EntryForm
          submit={w.add}
          send={async (get) => {
            if (await attempt(w.added, () => addEarningRule(id, earningOf(get)))) close();
            added();
          }}
        >
          <EarningFields />
        </EntryForm>
      )}
    </DialogButton>
  );
}
