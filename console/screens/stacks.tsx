import { useSignal } from '@preact/signals';
import { Empty, Panel, Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { type Entered, EntryForm, Field, listChoices } from '../components/field.tsx';
import { api, type BodyOf, dataOf, type Schemas } from '../core/api.ts';
import { count } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { actSoon, attempt } from '../core/notice.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';

type Tier = Schemas['PromotionTier'];
type Stack = Schemas['PromotionStack'];
const w = words.promotions;

export interface Promotion {
  readonly id: string;
  readonly name: string;
}

interface StacksProps {
  readonly tiers: readonly Tier[];
  readonly promotions: readonly Promotion[];
}

/** Makes a stack of tiers. They apply in the order in which they are chosen. */
function NewStack({ tiers, promotions, close, made }: StacksProps & { close: () => void; made: () => void }) {
  const campaign = useSignal(promotions[0]?.id ?? '');
  const chosen = useSignal<readonly string[]>([]);
  const own = tiers.filter(({ campaign_id: id }) => id === campaign.value);
  const flip = (id: string) => {
    const others = chosen.value.filter((one) => one !== id);
    chosen.value = others.length === chosen.value.length ? [...others, id] : others;
  };
  const send = async (get: Entered) => {
    const params = { path: { campaignId: campaign.value } };
    const body: BodyOf<'create-promotion-stack'> = {
      name: get('name'),
      tiers: { ids: [...chosen.value], hierarchy_mode: 'MANUAL' as const },
    };
    const act = () => dataOf(api.POST('/v1/promotions/{campaignId}/stacks', { params, body }));
    if (!(await attempt(w.stackMade(get('name')), act))) return;
    close();
    made();
  };
  return (
    <EntryForm submit={words.create} send={send} isBlocked={chosen.value.length === 0}>
      <Field name="name" label={words.name} />
      <Field
        label={words.campaign}
        choices={listChoices(promotions)}
        value={campaign.value}
        change={(id) => {
          campaign.value = id;
          chosen.value = [];
        }}
      />
      <fieldset class="conditions">
        <legend>{w.inOrder}</legend>
        {own.map(({ id, name }) => {
          const place = chosen.value.indexOf(id) + 1;
          return (
            <label key={id} class="inline">
              <input type="checkbox" checked={place > 0} onChange={() => flip(id)} />
              {place > 0 ? w.place(place, name) : name}
            </label>
          );
        })}
      </fieldset>
      <small>{w.inOrderHint}</small>
    </EntryForm>
  );
}

function StackRow({ stack, tiers, changed }: { stack: Stack; tiers: readonly Tier[]; changed: () => void }) {
  const { id, name, campaign_id: campaignId } = stack;
  const params = { path: { campaignId, stackId: id } };
  const remove = () =>
    actSoon(
      words.deleted(name),
      () => dataOf(api.DELETE('/v1/promotions/{campaignId}/stacks/{stackId}', { params })),
      changed,
    );
  const names = stack.tiers.ids.map((tier) => tiers.find((one) => one.id === tier)?.name ?? tier);
  return (
    <li>
      <span class="grow">
        <b>{name}</b> <small>{`${w.tiersIn(count(names.length))} · ${names.join(', ')}`}</small>
      </span>
      <a href={`${path('simulator')}?codes=${id}`}>{w.simulate}</a>
      <button type="button" class="close" aria-label={words.deleted(name)} onClick={remove}>
        ×
      </button>
    </li>
  );
}

/** Shows the stacks of promotion tiers, and makes new stacks. */
export function Stacks({ tiers, promotions }: StacksProps) {
  const loaded = useLoad('', () => dataOf(api.GET('/v1/promotions/stacks', { params: { query: { limit: 50 } } })));
  return (
    <Panel
      title={w.stacks}
      actions={
        promotions.length > 0 && (
          <DialogButton label={w.createStack}>
            {(close, isOpen) =>
              isOpen && <NewStack tiers={tiers} promotions={promotions} close={close} made={loaded.reload} />
            }
          </DialogButton>
        )
      }
    >
      <Ready of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={w.noStacks} />
          ) : (
            <ul class="movable">
              {data.map((stack) => (
                <StackRow key={stack.id} stack={stack} tiers={tiers} changed={loaded.reload} />
              ))}
            </ul>
          )
        }
      </Ready>
    </Panel>
  );
}
