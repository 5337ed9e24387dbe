import { Empty, Ready } from '../components/bits.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { isOn, writePeriod } from '../core/benefit.ts';
import { dayOf, startOfDayHere } from '../core/days.ts';
import { useLoad } from '../core/load.ts';
import { path, query, setQuery } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.calendar;

type Campaign = Schemas['ListCampaignsReply']['campaigns'][number];

const shownMonths = 3;
const pageSize = 100;
const mostPages = 5;

/** Reads the newest campaigns, up to five hundred. */
async function readCampaigns(): Promise<readonly Campaign[]> {
  const read = (page: number) => dataOf(api.GET('/v1/campaigns', { params: { query: { limit: pageSize, page } } }));
  const first = await read(1);
  const pages = Math.min(mostPages, Math.ceil((first.total ?? 0) / pageSize));
  const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => read(index + 2)));
  return [first, ...others].flatMap(({ campaigns }) => campaigns);
}

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });

/** Returns the month, YYYY-MM, of a moment in the time zone of the browser. */
const monthOf = (moment: Date) => dayOf(moment).slice(0, 7);

function firstDay(month: string | null): Date {
  const isMonth = month !== null && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month);
  return new Date(startOfDayHere(`${isMonth ? month : monthOf(new Date())}-01`));
}

function addMonths(date: Date, months: number): Date {
  return new Date(date.getFullYear(), date.getMonth() + months, 1);
}

interface Span {
  readonly campaign: Campaign;
  readonly from: number;
  readonly to: number;
}

/** Places a campaign on a line from 0 to 1. Undefined if it is outside. */
function toSpan(campaign: Campaign, start: number, end: number): Span | undefined {
  const place = (iso: string | null | undefined, otherwise: number) =>
    iso ? (new Date(iso).getTime() - start) / (end - start) : otherwise;
  const from = place(campaign.start_date, 0);
  const to = place(campaign.expiration_date, 1);
  return from < 1 && to > 0 ? { campaign, from: Math.max(0, from), to: Math.min(1, to) } : undefined;
}

function Line({ span: { campaign, from, to }, today }: { span: Span; today: number }) {
  const { id, name, start_date: start, expiration_date: end, active } = campaign;
  return (
    <li>
      <a href={path('campaigns', id)}>{name}</a>
      <span class="unseen">{writePeriod(start, end)}</span>
      <svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">
        <title>{writePeriod(start, end)}</title>
        {[1, 2].map((third) => (
          <line key={third} class="grid" x1={(third * 1000) / 3} x2={(third * 1000) / 3} y1="0" y2="20" />
        ))}
        <rect
          class={isOn(active) ? 'bar' : 'bar off'}
          x={from * 1000}
          y="4"
          width={Math.max(4, (to - from) * 1000)}
          height="12"
          rx="2"
        />
        {today > 0 && today < 1 && <line class="now" x1={today * 1000} x2={today * 1000} y1="0" y2="20" />}
      </svg>
    </li>
  );
}

/** Shows when campaigns run, three months at a time. The address has the first month. */
export function Calendar() {
  const start = firstDay(query.value.get('month'));
  const end = addMonths(start, shownMonths);
  const [startMs, endMs] = [start.getTime(), end.getTime()];
  const loaded = useLoad('', readCampaigns);
  const today = (Date.now() - startMs) / (endMs - startMs);
  const move = (months: number) => setQuery({ month: monthOf(addMonths(start, months)) });
  return (
    <section class="calendar" aria-label={w.title}>
      <header>
        <button type="button" onClick={() => move(-1)}>
          {w.earlier}
        </button>
        <ol>
          {Array.from({ length: shownMonths }, (_, index) => (
            <li key={index}>{monthName.format(addMonths(start, index))}</li>
          ))}
        </ol>
        <button type="button" onClick={() => move(1)}>
          {w.later}
        </button>
      </header>
      <Ready of={loaded}>
        {(campaigns) => {
          const spans = campaigns.flatMap((one) => toSpan(one, startMs, endMs) ?? []);
          if (spans.length === 0) return <Empty title={w.nothing} />;
          spans.sort((a, b) => a.from - b.from || a.to - b.to);
          return (
            <ol class="lines">
              {spans.map((span) => (
                <Line key={span.campaign.id} span={span} today={today} />
              ))}
            </ol>
          );
        }}
      </Ready>
    </section>
  );
}
