import { useSignal } from '@preact/signals';
import { EarningFields, earningOf, writeSample } from '../components/earning-fields.tsx';
import { type Entered, EntryForm, Field } from '../components/field.tsx';
import { api, type BodyOf, dataOf } from '../core/api.ts';
import { attempt } from '../core/notice.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';
import { addEarningRule } from './new-earning-rule.tsx';

const w = words.programme;

function programmeOf(get: Entered): BodyOf<'create-loyalty-campaign'> {
  const months = Number(get('months'));
  return {
    name: get('name'),
    auto_join: get('join') === 'on',
    vouchers_count: Number(get('count')),
    voucher: {
      type: 'LOYALTY_CARD',
      loyalty_card: {
        points: Number(get('points')),
        expiration_rules: months > 0 ? { period_type: 'MONTH', period_value: months } : undefined,
      },
      code_config: { prefix: get('prefix'), length: 8 },
    },
  };
}

/** Makes a loyalty programme with its first earning rule. */
export function NewProgramme({ close }: { close: () => void }) {
  const sample = useSignal('');
  const send = async (get: Entered) => {
    let id = '';
    const isMade = await attempt(w.made, async () => {
      ({ id } = await dataOf(api.POST('/v1/loyalties', { body: programmeOf(get) })));
    });
    if (!isMade) return;
    // A programme whose rule was refused exists. Its screen adds the rule again.
    await attempt(w.made, () => addEarningRule(id, earningOf(get)));
    close();
    go(`/loyalty/${id}`);
  };
  return (
    <EntryForm
      submit={words.create}
      send={send}
      change={(get) => {
        sample.value = writeSample(get);
      }}
    >
      <Field name="name" label={words.name} />
      <EarningFields />
      <small>{sample}</small>
      <Field name="points" label={w.points} type="count" min={0} initial="0" />
      <Field name="months" label={w.months} type="count" max={1200} hint={w.monthsHint} isOptional />
      <Field name="count" label={w.count} type="count" max={1_000_000} initial="100" />
      <Field name="prefix" label={words.builder.prefix} isOptional />
      <label class="inline">
        <input name="join" type="checkbox" />
        {w.join}
      </label>
    </EntryForm>
  );
}
