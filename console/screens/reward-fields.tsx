import { useState } from 'preact/hooks';
import type { Schemas } from '../core/api.ts';
import { words } from '../words.ts';

const w = words.rewards;

export type Campaign = Schemas['ListCampaignsReply']['campaigns'][number];

export const hasBalance = (campaign: Campaign | undefined) =>
  campaign?.campaign_type === 'GIFT_VOUCHERS' || campaign?.campaign_type === 'LOYALTY_PROGRAM';

/** Asks which campaign a reward takes from, and how much. */
export function CampaignFields({ campaigns }: { campaigns: readonly Campaign[] }) {
  const [id, setId] = useState(campaigns[0]?.id ?? '');
  const chosen = campaigns.find((one) => one.id === id);
  return (
    <>
      <label class="field">
        {words.campaign}
        <select name="campaign" required value={id} onChange={({ currentTarget }) => setId(currentTarget.value)}>
          {campaigns.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {hasBalance(chosen) && (
        <label class="field">
          {chosen?.campaign_type === 'GIFT_VOUCHERS' ? w.credits : w.points}
          <input name="balance" inputMode="decimal" required autocomplete="off" />
        </label>
      )}
    </>
  );
}

/** Asks which product a reward is, and how many there are. */
export function ProductFields({ products }: { products: readonly Schemas['Product'][] }) {
  return (
    <>
      <label class="field">
        {w.product}
        <select name="product" required>
          {products.map(({ id, name, source_id: own }) => (
            <option key={id} value={id}>
              {name ?? own ?? id}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {w.stock}
        <input name="stock" type="number" min={1} />
        <small>{w.stockHint}</small>
      </label>
    </>
  );
}

/** Asks how points pay for an order. */
export function CoinFields() {
  return (
    <>
      <label class="field">
        {w.each}
        <input name="each" type="number" min={1} required defaultValue="100" />
      </label>
      <label class="field">
        {w.worth}
        <input name="worth" inputMode="decimal" required pattern="[0-9]*[.,]?[0-9]+" autocomplete="off" />
        <small>{words.inMajorUnits}</small>
      </label>
    </>
  );
}
