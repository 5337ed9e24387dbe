import { useState } from 'preact/hooks';
import { Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { type Entered, EntryForm, Field, listChoices } from '../components/field.tsx';
import { api, type BodyOf, dataOf, type Schemas } from '../core/api.ts';
import { minorUnits } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { words } from '../words.ts';
import { type Campaign, CampaignFields, CoinFields, hasBalance, ProductFields } from './reward-fields.tsx';

const w = words.rewards;
const kinds = ['CAMPAIGN', 'MATERIAL', 'COIN'] as const;
type Kind = (typeof kinds)[number];

interface Choices {
  readonly campaigns: readonly Campaign[];
  readonly products: readonly Schemas['Product'][];
  readonly rewards: readonly { readonly id: string; readonly name: string; readonly type: string }[];
}

/** Reads what a reward can give, and the rewards that the programme does not have yet. */
async function readChoices(assigned: readonly string[]): Promise<Choices> {
  const [{ campaigns }, { products }, { data }] = await Promise.all([
    dataOf(api.GET('/v1/campaigns', { params: { query: { limit: 100 } } })),
    dataOf(api.GET('/v1/products', { params: { query: { limit: 100 } } })),
    dataOf(api.GET('/v1/rewards', { params: { query: { limit: 100 } } })),
  ]);
  return {
    campaigns: campaigns.filter(({ campaign_type: type }) => type !== 'PROMOTION'),
    products: products,
    rewards: data.filter(({ id }) => !assigned.includes(id)),
  };
}

type Reward = BodyOf<'create-reward'>;

function parametersOf(kind: Kind, get: Entered, campaign: Campaign | undefined): Reward['parameters'] {
  if (kind === 'MATERIAL') return { product: { id: get('product') } };
  if (kind === 'COIN') {
    return { coin: { exchange_ratio: Number(get('worth').replace(',', '.')), points_ratio: Number(get('each')) } };
  }
  const balance = campaign?.campaign_type === 'GIFT_VOUCHERS' ? minorUnits(get('balance')) : Number(get('balance'));
  return { campaign: { id: campaign?.id ?? '', balance: hasBalance(campaign) ? balance : undefined } };
}

function bodyOf(kind: Kind, get: Entered, campaign: Campaign | undefined): Reward {
  const stock = kind === 'MATERIAL' && get('stock') ? Number(get('stock')) : undefined;
  return { name: get('name'), type: kind, parameters: parametersOf(kind, get, campaign), stock };
}

interface RewardFormProps {
  readonly campaignId: string;
  readonly choices: Choices;
  readonly done: () => void;
}

function RewardForm({ campaignId, choices, done }: RewardFormProps) {
  const { campaigns, products, rewards } = choices;
  const [kind, setKind] = useState<Kind>('CAMPAIGN');
  const [existing, setExisting] = useState('');
  const chosen = rewards.find(({ id }) => id === existing);
  const isCoin = (chosen?.type ?? kind) === 'COIN';
  const send = async (get: Entered) => {
    const campaign = campaigns.find(({ id }) => id === get('campaign'));
    let rewardId = existing;
    const isDone = await attempt(w.added, async () => {
      // A reward whose assignment was refused exists. The list offers it the next time.
      if (!rewardId) ({ id: rewardId } = await dataOf(api.POST('/v1/rewards', { body: bodyOf(kind, get, campaign) })));
      const body: BodyOf<'assign-reward'> = {
        campaign: campaignId,
        parameters: isCoin ? undefined : { loyalty: { points: Number(get('price')) } },
      };
      await dataOf(api.POST('/v1/rewards/{rewardId}/assignments', { params: { path: { rewardId } }, body }));
    });
    if (isDone) done();
  };
  return (
    <EntryForm submit={w.add} send={send}>
      <Field
        label={w.which}
        choices={[['', w.isNew], ...listChoices(rewards)]}
        value={existing}
        change={setExisting}
        isOptional
      />
      {!chosen && (
        <>
          <Field name="name" label={words.name} />
          <Field
            label={w.kind}
            choices={Object.entries(w.kinds)}
            value={kind}
            change={(value) => setKind(kinds.find((one) => one === value) ?? 'CAMPAIGN')}
          />
          {kind === 'CAMPAIGN' && <CampaignFields campaigns={campaigns} />}
          {kind === 'MATERIAL' && <ProductFields products={products} />}
          {kind === 'COIN' && <CoinFields />}
        </>
      )}
      {!isCoin && <Field name="price" label={w.price} type="count" />}
    </EntryForm>
  );
}

/** Makes a reward, or chooses an existing reward, and gives it a price in a programme. */
export function NewReward({ id, assigned, added }: { id: string; assigned: readonly string[]; added: () => void }) {
  return (
    <DialogButton label={w.add}>
      {(close, isOpen) => isOpen && <Opened id={id} assigned={assigned} close={close} added={added} />}
    </DialogButton>
  );
}

function Opened(props: { id: string; assigned: readonly string[]; close: () => void; added: () => void }) {
  const loaded = useLoad(props.id, () => readChoices(props.assigned));
  const done = () => {
    props.close();
    props.added();
  };
  return <Ready of={loaded}>{(choices) => <RewardForm campaignId={props.id} choices={choices} done={done} />}</Ready>;
}
