import { useSignal } from '@preact/signals';
import { FilterEditor } from '../components/filter-editor.tsx';
import { api, dataOf } from '../core/api.ts';
import { type Condition, type Filter, firstCondition, isListable, toFilter } from '../core/filters.ts';
import { count } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.segments;

/** Counts the customers that fit now, before the segment exists. */
function Fitting({ filter }: { filter: Filter }) {
  const { data, refusal } = useLoad(JSON.stringify(filter), () =>
    dataOf(api.GET('/v1/customers', { params: { query: { limit: 5, filters: filter } as never } })),
  );
  if (refusal) return <p class="fault">{refusal.details || refusal.message}</p>;
  if (!data) return null;
  const names = data.customers.map((one) => (one as { name?: string; id: string }).name ?? (one as { id: string }).id);
  return <small>{w.fitting(`${count(data.total)}${data.has_more ? '+' : ''}`, names.join(', '))}</small>;
}

const idsIn = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

/** Makes a segment by conditions, or by a list of customers. */
export function NewSegment({ close }: { close: () => void }) {
  const conditions = useSignal<readonly Condition[]>([firstCondition]);
  const junction = useSignal('and');
  const type = useSignal<'auto-update' | 'passive' | 'static'>('passive');
  const filter = toFilter(conditions.value, junction.value);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    const name = String(entries.get('name')).trim();
    const members =
      type.value === 'static' ? { customers: idsIn(String(entries.get('customers'))) } : { filter: filter ?? {} };
    let id = '';
    const isDone = await attempt(w.made(name), async () => {
      const body = { name, type: type.value, ...members };
      ({ id } = await dataOf(api.POST('/v1/segments', { body: body as never })));
    });
    if (!isDone) return;
    close();
    go(`/segments?open=${id}`);
  };
  return (
    <form class="fields" onSubmit={send}>
      <label class="field">
        {words.name}
        <input name="name" required autocomplete="off" />
      </label>
      <label class="field">
        {words.kind}
        <select
          value={type.value}
          onChange={({ currentTarget }) => {
            type.value = currentTarget.value as typeof type.value;
          }}
        >
          {Object.entries(w.kinds).map(([value, [label]]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <small>{w.kinds[type.value][1]}</small>
      </label>
      {type.value === 'static' ? (
        <label class="field">
          {w.customers}
          <textarea name="customers" rows={4} required spellcheck={false} />
          <small>{w.customersHint}</small>
        </label>
      ) : (
        <>
          <FilterEditor conditions={conditions} junction={junction} />
          {filter && isListable(filter) && <Fitting filter={filter} />}
        </>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={type.value !== 'static' && !filter}>
          {words.create}
        </button>
      </div>
    </form>
  );
}
