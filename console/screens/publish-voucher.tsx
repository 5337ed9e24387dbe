import { useSignal } from '@preact/signals';
import { DialogButton } from '../components/dialog.tsx';
import { type Person, PersonField } from '../components/person.tsx';
import { api, dataOf } from '../core/api.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';

const w = words.vouchers;

const nameOf = (person: Person) => ('id' in person ? person.name : person.source_id);

/** Gives a code to a customer from the existing customers. A new customer is made only after a question. */
export function PublishVoucher({ code, changed }: { code: string; changed: () => void }) {
  const chosen = useSignal<Person | undefined>(undefined);
  const send = async (person: Person, close: () => void) => {
    const customer = 'id' in person ? { id: person.id } : { source_id: person.source_id };
    const act = () => dataOf(api.POST('/v1/publications', { body: { voucher: code, customer } }));
    if (!(await attempt(w.published(nameOf(person)), act))) return;
    chosen.value = undefined;
    close();
    changed();
  };
  return (
    <DialogButton label={w.publish}>
      {(close) => (
        <div class="fields">
          <PersonField
            label={words.customer}
            chosen={chosen.value}
            choose={(person) => {
              chosen.value = person;
            }}
            ofUnknown={w.makeCustomer}
          />
          <div class="actions">
            <button
              type="button"
              class="main"
              disabled={!chosen.value}
              onClick={() => chosen.value && send(chosen.value, close)}
            >
              {chosen.value ? w.publishTo(code, nameOf(chosen.value)) : w.publish}
            </button>
          </div>
        </div>
      )}
    </DialogButton>
  );
}
