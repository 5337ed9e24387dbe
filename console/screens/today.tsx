import { Badge, Empty, Figure, Page, Panel, Ready } from '../components/bits.tsx';
import { Bars, Ranking } from '../components/chart.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { isOn } from '../core/benefit.ts';
import {
  countResults,
  discountOf,
  isRefused,
  type Period,
  periods,
  rank,
  readRedemptions,
  sumDiscounts,
  toBars,
} from '../core/day.ts';
import { compact, count, human, money } from '../core/format.ts';
import { useFollow, useLoad } from '../core/load.ts';
import type { Redemption } from '../core/redemption.ts';
import { path, query } from '../core/router.ts';
import { words } from '../words.ts';
import { FailedDeliveries, LatestWork, PointFigures, Running } from './today-parts.tsx';

const nameOf = ({ voucher, promotion_tier: tier }: Redemption) =>
  voucher?.campaign ?? tier?.name ?? words.today.standalone;

function isRunning(
  { active, start_date: start, expiration_date: end }: Schemas['ListCampaignsReply']['campaigns'][number],
  now: string,
): boolean {
  return isOn(active) && (!start || start <= now) && (!end || end > now);
}

const everyMs = 5_000;

/** Shows how the day goes. */
export function Today() {
  const asked = query.value.get('period');
  const period: Period = asked === 'day' || asked === 'month' ? asked : 'week';
  const now = Date.now();
  const redemptions = useLoad(period, () => readRedemptions(new Date(now - periods[period])));
  const isQuiet = redemptions.data?.total === 0;
  // A new shop has its first redemption soon, and a person waits for it here.
  useFollow(isQuiet, redemptions, undefined, everyMs);
  const campaigns = useLoad('', () => dataOf(api.GET('/v1/campaigns', { params: { query: { limit: 100 } } })));
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
                <PointFigures period={period} now={now} />
                <Figure label={words.today.running} value={count(running.length)} href={path('campaigns')} />
              </div>
              <div class="columns">
                <Panel title={words.today.chart[period]}>
                  <Bars
                    title={words.today.chart[period]}
                    bars={toBars(all, period, now, countResults)}
                    write={count}
                    names={[words.today.redemptions, words.today.refused]}
                  />
                </Panel>
                <Panel title={words.today.discountChart[period]}>
                  <Bars
                    title={words.today.discountChart[period]}
                    bars={toBars(all, period, now, sumDiscounts)}
                    write={money}
                    names={[words.today.discount]}
                  />
                </Panel>
              </div>
              {total > all.length && <small>{words.today.latest(count(all.length), count(total))}</small>}
              <div class="columns">
                <Panel title={words.today.byCampaign}>
                  {done.length === 0 ? (
                    <Empty title={words.today.quiet} hint={words.today.quietHint} />
                  ) : (
                    <Ranking rows={rank(done.map(nameOf))} write={count} />
                  )}
                </Panel>
                <Panel title={words.today.reasons}>
                  {refused.length === 0 ? (
                    <Empty title={words.today.noRefusals} />
                  ) : (
                    <Ranking rows={rank(refused.map(({ failure_code: code }) => human(code)))} write={count} />
                  )}
                </Panel>
              </div>
              <div class="columns">
                <Running campaigns={running} />
                <LatestWork />
                <FailedDeliveries />
              </div>
            </>
          );
        }}
      </Ready>
      {campaigns.refusal && <Badge tone="warm">{words.noScope}</Badge>}
    </Page>
  );
}
