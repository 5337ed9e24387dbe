import { useSignal } from '@preact/signals';
import { Empty, Page, Panel, Ready, Switch } from '../components/bits.tsx';
import { Drawer } from '../components/drawer.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { writeDiscount } from '../core/benefit.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { path, query } from '../core/router.ts';
import { words } from '../words.ts';
import { AddTier } from './new-promotion-tier.tsx';
import { TierView } from './promotion-tier.tsx';
import { Stacks } from './stacks.tsx';

type Tier = Schemas['PromotionTier'];
const w = words.promotions;

/** Moves a tier to a place, and numbers the tiers whose place changed. */
async function moveTier(tiers: readonly Tier[], from: number, to: number): Promise<void> {
  const moved = tiers.toSpliced(from, 1);
  const one = tiers[from];
  if (!one) return;
  moved.splice(to, 0, one);
  for (const [index, { id, hierarchy }] of moved.entries()) {
    if (hierarchy === index + 1) continue;
    const params = { path: { promotionTierId: id } };
    await dataOf(api.PUT('/v1/promotions/tiers/{promotionTierId}', { params, body: { hierarchy: index + 1 } }));
  }
}

function Tiers({ tiers, changed }: { tiers: readonly Tier[]; changed: () => void }) {
  const dragged = useSignal<number | undefined>(undefined);
  const over = useSignal<number | undefined>(undefined);
  const move = async (from: number, to: number) => {
    if (to < 0 || to >= tiers.length || from === to) return;
    await attempt(
      w.moved(tiers[from]?.name ?? '', to + 1),
      () => moveTier(tiers, from, to),
      () =>
        attempt(words.undone, async () => {
          const now = await dataOf(api.GET('/v1/promotions/tiers', { params: { query: { limit: 100 } } }));
          await moveTier(now.tiers, to, from);
        }).then(changed),
    );
    changed();
  };
  return (
    <ol class="movable">
      {tiers.map((tier, index) => (
        <li
          key={tier.id}
          draggable
          class={over.value === index ? 'over' : undefined}
          onDragStart={() => {
            dragged.value = index;
          }}
          onDragOver={(event) => {
            event.preventDefault();
            over.value = index;
          }}
          onDragEnd={() => {
            over.value = undefined;
          }}
          onDrop={() => dragged.value !== undefined && move(dragged.value, index)}
        >
          <span class="order">{index + 1}</span>
          <span class="grow">
            <a href={`?open=${tier.id}`}>{tier.name}</a> <small>{tier.banner}</small>
          </span>
          <span>{writeDiscount(tier.action?.discount)}</span>
          <Switch active={tier.active} />
          <button
            type="button"
            disabled={index === 0}
            aria-label={w.up(tier.name)}
            onClick={() => move(index, index - 1)}
          >
            ↑
          </button>
          <button
            type="button"
            disabled={index === tiers.length - 1}
            aria-label={w.down(tier.name)}
            onClick={() => move(index, index + 1)}
          >
            ↓
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Shows the promotion tiers in the order of their application. */
export function Promotions() {
  const loaded = useLoad('', () => dataOf(api.GET('/v1/promotions/tiers', { params: { query: { limit: 100 } } })));
  const campaigns = useLoad('', () => dataOf(api.GET('/v1/campaigns', { params: { query: { limit: 100 } } })));
  const promotions = (campaigns.data?.campaigns ?? []).filter(({ campaign_type: type }) => type === 'PROMOTION');
  const open = query.value.get('open');
  return (
    <div class={open ? 'split' : undefined}>
      <Page
        title={words.screens.promotions}
        sub={w.sub}
        actions={
          <>
            <AddTier promotions={promotions} added={loaded.reload} />
            <a class="main" href={`${path('campaigns', 'new')}?kind=PROMOTION`}>
              {w.create}
            </a>
          </>
        }
      >
        <Panel title={w.tiers}>
          <Ready of={loaded}>
            {({ tiers }) =>
              tiers.length === 0 ? (
                <Empty title={w.empty[0]} hint={w.empty[1]} />
              ) : (
                <Tiers tiers={tiers} changed={loaded.reload} />
              )
            }
          </Ready>
        </Panel>
        <Stacks tiers={loaded.data?.tiers ?? []} promotions={promotions} />
      </Page>
      {open && (
        <Drawer key={open}>
          <TierView id={open} changed={loaded.reload} />
        </Drawer>
      )}
    </div>
  );
}
