import { DialogButton } from '../components/dialog.tsx';
import { discountChoices, type Entered, EntryForm, Field, listChoices } from '../components/field.tsx';
import { api, type BodyOf, dataOf, type Schemas } from '../core/api.ts';
import { minorUnits } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';
import type { Promotion } from './stacks.tsx';

const w = words.promotions;

function tierOf(get: Entered): BodyOf<'create-promotion-tier'> {
  const discount: Schemas['SentDiscount'] =
    get('discount') === 'PERCENT'
      ? { type: 'PERCENT', percent_off: Number(get('off').replace(',', '.')) }
      : { type: 'AMOUNT', amount_off: minorUnits(get('off')) };
  return { name: get('name'), action: { discount }, banner: get('banner') || undefined };
}

/** Adds a tier to a promotion. It applies last, until it is moved. */
export function AddTier({ promotions, added }: { promotions: readonly Promotion[]; added: () => void }) {
  if (promotions.length === 0) return null;
  const send = async (get: Entered, close: () => void) => {
    const params = { path: { campaignId: get('campaign') } };
    const body = tierOf(get);
    const act = () => dataOf(api.POST('/v1/promotions/{campaignId}/tiers', { params, body }));
    if (!(await attempt(w.tierAdded(get('name')), act))) return;
    close();
    added();
  };
  return (
    <DialogButton label={w.addTier}>
      {(close) => (
        <EntryForm submit={w.addTier} send={(get) => send(get, close)}>
          <Field name="campaign" label={words.campaign} choices={listChoices(promotions)} />
          <Field name="name" label={words.name} />
          <Field name="discount" label={words.builder.discount} choices={discountChoices} />
          <Field name="off" label={words.builder.off} pattern="[0-9.,]+" />
          <Field name="banner" label={w.banner} hint={w.bannerHint} isOptional />
        </EntryForm>
      )}
    </DialogButton>
  );
}
