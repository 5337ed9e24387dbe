import { DialogButton } from '../components/dialog.tsx';
import { api, dataOf } from '../core/api.ts';
import { minorUnits } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';
import type { Promotion } from './stacks.tsx';

const w = words.promotions;

function tierOf(get: (name: string) => string): Record<string, unknown> {
  const discount =
    get('discount') === 'PERCENT'
      ? { type: 'PERCENT', percent_off: Number(get('off').replace(',', '.')) }
      : { type: 'AMOUNT', amount_off: minorUnits(get('off')) };
  return { name: get('name'), action: { discount }, ...(get('banner') ? { banner: get('banner') } : {}) };
}

/** Adds a tier to a promotion. It applies last, until somebody moves it. */
export function AddTier({ promotions, added }: { promotions: readonly Promotion[]; added: () => void }) {
  if (promotions.length === 0) return null;
  const send = async (event: SubmitEvent, close: () => void) => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    const get = (name: string) => String(entries.get(name) ?? '').trim();
    const params = { path: { campaignId: get('campaign') } };
    const body = tierOf(get) as never;
    const act = () => dataOf(api.POST('/v1/promotions/{campaignId}/tiers', { params, body }));
    if (!(await attempt(w.tierAdded(get('name')), act))) return;
    close();
    added();
  };
  return (
    <DialogButton label={w.addTier}>
      {(close) => (
        <form class="fields" onSubmit={(event) => send(event, close)}>
          <label class="field">
            {words.campaign}
            <select name="campaign">
              {promotions.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            {words.name}
            <input name="name" required autocomplete="off" />
          </label>
          <label class="field">
            {words.builder.discount}
            <select name="discount">
              <option value="PERCENT">{words.builder.percent}</option>
              <option value="AMOUNT">{words.builder.amount}</option>
            </select>
          </label>
          <label class="field">
            {words.builder.off}
            <input name="off" inputMode="decimal" required pattern="[0-9.,]+" autocomplete="off" />
          </label>
          <label class="field">
            {w.banner}
            <input name="banner" autocomplete="off" />
            <small>{w.bannerHint}</small>
          </label>
          <div class="actions">
            <button type="submit" class="main">
              {w.addTier}
            </button>
          </div>
        </form>
      )}
    </DialogButton>
  );
}
