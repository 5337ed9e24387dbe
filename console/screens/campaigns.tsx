import { Page, State, Switch } from '../components/bits.tsx';
import { List } from '../components/list.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { writeKind, writeOffer, writePeriod } from '../core/benefit.ts';
import { count, date } from '../core/format.ts';
import { wordOf } from '../core/part.ts';
import { path, query } from '../core/router.ts';
import { words } from '../words.ts';
import { Calendar } from './calendar.tsx';
import { CampaignView } from './campaign.tsx';

type Row = Schemas['ListCampaignsReply']['campaigns'][number];

/** Finds the campaign of an exact name or id, and parts of the names of the newest hundred. */
async function find(text: string, kind: Row['campaign_type'] | undefined): Promise<Row[]> {
  const query: QueryOf<'list-campaigns'> = { limit: 100, campaign_type: kind };
  const [{ data: exact }, { campaigns }] = await Promise.all([
    api.GET('/v1/campaigns/{campaignId}', { params: { path: { campaignId: text } } }),
    dataOf(api.GET('/v1/campaigns', { params: { query } })),
  ]);
  const named = campaigns.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  return exact && !named.some(({ id }) => id === exact.id) ? [exact, ...named] : named;
}

function Views() {
  const isCalendar = query.value.get('view') === 'calendar';
  return (
    <nav class="tabs" aria-label={words.screens.campaigns}>
      <a href="?" aria-current={isCalendar ? undefined : 'true'}>
        {words.calendar.list}
      </a>
      <a href="?view=calendar" aria-current={isCalendar ? 'true' : undefined}>
        {words.calendar.title}
      </a>
    </nav>
  );
}

const kinds = ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'LOYALTY_PROGRAM', 'PROMOTION', 'REFERRAL_PROGRAM'] as const;

export function Campaigns() {
  const actions = (
    <>
      <Views />
      <a class="main" href={path('campaigns', 'new')}>
        {words.campaigns.create}
      </a>
    </>
  );
  if (query.value.get('view') === 'calendar') {
    return (
      <Page title={words.screens.campaigns} sub={words.calendar.sub} actions={actions}>
        <Calendar />
      </Page>
    );
  }
  return (
    <List<Row, 'created_at'>
      title={words.screens.campaigns}
      actions={actions}
      search={words.campaigns.search}
      facets={[{ name: 'kind', label: words.campaigns.anyKind, choices: Object.entries(words.campaigns.kinds) }]}
      empty={words.campaigns.empty}
      idOf={({ id }) => id}
      detail={(id) => <CampaignView id={id} />}
      load={async ({ limit, page, order, text, facet }) => {
        const kind = wordOf(kinds, facet('kind'));
        if (text) return { rows: await find(text, kind) };
        const query: QueryOf<'list-campaigns'> = { limit, page, order, campaign_type: kind };
        const { campaigns, total } = await dataOf(api.GET('/v1/campaigns', { params: { query } }));
        return { rows: campaigns, total };
      }}
      columns={[
        { title: words.name, cell: ({ name }) => name },
        { title: words.kind, isExtra: true, cell: (one) => writeKind(one.campaign_type) },
        { title: words.vouchers.gives, cell: writeOffer },
        { title: words.dates, isExtra: true, cell: (one) => writePeriod(one.start_date, one.expiration_date) },
        { title: words.codes, isNumber: true, cell: (one) => count(one.vouchers_count) },
        {
          title: words.state,
          cell: (one) =>
            one.vouchers_generation_status === 'IN_PROGRESS' ? (
              <State of="IN_PROGRESS" />
            ) : (
              <Switch active={one.active} />
            ),
        },
        { title: words.created, order: 'created_at', isExtra: true, cell: (one) => date(one.created_at) },
      ]}
    />
  );
}
