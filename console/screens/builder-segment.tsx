import { api, dataOf } from '../core/api.ts';
import { useLoad } from '../core/load.ts';
import { words } from '../words.ts';
import { get, set } from './draft.ts';

/** Limits a draft to the customers of a segment, chosen by its name. */
export function SegmentField() {
  const { data } = useLoad('', () => dataOf(api.GET('/v1/segments', { params: { query: { limit: 100 } } })));
  const chosen = get('segment');
  const known = data?.data ?? [];
  // A key without the scope of segments, or a long list, leaves the chosen id as it is.
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
