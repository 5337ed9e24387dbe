import { Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { api, dataOf } from '../core/api.ts';
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
  const send = async (event: SubmitEvent, names: ReadonlyMap<string, string>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get('campaign'));
    const name = names.get(id) ?? id;
    const body = { campaign: id, customer: { id: customerId } } as never;
    if (await attempt(w.given(name), () => dataOf(api.POST('/v1/publications', { body })))) done();
  };
  return (
    <Ready of={loaded}>
      {(campaigns) => (
        <form class="fields" onSubmit={(event) => send(event, new Map(campaigns.map(({ id, name }) => [id, name])))}>
          <label class="field">
            {words.campaign}
            <select name="campaign" required>
              {campaigns.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
            <small>{w.giveHint}</small>
          </label>
          <div class="actions">
            <button type="submit" class="main">
              {w.give}
            </button>
          </div>
        </form>
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
