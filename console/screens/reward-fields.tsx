import { useState } from 'preact/hooks';
import { Field, listChoices } from '../components/field.tsx';
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
      <Field name="campaign" label={words.campaign} choices={listChoices(campaigns)} value={id} change={setId} />
      {hasBalance(chosen) && (
        <Field
          name="balance"
          label={chosen?.campaign_type === 'GIFT_VOUCHERS' ? w.credits : w.points}
          pattern="[0-9.,]+"
        />
      )}
    </>
  );
}

/** Asks which product a reward is, and how many there are. */
export function ProductFields({ products }: { products: readonly Schemas['Product'][] }) {
  const named = products.map(({ id, name, source_id: own }) => ({ id, name: name ?? own ?? id }));
  return (
    <>
      <Field name="product" label={w.product} choices={listChoices(named)} />
      <Field name="stock" label={w.stock} type="count" hint={w.stockHint} isOptional />
    </>
  );
}

/** Asks how points pay for an order. */
export function CoinFields() {
  return (
    <>
      <Field name="each" label={w.each} type="count" initial="100" />
      <Field name="worth" label={w.worth} pattern="[0-9]*[.,]?[0-9]+" hint={w.worthHint} />
    </>
  );
}
