import { Badge, Empty, Figure, Page, Panel, Ready, Switch } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { compact, count, human } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { path } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { words } from '../words.ts';

const w = words.loyalty;

function AddTier({ id, added }: { id: string; added: () => void }) {
  const send = async (event: SubmitEvent, close: () => void) => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    const name = String(entries.get('name')).trim();
    const body = [{ name, points: { from: Number(entries.get('from')) } }];
    const params = { path: { campaignId: id } };
    const act = () => dataOf(api.POST('/v1/loyalties/{campaignId}/tiers', { params, body: body as never }));
    if (await attempt(w.tierAdded(name), act)) close();
    added();
  };
  return (
    <DialogButton label={w.addTier}>
      {(close) => (
        <form class="fields" onSubmit={(event) => send(event, close)}>
          <label class="field">
            {words.name}
            <input name="name" required autocomplete="off" />
          </label>
          <label class="field">
            {w.from}
            <input name="from" type="number" min={0} required />
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

function Ladder({ id }: { id: string }) {
  const params = { path: { campaignId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/loyalties/{campaignId}/tiers', { params })));
  return (
    <Panel title={w.tiers} actions={<AddTier id={id} added={loaded.reload} />}>
      <Ready of={loaded}>
        {({ data }) => {
          const tiers = [...data].sort((a, b) => (b.points.from ?? 0) - (a.points.from ?? 0));
          if (tiers.length === 0) return <Empty title={w.noTiers} />;
          return (
            <ol class="ladder">
              {tiers.map(({ id: tier, name, points }) => (
                <li key={tier}>
                  <b>{name}</b>
                  <span>
                    {points.to === undefined
                      ? w.andMore(count(points.from))
                      : `${count(points.from)} – ${count(points.to)}`}
                  </span>
                </li>
              ))}
            </ol>
          );
        }}
      </Ready>
    </Panel>
  );
}

function writeEarning({ loyalty }: Schemas['EarningRule']): string {
  const { points } = loyalty as { points?: number };
  return points === undefined ? w.proportional : w.gives(count(points));
}

function Earning({ id }: { id: string }) {
  const params = { path: { campaignId: id }, query: { limit: 50 } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/loyalties/{campaignId}/earning-rules', { params })));
  return (
    <Panel title={w.earning}>
      <Ready of={loaded}>
        {({ data }) => (
          <Table
            rows={data}
            idOf={({ id: rule }) => rule}
            columns={[
              { title: w.event, cell: ({ event }) => human(event) },
              { title: words.points, cell: writeEarning },
              { title: words.state, isNumber: true, cell: ({ active }) => <Switch active={active} /> },
            ]}
          />
        )}
      </Ready>
    </Panel>
  );
}

function Rewards({ id }: { id: string }) {
  const params = { path: { campaignId: id }, query: { limit: 50 } };
  const loaded = useLoad(id, async () => {
    const [assigned, all] = await Promise.all([
      dataOf(api.GET('/v1/loyalties/{campaignId}/rewards', { params })),
      dataOf(api.GET('/v1/rewards', { params: { query: { limit: 100 } } })),
    ]);
    const nameOf = (reward: string) => all.data.find((one) => one.id === reward);
    return (assigned.data as unknown as Schemas['RewardAssignment'][]).map((one) => ({
      ...one,
      reward: nameOf(one.reward_id),
    }));
  });
  return (
    <Panel title={w.rewards}>
      <Ready of={loaded}>
        {(rows) => (
          <Table
            rows={rows}
            idOf={({ id: assignment }) => assignment}
            columns={[
              { title: words.name, cell: ({ reward, reward_id: rewardId }) => reward?.name ?? rewardId },
              { title: words.kind, cell: ({ reward }) => <Badge>{human(reward?.type)}</Badge> },
              {
                title: words.points,
                isNumber: true,
                cell: ({ parameters }) => count((parameters as { loyalty?: { points?: number } })?.loyalty?.points),
              },
            ]}
          />
        )}
      </Ready>
    </Panel>
  );
}

function Members({ id }: { id: string }) {
  const params = { path: { campaignId: id }, query: { limit: 10 } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/loyalties/{campaignId}/members', { params })));
  return (
    <Panel title={w.members}>
      <Ready of={loaded}>
        {({ vouchers }) => (
          <Table
            rows={vouchers as Schemas['Voucher'][]}
            idOf={({ code }) => code}
            columns={[
              {
                title: w.card,
                cell: ({ code }) => (
                  <a href={path('vouchers', code)}>
                    <code>{code}</code>
                  </a>
                ),
              },
              {
                title: words.holder,
                cell: ({ holder_id: holder }) => (holder ? <a href={path('customers', holder)}>{holder}</a> : '–'),
              },
              { title: words.points, isNumber: true, cell: ({ loyalty_card: card }) => count(card?.balance) },
            ]}
          />
        )}
      </Ready>
    </Panel>
  );
}

/** Shows the points that a programme gave, took and still owes. */
function Figures({ id }: { id: string }) {
  const params = { path: { campaignId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/campaigns/{campaignId}/summary', { params })));
  const { data } = loaded;
  if (!data) return null;
  const figures = data as unknown as Record<string, number>;
  const shown = ['points_added', 'points_redeemed', 'points_expired', 'pending_points_added'];
  return (
    <div class="figures">
      {shown.map((name) => (
        <Figure key={name} label={w.figures[name] ?? name} value={compact(figures[name] ?? 0)} />
      ))}
    </div>
  );
}

export function ProgrammePage({ params }: ScreenProps) {
  const id = params.id ?? '';
  const loaded = useLoad(id, () =>
    dataOf(api.GET('/v1/loyalties/{campaignId}', { params: { path: { campaignId: id } } })),
  );
  return (
    <Ready of={loaded}>
      {(programme) => (
        <Page
          title={programme.name}
          sub={programme.description ?? w.sub}
          actions={<a href={path('campaigns', programme.id)}>{words.loyalty.settings}</a>}
        >
          <Figures id={programme.id} />
          <div class="columns">
            <div class="stack">
              <Ladder id={programme.id} />
              <Members id={programme.id} />
            </div>
            <div class="stack">
              <Earning id={programme.id} />
              <Rewards id={programme.id} />
            </div>
          </div>
        </Page>
      )}
    </Ready>
  );
}
