import { useSignal } from '@preact/signals';
import { type Entered, EntryForm, Field } from '../components/field.tsx';
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
    dataOf(api.GET('/v1/customers', { params: { query: { limit: 5, filters: filter } } })),
  );
  if (refusal) return <p class="fault">{refusal.details || refusal.message}</p>;
  if (!data) return null;
  const names = data.customers.map(({ name, id }) => name ?? id);
  return <small>{w.fitting(`${count(data.total)}${data.has_more ? '+' : ''}`, names.join(', '))}</small>;
}

const idsIn = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

const types = ['passive', 'auto-update', 'static'] as const;

/** Makes a segment by conditions, or by a list of customers. */
export function NewSegment({ close }: { close: () => void }) {
  const conditions = useSignal<readonly Condition[]>([firstCondition]);
  const junction = useSignal('and');
  const type = useSignal<(typeof types)[number]>('passive');
  const filter = toFilter(conditions.value, junction.value);
  const send = async (get: Entered) => {
    const name = get('name');
    const body =
      type.value === 'static'
        ? { name, type: type.value, customers: idsIn(get('customers')) }
        : { name, type: type.value, filter: filter ?? {} };
    let id = '';
    const isDone = await attempt(w.made(name), async () => {
      ({ id } = await dataOf(api.POST('/v1/segments', { body })));
    });
    if (!isDone) return;
    close();
    go(`/segments?open=${id}`);
  };
  return (
    <EntryForm submit={words.create} send={send} isBlocked={type.value !== 'static' && !filter}>
      <Field name="name" label={words.name} />
      <Field
        label={words.kind}
        hint={w.kinds[type.value][1]}
        choices={types.map((one) => [one, w.kinds[one][0]])}
        value={type.value}
        change={(value) => {
          type.value = types.find((one) => one === value) ?? 'passive';
        }}
      />
      {type.value === 'static' ? (
        <Field name="customers" label={w.customers} lines={4} hint={w.customersHint} />
      ) : (
        <>
          <FilterEditor conditions={conditions} junction={junction} />
          {filter && isListable(filter) && <Fitting filter={filter} />}
        </>
      )}
    </EntryForm>
  );
}
