import { Empty, Figure, Page, Panel, Ready, Switch } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { type Entered, EntryForm, Field } from '../components/field.tsx';
import { Table } from '../components/table.tsx';
import { api, type BodyOf, dataOf, type ParamsOf, type Schemas } from '../core/api.ts';
import { isOn } from '../core/benefit.ts';
import type { CampaignFigure } from '../core/campaign-figure.ts';
import { compact, count, human, money } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { actSoon, attempt } from '../core/notice.ts';
import { path } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { words } from '../words.ts';
import { NewEarningRule } from './new-earning-rule.tsx';
import { Expiring, Liability } from './programme-liability.tsx';
import { Members, Rewards } from './programme-parts.tsx';

const w = words.loyalty;

function AddTier({ id, added }: { id: string; added: () => void }) {
  const send = async (get: Entered, close: () => void) => {
    const body: BodyOf<'create-loyalty-tiers'> = [{ name: get('name'), points: { from: Number(get('from')) } }];
    const params = { path: { campaignId: id } };
    const act = () => dataOf(api.POST('/v1/loyalties/{campaignId}/tiers', { params, body }));
    if (await attempt(w.tierAdded(get('name')), act)) close();
    added();
  };
  return (
    <DialogButton label={w.addTier}>
      {(close) => (
        <EntryForm submit={w.addTier} send={(get) => send(get, close)}>
          <Field name="name" label={words.name} />
          <Field name="from" label={w.from} type="count" min={0} />
        </EntryForm>
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
  if (loyalty.type === 'FIXED') return w.gives(count(loyalty.points));
  if (loyalty.calculation_type !== 'ORDER_AMOUNT') return w.proportional;
  const { every, points } = loyalty.order.amount;
  return w.givesFor(count(points), money(every));
}

interface EarningActionsProps {
  readonly campaignId: string;
  readonly rule: Schemas['EarningRule'];
  readonly changed: () => void;
}

/** Switches an earning rule, and deletes it unless that is undone in time. */
function EarningActions({ campaignId, rule, changed }: EarningActionsProps) {
  const params = { path: { campaignId, earningRuleId: rule.id } };
  const path = '/v1/loyalties/{campaignId}/earning-rules/{earningRuleId}';
  const enable = () => dataOf(api.POST(`${path}/enable`, { params }));
  const disable = () => dataOf(api.POST(`${path}/disable`, { params }));
  const name = human(rule.event);
  const isActive = isOn(rule.active);
  const flip = async () => {
    const [act, back] = isActive ? [disable, enable] : [enable, disable];
    await attempt(isActive ? words.switchedOff : words.switchedOn, act, () =>
      attempt(words.undone, back).then(changed),
    );
    changed();
  };
  const remove = () => actSoon(words.deleted(w.rule(name)), () => dataOf(api.DELETE(path, { params })), changed);
  return (
    <span class="actions">
      <button type="button" aria-label={w.flip(name, isActive)} onClick={flip}>
        {isActive ? words.switchOff : words.switchOn}
      </button>
      <button type="button" aria-label={words.deleted(w.rule(name))} onClick={remove}>
        {words.delete}
      </button>
    </span>
  );
}

function Earning({ id }: { id: string }) {
  const params: ParamsOf<'list-earning-rules'> = { path: { campaignId: id }, query: { limit: 50 } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/loyalties/{campaignId}/earning-rules', { params })));
  return (
    <Panel title={w.earning} actions={<NewEarningRule id={id} added={loaded.reload} />}>
      <Ready of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={w.noEarning} />
          ) : (
            <Table
              rows={data}
              idOf={({ id: rule }) => rule}
              columns={[
                { title: w.event, cell: ({ event }) => human(event) },
                { title: words.points, cell: writeEarning },
                { title: words.state, cell: ({ active }) => <Switch active={active} /> },
                {
                  title: words.change,
                  isNumber: true,
                  cell: (rule) => <EarningActions campaignId={id} rule={rule} changed={loaded.reload} />,
                },
              ]}
            />
          )
        }
      </Ready>
    </Panel>
  );
}

const mostSummed = 100;

/** Sums what the cards hold. Undefined if there are too many cards to ask for. */
async function sumBalances(campaignId: string): Promise<number | undefined> {
  const params: ParamsOf<'list-members'> = { path: { campaignId }, query: { limit: mostSummed } };
  const { vouchers, total } = await dataOf(api.GET('/v1/loyalties/{campaignId}/members', { params }));
  if (total > mostSummed) return undefined;
  return vouchers.reduce((sum, { loyalty_card: card }) => sum + (card?.balance ?? 0), 0);
}

const pendingAtOnce = 100;
const mostPages = 20;

/** Sums the list of pending points, which also has those that a project file brought. Undefined if it is very long. */
async function sumPending(campaignId: string): Promise<number | undefined> {
  let sum = 0;
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const query = { limit: pendingAtOnce, starting_after_id: after };
    const params: ParamsOf<'list-campaign-pending-points'> = { path: { campaignId }, query };
    const reply = await dataOf(api.GET('/v1/loyalties/{campaignId}/pending-points', { params }));
    sum += reply.data.reduce((all, { points }) => all + points, 0);
    after = reply.more_starting_after;
    if (!reply.has_more) return sum;
  }
  return undefined;
}

/** Shows the points that a programme gave, took and still owes. Summaries leave out what project files brought. */
function Figures({ id }: { id: string }) {
  const params = { path: { campaignId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/campaigns/{campaignId}/summary', { params })));
  const held = useLoad(id, () => sumBalances(id));
  const pending = useLoad(id, () => sumPending(id));
  const { data } = loaded;
  if (!data || held.isLoading || pending.isLoading) return null;
  const sum = (names: readonly CampaignFigure[]) => names.reduce((all, name) => all + (data[name] ?? 0), 0);
  const issued = sum(['created_vouchers_points', 'points_added', 'points_rewarded', 'points_transferred_in']);
  const spent = sum(['points_redeemed']) - sum(['points_rolledback']);
  const expired = sum(['points_expired']);
  const ended = expired + sum(['points_subtracted', 'points_deleted', 'points_transferred_out']);
  return (
    <div class="figures">
      <Figure label={w.figures.issued} value={compact(issued)} />
      <Figure label={w.figures.spent} value={compact(spent)} />
      <Figure label={w.figures.expired} value={compact(expired)} />
      <Figure label={w.figures.owed} value={compact(held.data ?? Math.max(0, issued - spent - ended))} />
      <Figure label={w.figures.pending} value={pending.data === undefined ? '–' : compact(pending.data)} />
    </div>
  );
}

export function ProgrammePage({ params }: ScreenProps) {
  const id = params.id ?? '';
  const loaded = useLoad(id, () =>
    dataOf(api.GET('/v1/loyalties/{campaignId}', { params: { path: { campaignId: id } } })),
  );
  return (
    <Ready of={loaded} isWhole>
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
              <Expiring id={programme.id} />
              <Liability id={programme.id} />
            </div>
          </div>
        </Page>
      )}
    </Ready>
  );
}
