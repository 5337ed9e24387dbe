import { Field, listChoices } from '../components/field.tsx';
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
  const unknown = isKnown ? [] : [{ id: chosen, name: chosen }];
  return (
    <Field
      label={words.builder.segment}
      choices={[['', words.builder.everybody], ...listChoices([...unknown, ...known])]}
      value={chosen}
      change={set('segment')}
      isOptional
    />
  );
}
