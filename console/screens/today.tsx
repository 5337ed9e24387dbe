import { Badge, Empty, Figure, Page, Panel, Ready, State } from '../components/bits.tsx';
import { type Bar, Bars, Ranking } from '../components/chart.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { writePeriod } from '../core/benefit.ts';
import { ago, compact, count, human, money } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { path, query } from '../core/router.ts';
import { words } from '../words.ts';

type Redemption = Schemas['Redemption'];

const hourInMs = 3_600_000;
const periods = { day: 24 * hourInMs, week: 7 * 24 * hourInMs, month: 30 * 24 * hourInMs } as const;
type Period = keyof typeof periods;

const pageSize = 100;
const mostPages = 10;

/** Reads the newest redemptions of a period, up to a thousand. */
async function readRedemptions(since: Date): Promise<{ redemptions: Redemption[]; total: number }> {
  const read = (page: number) =>
    dataOf(
      api.GET('/v1/redemptions', {
        params: { query: { limit: pageSize, page, created_at: { after: since.toISOString() } } },
      }),
    );
  const first = await read(1);
  const pages = Math.min(mostPages, Math.ceil(first.total / pageSize));
  const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => read(index + 2)));
  return { redemptions: [first, ...others].flatMap((page) => page.redemptions) as Redemption[], total: first.total };
}

const isRefused = ({ result }: Redemption) => result === 'FAILURE';
const discountOf = ({ order }: Redemption) => order?.total_applied_discount_amount ?? order?.total_discount_amount ?? 0;

/** Divides the period into hours or days, oldest first. */
function toBars(redemptions: readonly Redemption[], period: Period, now: number): Bar[] {
  const step = period === 'day' ? hourInMs : 24 * hourInMs;
  const bars = periods[period] / step;
  const label = new Intl.DateTimeFormat(
    undefined,
    period === 'day' ? { hour: '2-digit' } : { day: 'numeric', month: 'short' },
  );
  const places = redemptions.map((one) => ({ one, at: Math.floor((now - new Date(one.date).getTime()) / step) }));
  return Array.from({ length: bars }, (_, index) => {
    const own = places.filter(({ at }) => at === bars - 1 - index).map(({ one }) => one);
    const refused = own.filter(isRefused).length;
    return { label: label.format(now - (bars - 1 - index) * step), value: own.length - refused, second: refused };
  });
}

function ranked(names: readonly string[]): Bar[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([label, { length }]) => ({ label, value: length }))
    .sort((a, b) => b.value - a.value)
    .slice(0, 6);
}

function isRunning(
  { active, start_date: start, expiration_date: end }: Schemas['ListCampaignsReply']['campaigns'][number],
  now: string,
): boolean {
  return Boolean(active) && (!start || start <= now) && (!end || end > now);
}

/** Shows how the day goes. */
export function Today() {
  const asked = query.value.get('period');
  const period: Period = asked === 'day' || asked === 'month' ? asked : 'week';
  const now = Date.now();
  const redemptions = useLoad(period, () => readRedemptions(new Date(now - periods[period])));
  const campaigns = useLoad('', () => dataOf(api.GET('/v1/campaigns', { params: { query: { limit: 100 } } })));
  const work = useLoad('', () => dataOf(api.GET('/v1/async-actions', { params: { query: { limit: 6 } } })));
  return (
    <Page
      title={words.screens.today}
      sub={words.today.sub}
      actions={
        <nav class="tabs" aria-label={words.today.period}>
          {(['day', 'week', 'month'] as const).map((one) => (
            <a key={one} href={`?period=${one}`} aria-current={one === period ? 'true' : undefined}>
              {words.today.periods[one]}
            </a>
          ))}
        </nav>
      }
    >
      <Ready of={redemptions}>
        {({ redemptions: all, total }) => {
          const refused = all.filter(isRefused);
          const done = all.filter(({ status }) => status === 'SUCCEEDED');
          const running = (campaigns.data?.campaigns ?? []).filter((one) =>
            isRunning(one, new Date(now).toISOString()),
          );
          return (
            <>
              <div class="figures">
                <Figure
                  label={words.today.redemptions}
                  value={compact(total - refused.length)}
                  href={path('redemptions')}
                />
                <Figure
                  label={words.today.discount}
                  value={money(done.reduce((sum, one) => sum + discountOf(one), 0))}
                />
                <Figure
                  label={words.today.refusals}
                  value={compact(refused.length)}
                  href={`${path('redemptions')}?result=FAILURE`}
                />
                <Figure
                  label={words.today.points}
                  value={compact(all.reduce((sum, { loyalty_card: card }) => sum + (card?.points ?? 0), 0))}
                />
                <Figure label={words.today.running} value={count(running.length)} href={path('campaigns')} />
              </div>
              <Panel title={words.today.chart[period]}>
                <Bars
                  title={words.today.chart[period]}
                  bars={toBars(all, period, now)}
                  write={count}
                  names={[words.today.redemptions, words.today.refused]}
                />
                {total > all.length && <small>{words.today.latest(count(all.length), count(total))}</small>}
              </Panel>
              <div class="columns">
                <Panel title={words.today.byCampaign}>
                  {done.length === 0 ? (
                    <Empty title={words.today.quiet} hint={words.today.quietHint} />
                  ) : (
                    <Ranking
                      rows={ranked(
                        done.map(
                          ({ voucher, promotion_tier: tier }) =>
                            voucher?.campaign ?? tier?.name ?? words.today.standalone,
                        ),
                      )}
                      write={count}
                    />
                  )}
                </Panel>
                <Panel title={words.today.reasons}>
                  {refused.length === 0 ? (
                    <Empty title={words.today.noRefusals} />
                  ) : (
                    <Ranking rows={ranked(refused.map(({ failure_code: code }) => human(code)))} write={count} />
                  )}
                </Panel>
              </div>
              <div class="columns">
                <Panel title={words.today.running}>
                  <Table
                    rows={running.slice(0, 8)}
                    idOf={({ id }) => id}
                    columns={[
                      { title: words.name, cell: ({ id, name }) => <a href={path('campaigns', id)}>{name}</a> },
                      { title: words.dates, cell: (one) => writePeriod(one.start_date, one.expiration_date) },
                      { title: words.codes, isNumber: true, cell: (one) => count(one.vouchers_count) },
                    ]}
                  />
                </Panel>
                <Panel title={words.screens.work} actions={<a href={path('work')}>{words.all}</a>}>
                  {work.data?.async_actions.length ? (
                    <Table
                      rows={work.data.async_actions}
                      idOf={({ id }) => id}
                      columns={[
                        {
                          title: words.work.kind,
                          cell: ({ id, type }) => <a href={`${path('work')}?open=${id}`}>{human(type)}</a>,
                        },
                        {
                          title: words.state,
                          cell: ({ operation_status: outcome, status }) => (
                            <State of={outcome === 'FAILED' ? outcome : status} />
                          ),
                        },
                        { title: words.started, isNumber: true, cell: (one) => ago(one.created_at) },
                      ]}
                    />
                  ) : (
                    <Empty title={words.work.empty[0]} />
                  )}
                </Panel>
              </div>
            </>
          );
        }}
      </Ready>
      {campaigns.refusal && <Badge tone="warm">{words.noScope}</Badge>}
    </Page>
  );
}
