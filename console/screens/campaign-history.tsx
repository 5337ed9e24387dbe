import { Empty, Panel, Ready } from '../components/bits.tsx';
import { api, dataOf, type ParamsOf, type QueryOf, type Schemas } from '../core/api.ts';
import { count, human, money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import type { Redemption } from '../core/redemption.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';

type Campaign = Schemas['Campaign'];
const w = words.history;

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  readonly href?: string;
}

const newest = 10;

function writeRedemption(one: Redemption): string {
  const name = one.voucher?.code ?? one.promotion_tier?.name ?? '';
  if (one.failure_code) return w.refused(name, human(one.failure_code).toLowerCase());
  return one.status === 'ROLLED_BACK' ? w.rolledBack(name) : w.redeemed(name);
}

async function readRedemptions(campaign: string): Promise<Entry[]> {
  const query: QueryOf<'list-redemptions'> = { campaign, limit: newest };
  const { redemptions } = await dataOf(api.GET('/v1/redemptions', { params: { query } }));
  return redemptions.map((one) => ({
    id: one.id,
    at: one.date,
    text: writeRedemption(one),
    href: `${path('redemptions')}?open=${one.id}`,
  }));
}

async function readPublications(campaign: string): Promise<Entry[]> {
  const query: QueryOf<'list-publications'> = { campaign, limit: newest };
  const { publications } = await dataOf(api.GET('/v1/publications', { params: { query } }));
  return publications.map(({ id, created_at: at, customer_id: customer, voucher, result }) => ({
    id,
    at,
    text: (result === 'SUCCESS' ? w.published : w.notPublished)(voucher?.code ?? ''),
    ...(customer ? { href: path('customers', customer) } : {}),
  }));
}

const isRedemption = (type: string) => /_REDEMPTION|_REFUND/.test(type);

/** Reads changes of balances. Redemptions are listed already. */
async function readTransactions(campaignId: string): Promise<Entry[]> {
  const params: ParamsOf<'list-campaign-transactions'> = { path: { campaignId }, query: { limit: newest } };
  const { data } = await dataOf(api.GET('/v1/campaigns/{campaignId}/transactions', { params }));
  return data
    .filter(({ type }) => !isRedemption(type))
    .map(({ id, created_at: at, type, points, amount, reason, voucher_id: voucher }) => ({
      id,
      at,
      text: w.moved(reason ?? human(type), points === undefined ? money(amount) : count(points)),
      href: path('vouchers', voucher),
    }));
}

/** Reads what the API knows of the past. It keeps no earlier terms of a campaign, only the time of the last change. */
async function readHistory({ id, created_at: created, updated_at: updated }: Campaign): Promise<Entry[]> {
  const found = await Promise.all([readRedemptions(id), readPublications(id), readTransactions(id)]);
  const own = [
    { id: 'created', at: created, text: w.created },
    ...(updated ? [{ id: 'updated', at: updated, text: w.updated }] : []),
  ];
  return [...own, ...found.flat()].sort((one, other) => other.at.localeCompare(one.at));
}

/** Shows the past of a campaign, newest first. */
export function CampaignHistory({ campaign }: { campaign: Campaign }) {
  const loaded = useLoad(`${campaign.id}${campaign.updated_at}`, () => readHistory(campaign));
  return (
    <Panel title={w.title}>
      <Ready of={loaded}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={words.customers.quiet} />
          ) : (
            <ol class="timeline">
              {entries.map(({ id, at, text, href }) => (
                <li key={id}>
                  {href ? <a href={href}>{text}</a> : <span>{text}</span>}
                  <small>{time(at)}</small>
                </li>
              ))}
            </ol>
          )
        }
      </Ready>
      <small>{w.hint(count(newest))}</small>
    </Panel>
  );
}
