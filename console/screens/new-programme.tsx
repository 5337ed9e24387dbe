import { useSignal } from '@preact/signals';
import { EarningFields, earningOf, writeSample } from '../components/earning-fields.tsx';
import { api, dataOf } from '../core/api.ts';
import { attempt } from '../core/notice.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';
import { addEarningRule } from './new-earning-rule.tsx';

const w = words.programme;

function programmeOf(entries: FormData): Record<string, unknown> {
  const get = (name: string) => String(entries.get(name) ?? '').trim();
  const months = Number(get('months'));
  const expiry = months > 0 ? { expiration_rules: { period_type: 'MONTH', period_value: months } } : {};
  return {
    name: get('name'),
    auto_join: entries.get('join') === 'on',
    vouchers_count: Number(get('count')),
    voucher: {
      type: 'LOYALTY_CARD',
      loyalty_card: { points: Number(get('points')), ...expiry },
      code_config: { prefix: get('prefix'), length: 8 },
    },
  };
}

/** Makes a loyalty programme with its first earning rule. */
export function NewProgramme({ close }: { close: () => void }) {
  const sample = useSignal('');
  const show = (event: Event) => {
    sample.value = writeSample(new FormData(event.currentTarget as HTMLFormElement));
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    let id = '';
    const isMade = await attempt(w.made, async () => {
      ({ id } = await dataOf(api.POST('/v1/loyalties', { body: programmeOf(entries) as never })));
    });
    if (!isMade) return;
    // A programme whose rule was refused exists. Its screen adds the rule again.
    await attempt(w.made, () => addEarningRule(id, earningOf(entries)));
    close();
    go(`/loyalty/${id}`);
  };
  return (
    <form class="fields" onSubmit={send} onInput={show}>
      <label class="field">
        {words.name}
        <input name="name" required autocomplete="off" />
      </label>
      <EarningFields />
      <small>{sample}</small>
      <label class="field">
        {w.points}
        <input name="points" type="number" min={0} required defaultValue="0" />
      </label>
      <label class="field">
        {w.months}
        <input name="months" type="number" min={1} max={1200} />
        <small>{w.monthsHint}</small>
      </label>
      <label class="field">
        {w.count}
        <input name="count" type="number" min={1} max={1_000_000} required defaultValue="100" />
      </label>
      <label class="field">
        {words.builder.prefix}
        <input name="prefix" autocomplete="off" />
      </label>
      <label class="inline">
        <input name="join" type="checkbox" />
        {w.join}
      </label>
      <div class="actions">
        <button type="submit" class="main">
          {words.create}
        </button>
      </div>
    </form>
  );
}
