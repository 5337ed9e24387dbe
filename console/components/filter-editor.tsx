import type { Signal } from '@preact/signals';
import { type Condition, fields, firstCondition, operatorsOf, typeOf } from '../core/filters.ts';
import { words } from '../words.ts';

const w = words.segments;

interface RowProps {
  readonly one: Condition;
  readonly place: number;
  readonly change: (next: Condition) => void;
  readonly remove: (() => void) | undefined;
}

function Row({ one, place, change, remove }: RowProps) {
  const type = typeOf(one.field);
  const kind = { text: 'text', number: 'number', amount: 'text', date: 'date' }[type];
  return (
    <div class="condition">
      <select
        aria-label={w.field(place)}
        value={one.field}
        onChange={({ currentTarget: { value: field } }) =>
          change({ ...one, field, operator: operatorsOf[typeOf(field)][0] ?? '$is', text: '' })
        }
      >
        {Object.keys(fields).map((name) => (
          <option key={name} value={name}>
            {w.fields[name]}
          </option>
        ))}
      </select>
      {one.field === 'metadata' && (
        <input
          aria-label={w.metadataKey(place)}
          placeholder={w.key}
          value={one.key}
          autocomplete="off"
          onChange={({ currentTarget }) => change({ ...one, key: currentTarget.value })}
        />
      )}
      <select
        aria-label={w.operator(place)}
        value={one.operator}
        onChange={({ currentTarget }) => change({ ...one, operator: currentTarget.value })}
      >
        {operatorsOf[type].map((operator) => (
          <option key={operator} value={operator}>
            {words.rules.operators[operator]}
          </option>
        ))}
      </select>
      <input
        aria-label={w.value(place)}
        type={kind as 'text'}
        inputMode={type === 'amount' ? 'decimal' : undefined}
        value={one.text}
        autocomplete="off"
        onChange={({ currentTarget }) => change({ ...one, text: currentTarget.value })}
      />
      {remove && (
        <button type="button" class="close" aria-label={words.remove(w.condition(place))} onClick={remove}>
          ×
        </button>
      )}
    </div>
  );
}

interface FilterEditorProps {
  readonly conditions: Signal<readonly Condition[]>;
  readonly junction: Signal<string>;
}

/** Builds a filter from rows of a field, an operator and a value. */
export function FilterEditor({ conditions, junction }: FilterEditorProps) {
  const rows = conditions.value;
  return (
    <fieldset class="conditions">
      <legend>{w.filter}</legend>
      {rows.length > 1 && (
        <select
          aria-label={w.junction}
          value={junction.value}
          onChange={({ currentTarget }) => {
            junction.value = currentTarget.value;
          }}
        >
          <option value="and">{w.all}</option>
          <option value="or">{w.any}</option>
        </select>
      )}
      {rows.map((one, index) => (
        <Row
          key={index}
          one={one}
          place={index + 1}
          change={(next) => {
            conditions.value = rows.with(index, next);
          }}
          remove={
            rows.length > 1
              ? () => {
                  conditions.value = rows.toSpliced(index, 1);
                }
              : undefined
          }
        />
      ))}
      <div>
        <button
          type="button"
          onClick={() => {
            conditions.value = [...rows, firstCondition];
          }}
        >
          {w.addCondition}
        </button>
      </div>
    </fieldset>
  );
}
