import { api, dataOf } from '../core/api.ts';
import { useLoad } from '../core/load.ts';
import { words } from '../words.ts';
import { get, set } from './draft.ts';

/** Limits a draft to the customers of a segment, chosen by its name. */
export function SegmentField() {
  const { data } = useLoad('', () => dataOf(api.GET('/v1/segments', { params: { query: { limit: 100 } } })));
  const chosen = get('segment');
  const known = data?.data ?? [];
  // The id stays without a name if the key may not read segments, or if the list is long.
  const isKnown = chosen === '' || known.some(({ id }) => id === chosen);
  return (
    <label class="field">
      {words.builder.segment}
      <select value={chosen} onChange={({ currentTarget }) => set('segment')(currentTarget.value)}>
        <option value="">{words.builder.everybody}</option>
        {!isKnown && <option value={chosen}>{chosen}</option>}
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
