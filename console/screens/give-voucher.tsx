import { Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { EntryForm, Field, listChoices } from '../components/field.tsx';
import { api, type BodyOf, dataOf } from '../core/api.ts';
import { isOn } from '../core/benefit.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

const w = words.customers;

function GiveForm({ customerId, done }: { customerId: string; done: () => void }) {
  const loaded = useLoad('', async () => {
    const { campaigns } = await dataOf(api.GET('/v1/campaigns', { params: { query: { limit: 100 } } }));
    return campaigns.filter(({ campaign_type: type, active }) => type !== 'PROMOTION' && isOn(active));
  });
  const send = async (id: string, name: string) => {
    const body: BodyOf<'create-publication'> = { campaign: id, customer: { id: customerId } };
    if (await attempt(w.given(name), () => dataOf(api.POST('/v1/publications', { body })))) done();
  };
  return (
    <Ready of={loaded}>
      {(campaigns) => (
        <EntryForm
          submit={w.give}
          send={(get) => send(get('campaign'), campaigns.find(({ id }) => id === get('campaign'))?.name ?? '')}
        >
          <Field name="campaign" label={words.campaign} choices={listChoices(campaigns)} hint={w.giveHint} />
        </EntryForm>
      )}
    </Ready>
  );
}

/** Publishes a voucher of a campaign to a customer. */
export function GiveVoucher({ customerId, changed }: { customerId: string; changed: () => void }) {
  return (
    <DialogButton label={w.give}>
      {(close, isOpen) =>
        isOpen && (
          <GiveForm
            customerId={customerId}
            done={() => {
              close();
              changed();
            }}
          />
        )
      }
    </DialogButton>
  );
}
