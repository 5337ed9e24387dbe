import { Code, Facts, Figure, Metadata, Page, Panel, Ready, State, Switch } from '../components/bits.tsx';
import { RuleWords } from '../components/sentences.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { writeBenefit, writeKind, writeOffer, writePeriod } from '../core/benefit.ts';
import { compact, count, human, money, time } from '../core/format.ts';
import { useFollow, useLoad } from '../core/load.ts';
import { path } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { words } from '../words.ts';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignHistory } from './campaign-history.tsx';

type Campaign = Schemas['Campaign'];

/** Maps a counter to the counter that is subtracted from it. */
const takenBack: Readonly<Record<string, string>> = {
  redemptions_succeeded: 'rollbacks_succeeded',
  orders_amount: 'orders_rolledback_amount',
  discounted_amount: 'rolledback_discounted_amount',
  amount_redeemed: 'amount_rolledback',
  points_redeemed: 'points_rolledback',
};

const whole: ReadonlySet<string> = new Set([
  ...Object.values(takenBack),
  ...['redemptions', 'rollbacks', 'rollbacks_failed', 'publications', 'validations'],
]);

/** Lists the counters of a campaign less what rollbacks took back, and leaves out sums of a success and a failure. */
function listNet(summary: object): (readonly [string, number])[] {
  const numbers = Object.entries(summary).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );
  const known = new Map(numbers);
  return numbers
    .filter(([name]) => !whole.has(name))
    .map(([name, value]) => [name, value - (known.get(takenBack[name] ?? '') ?? 0)] as const);
}

/** Shows the figures of a campaign. Counters that are still zero stay hidden. */
function Summary({ id, version }: { id: string; version: unknown }) {
  const params = { path: { campaignId: id } };
  const loaded = useLoad(`${id}${version}`, () => dataOf(api.GET('/v1/campaigns/{campaignId}/summary', { params })));
  return (
    <Ready of={loaded}>
      {(summary) => {
        const figures = listNet(summary).filter(([, value]) => value !== 0);
        if (figures.length === 0) return <small>{words.campaigns.noFigures}</small>;
        return (
          <div class="figures">
            {figures.slice(0, 12).map(([name, value]) => (
              <Figure
                key={name}
                label={words.campaigns.figures[name] ?? human(name)}
                value={name.includes('amount') ? money(value) : compact(value)}
              />
            ))}
          </div>
        );
      }}
    </Ready>
  );
}

function Codes({ campaign }: { campaign: Campaign }) {
  const query: QueryOf<'list-vouchers'> = { campaign_id: campaign.id, limit: 10 };
  const loaded = useLoad(`${campaign.id}${campaign.vouchers_count}`, () =>
    dataOf(api.GET('/v1/vouchers', { params: { query } })),
  );
  return (
    <Panel title={`${words.codes} · ${count(campaign.vouchers_count)}`}>
      <Ready of={loaded}>
        {({ vouchers }) => (
          <Table
            rows={vouchers}
            idOf={({ id }) => id}
            columns={[
              {
                title: words.vouchers.code,
                cell: ({ code }) => (
                  <a href={path('vouchers', code)}>
                    <code>{code}</code>
                  </a>
                ),
              },
              { title: words.vouchers.gives, cell: writeBenefit },
              { title: words.uses, isNumber: true, cell: ({ redemption }) => count(redemption?.redeemed_quantity) },
            ]}
          />
        )}
      </Ready>
    </Panel>
  );
}

/** Shows the rules of an object in words. */
export function RulesOf({ id }: { id: string }) {
  const query: QueryOf<'list-validation-rules-assignments'> = { related_object_id: id, limit: 20 };
  const loaded = useLoad(id, async () => {
    const { data } = await dataOf(api.GET('/v1/validation-rules-assignments', { params: { query } }));
    const own = data.filter((one) => one.related_object_id === id);
    return Promise.all(
      own.map(({ rule_id: rule }) =>
        dataOf(api.GET('/v1/validation-rules/{validationRuleId}', { params: { path: { validationRuleId: rule } } })),
      ),
    );
  });
  if (!loaded.data?.length) return null;
  return (
    <Panel title={words.screens.rules}>
      {loaded.data.map((rule) => (
        <div key={rule.id} class="stack">
          <h3>{rule.name}</h3>
          <RuleWords rules={rule.rules} />
        </div>
      ))}
    </Panel>
  );
}

/** Shows a campaign, and follows its generation until every code exists. */
export function CampaignView({ id }: { id: string }) {
  const params = { path: { campaignId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/campaigns/{campaignId}', { params })));
  const isGenerating = loaded.data?.vouchers_generation_status === 'IN_PROGRESS';
  useFollow(isGenerating, loaded);
  return (
    <Ready of={loaded} isWhole>
      {(campaign) => (
        <Page
          title={campaign.name}
          sub={campaign.description ?? writeOffer(campaign)}
          actions={<CampaignActions campaign={campaign} changed={loaded.reload} />}
        >
          <Summary id={id} version={campaign.vouchers_count} />
          <div class="columns">
            <div class="stack">
              {campaign.campaign_type !== 'PROMOTION' && <Codes campaign={campaign} />}
              <RulesOf id={campaign.id} />
              <CampaignHistory campaign={campaign} />
            </div>
            <div class="stack">
              <Panel title={words.details}>
                <Facts
                  rows={[
                    [words.state, <Switch key="state" active={campaign.active} />],
                    [words.campaigns.generation, <State key="codes" of={campaign.vouchers_generation_status} />],
                    [words.kind, writeKind(campaign.campaign_type)],
                    [words.vouchers.gives, writeOffer(campaign)],
                    [words.dates, writePeriod(campaign.start_date, campaign.expiration_date)],
                    [words.campaigns.pattern, campaign.voucher?.code_config?.pattern],
                    [words.category, campaign.categories?.map(({ name }) => name).join(', ')],
                    [words.created, time(campaign.created_at)],
                    [words.id, <Code key="id">{campaign.id}</Code>],
                  ]}
                />
              </Panel>
              <Metadata of={campaign.metadata} />
            </div>
          </div>
        </Page>
      )}
    </Ready>
  );
}

export function CampaignPage({ params }: ScreenProps) {
  return <CampaignView id={params.id ?? ''} />;
}
