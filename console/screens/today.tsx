import { Badge, Page, Panel, Ready } from '../components/bits.tsx';
import { Bars } from '../components/chart.tsx';
import { api, dataOf } from '../core/api.ts';
import { units } from '../core/currency.ts';
import { type Day, readDay, type Step } from '../core/day.ts';
import { type DayRange, type Period, periods, rangeOf } from '../core/day-range.ts';
import { count, money, writeStep } from '../core/format.ts';
import { useFollow, useLoad } from '../core/load.ts';
import { wordOf } from '../core/part.ts';
import { address, query } from '../core/router.ts';
import { words } from '../words.ts';
import { AskWhy, Needs } from './today-needs.tsx';
import { Figures, LatestCheckouts, Ranked, Running, useDemoLife } from './today-parts.tsx';

const w = words.today;
const everyMs = 5_000;

/** Returns the address of the same screen, with one bar chosen or let go. */
function addressOf(key: string, isChosen: boolean): string {
  const params = new URLSearchParams(query.value);
  if (isChosen) params.delete('at');
  else params.set('at', key);
  return `${address.value.pathname}?${params}`;
}

interface ChartsProps {
  readonly day: Day;
  readonly period: Period;
  readonly chosen: string | undefined;
}

function Charts({ day: { steps }, period, chosen }: ChartsProps) {
  const toBar = ({ key }: Step) => ({
    label: writeStep(key),
    href: addressOf(key, key === chosen),
    isChosen: key === chosen,
  });
  return (
    <div class="columns">
      <Panel title={w.chart[period]}>
        <Bars
          title={w.chart[period]}
          bars={steps.map((one) => ({ ...toBar(one), value: one.uses, second: one.refusals }))}
          write={count}
          names={[w.redemptionsOf, w.refused]}
        />
      </Panel>
      <Panel title={w.discountChart[period]}>
        <Bars
          title={w.discountChart[period]}
          bars={steps.map((one) => ({ ...toBar(one), value: one.discount }))}
          write={money}
          names={[w.discountOf]}
        />
      </Panel>
    </div>
  );
}

const timezoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function sayDays({ timezone }: DayRange, day: Day | undefined): string {
  return `${w.days(timezone)} ${day?.isOfFacts === false ? w.ofList : ''}`;
}

/** Shows the figures of the day, exactly, and what needs attention. */
export function Today() {
  const period = wordOf<Period>(['day', 'week', 'month'], query.value.get('period')) ?? 'week';
  const now = Date.now();
  const range = rangeOf(period, now, units.value?.timezone ?? timezoneHere());
  const asked = query.value.get('at');
  const chosen = asked && range.steps.includes(asked) ? asked : undefined;
  const day = useLoad(`${period}${range.to}`, () => readDay(range));
  const isBeingMade = useDemoLife(now);
  const isQuiet = day.data !== undefined && day.data.now.uses === 0 && day.data.now.refusals === 0;
  // A new shop has its first redemption soon, and a person waits for it here.
  useFollow(isQuiet || isBeingMade, day, undefined, everyMs);
  const campaigns = useLoad('', () => dataOf(api.GET('/v1/campaigns', { params: { query: { limit: 100 } } })));
  const known = campaigns.data?.campaigns ?? [];
  return (
    <Page
      title={words.screens.today}
      sub={sayDays(range, day.data)}
      actions={
        <nav class="tabs" aria-label={w.period}>
          {(['day', 'week', 'month'] as const).map((one) => (
            <a key={one} href={`?period=${one}`} aria-current={one === period ? 'true' : undefined}>
              {w.periods[one]}
            </a>
          ))}
        </nav>
      }
    >
      {isBeingMade && <p class="told">{w.beingMade}</p>}
      <Ready of={day}>
        {(data) => (
          <>
            <Figures day={data} range={range} days={periods[period]} />
            <div class="columns lead">
              <Charts day={data} period={period} chosen={chosen} />
              <div class="stack">
                <Needs campaigns={campaigns.data?.campaigns} range={range} now={now} />
                <AskWhy />
                <Running campaigns={known} now={now} />
              </div>
            </div>
            {data.ofMany !== undefined && <small>{w.latest(count(data.ofMany))}</small>}
            <LatestCheckouts range={range} chosen={chosen} version={day.answers} />
            <Ranked day={data} campaigns={known} />
          </>
        )}
      </Ready>
      {campaigns.refusal && <Badge tone="warm">{words.noScope}</Badge>}
    </Page>
  );
}
