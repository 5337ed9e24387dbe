import { useSignal } from '@preact/signals';
import { Empty, Figure, Panel, Ready } from '../components/bits.tsx';
import { Ranking } from '../components/chart.tsx';
import { CheckoutTable } from '../components/checkouts.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { writePeriod } from '../core/benefit.ts';
import { foldCheckouts, wholeOnly } from '../core/checkouts.ts';
import { comparePoints, type Day } from '../core/day.ts';
import { type DayRange, momentsOf } from '../core/day-range.ts';
import { compact, count, human, money, writeStep } from '../core/format.ts';
import { useFollow, useLoad } from '../core/load.ts';
import { isRunning } from '../core/needs.ts';
import { path } from '../core/router.ts';
import { findDemoKey } from '../core/session.ts';
import { words } from '../words.ts';

const w = words.today;

type Campaign = Schemas['ListCampaignsReply']['campaigns'][number];

const mostChange = 1_000;

/** Says how a figure was before, and by how much it changed. Today is not over, so that a share of yesterday says nothing. */
function compare(now: number, before: number, days: number, write: (value: number) => string): string {
  if (days === 1) return w.yesterday(write(before));
  const change = before > 0 ? Math.round((100 * (now - before)) / before) : 0;
  // A share of very little says nothing.
  const isTelling = change !== 0 && change < mostChange;
  return w.before(write(before), isTelling ? w.change(change) : '');
}

interface FiguresProps {
  readonly day: Day;
  readonly range: DayRange;
  readonly days: number;
}

export function Figures({ day, range, days }: FiguresProps) {
  const { data: points } = useLoad(`${range.from}${range.to}`, () => comparePoints(range));
  const { now, before, refusedValidations } = day;
  const all = path('redemptions');
  const notes = [
    compare(now.uses, before.uses, days, compact),
    now.rollbacks > 0 ? w.rolledBack(count(now.rollbacks)) : '',
  ];
  const looked = refusedValidations ? w.validations(count(refusedValidations)) : '';
  const point = (name: 'issued' | 'spent') =>
    points
      ? { value: compact(points.now[name]), note: compare(points.now[name], points.before[name], days, compact) }
      : { value: '–' };
  return (
    <div class="figures">
      <Figure label={w.redemptions} value={compact(now.uses)} note={notes.filter(Boolean).join(' · ')} href={all} />
      <Figure
        label={w.discount}
        value={money(now.discount)}
        note={compare(now.discount, before.discount, days, money)}
      />
      <Figure
        label={w.turnover}
        value={money(now.turnover)}
        note={compare(now.turnover, before.turnover, days, money)}
      />
      <Figure
        label={w.refusals}
        value={compact(now.refusals)}
        note={[compare(now.refusals, before.refusals, days, compact), looked].filter(Boolean).join(' · ')}
        href={`${all}?result=FAILURE`}
      />
      <Figure label={w.issued} {...point('issued')} href={path('loyalty')} />
      <Figure label={w.spent} {...point('spent')} href={path('loyalty')} />
    </div>
  );
}

const mostRanked = 6;

export function Ranked({ day, campaigns }: { day: Day; campaigns: readonly Campaign[] }) {
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  const ranked = day.campaigns
    .filter(({ uses }) => uses !== 0)
    .sort((one, other) => other.uses - one.uses)
    .slice(0, mostRanked)
    .map(({ id, name, uses }) => ({
      label: id === undefined ? w.standalone : (names.get(id) ?? name ?? id),
      value: uses,
      href: id === undefined ? undefined : path('campaigns', id),
    }));
  const reasons = day.reasons
    .filter(({ refusals }) => refusals > 0)
    .sort((one, other) => other.refusals - one.refusals)
    .slice(0, mostRanked)
    .map(({ code, refusals }) => ({ label: human(code), value: refusals }));
  return (
    <div class="columns">
      <Panel title={w.byCampaign}>
        {ranked.length === 0 ? <Empty title={w.quiet} hint={w.quietHint} /> : <Ranking rows={ranked} write={count} />}
      </Panel>
      <Panel title={w.reasons}>
        {reasons.length === 0 ? <Empty title={w.noRefusals} /> : <Ranking rows={reasons} write={count} />}
      </Panel>
    </div>
  );
}

const mostShown = 8;

interface LatestProps {
  readonly range: DayRange;
  readonly chosen: string | undefined;
  readonly version: number;
}

/** Lists the newest checkouts of the period, or of the chosen bar. */
export function LatestCheckouts({ range, chosen, version }: LatestProps) {
  const { after } = momentsOf(range.from, range.timezone);
  const within = chosen ? momentsOf(chosen, range.timezone) : { after };
  const loaded = useLoad(`${chosen}${range.from}${version}`, async () => {
    const query: QueryOf<'list-redemptions'> = { limit: mostShown, created_at: within, filters: wholeOnly };
    const { redemptions, total } = await dataOf(api.GET('/v1/redemptions', { params: { query } }));
    return { rows: await foldCheckouts(redemptions), total };
  });
  const at = chosen ? `?at=${chosen}` : '';
  return (
    <Panel
      title={chosen ? w.checkoutsAt(writeStep(chosen)) : w.checkouts}
      actions={<a href={path('redemptions') + at}>{words.all}</a>}
    >
      <Ready of={loaded}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty title={w.quiet} />
          ) : (
            <>
              <CheckoutTable rows={rows} />
              <small>{w.shown(count(rows.length), count(total))}</small>
            </>
          )
        }
      </Ready>
    </Panel>
  );
}

export function Running({ campaigns, now }: { campaigns: readonly Campaign[]; now: number }) {
  const running = campaigns.filter((one) => isRunning(one, now));
  return (
    <Panel title={w.running(count(running.length))} actions={<a href={path('campaigns')}>{words.all}</a>}>
      <Table
        rows={running.slice(0, mostShown)}
        idOf={({ id }) => id}
        columns={[
          { title: words.name, cell: ({ id, name }) => <a href={path('campaigns', id)}>{name}</a> },
          { title: words.dates, cell: (one) => writePeriod(one.start_date, one.expiration_date) },
          { title: words.codes, isNumber: true, cell: (one) => count(one.vouchers_count) },
        ]}
      />
    </Panel>
  );
}

const dayInMs = 86_400_000;
const everyMs = 2_000;

/** Returns whether the demo still lives through its months, oldest day first, as its newest redemption shows. */
export function useDemoLife(now: number): boolean {
  const first = useSignal<string | undefined>(undefined);
  const newest = useLoad('', async () => {
    if (!findDemoKey()) return '';
    const { redemptions } = await dataOf(api.GET('/v1/redemptions', { params: { query: { limit: 1 } } }));
    const date = redemptions[0]?.date ?? '';
    first.value ??= date;
    return date;
  });
  const { data = '' } = newest;
  const isOld = data !== '' && Date.parse(data) < now - 2 * dayInMs;
  useFollow(isOld && newest.answers < 60, newest, undefined, everyMs);
  // A demo of last week is as old, but its newest redemption stays the same.
  return isOld && data !== first.value;
}
