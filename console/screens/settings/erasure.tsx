import { useSignal } from '@preact/signals';
import { Panel } from '../../components/bits.tsx';
import { type Person, PersonField } from '../../components/person.tsx';
import { api, dataOf } from '../../core/api.ts';
import { count } from '../../core/format.ts';
import { attempt } from '../../core/notice.ts';
import { words } from '../../words.ts';
import { Ask } from './ask.tsx';

const w = words.settings.erasure;

const atOnce = 100;

/** Reads everything that the API shows of a customer. */
async function readAll(customerId: string) {
  const path = { customerId };
  const [customer, redeemables, redemptions] = await Promise.all([
    dataOf(api.GET('/v1/customers/{customerId}', { params: { path } })),
    dataOf(api.GET('/v1/customers/{customerId}/redeemables', { params: { path, query: { limit: 50 } } })),
    dataOf(api.GET('/v1/redemptions', { params: { query: { customer: customerId, limit: atOnce } } })),
  ]);
  const activities: unknown[] = [];
  let after: string | undefined;
  do {
    const query = { limit: atOnce, starting_after_id: after };
    const page = await dataOf(api.GET('/v1/customers/{customerId}/activity', { params: { path, query } }));
    activities.push(...page.data);
    after = page.has_more ? page.more_starting_after : undefined;
  } while (after);
  return { customer, redeemables: redeemables.data, redemptions: redemptions.redemptions, activities };
}

function save(name: string, content: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/** Gives a person's data as a file, and erases the person permanently. */
export function Erasure() {
  const chosen = useSignal<Person | undefined>(undefined);
  const erased = useSignal('');
  const person = chosen.value;
  const known = person && 'id' in person ? person : undefined;
  const erase = async (customerId: string) => {
    const path = '/v1/customers/{customerId}/permanent-deletion';
    const { data_json: gone } = await dataOf(api.POST(path, { params: { path: { customerId } } }));
    erased.value = w.gone(count(gone.customer_events), count(gone.orders));
  };
  return (
    <Panel title={words.settings.tabs.erasure}>
      <p>{w.sub}</p>
      <div class="narrow stack">
        <PersonField
          label={words.customer}
          chosen={person}
          choose={(one) => {
            chosen.value = one;
            erased.value = '';
          }}
        />
        {known && (
          <div class="actions">
            <button
              type="button"
              onClick={() => attempt(w.saved, async () => save(`${known.id}.json`, await readAll(known.id)))}
            >
              {w.file}
            </button>
            <Ask
              label={w.eraseIt}
              title={w.erase(known.name)}
              question={w.erases}
              said={w.erased(known.name)}
              act={() => erase(known.id)}
              changed={() => {
                chosen.value = undefined;
              }}
            />
          </div>
        )}
        {erased.value && <p role="status">{erased.value}</p>}
      </div>
    </Panel>
  );
}
