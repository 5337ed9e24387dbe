import type { ComponentChildren } from 'preact';
import { Badge, Empty, Panel, type Tone } from '../components/bits.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import type { DayRange } from '../core/day-range.ts';
import { ago, date, human, money } from '../core/format.ts';
import { type Loaded, useLoad } from '../core/load.ts';
import { endsSoon, isRunning, readBudgets, readEndingCodes, readFailedWork, readWebhookNeeds } from '../core/needs.ts';
import { go, path } from '../core/router.ts';
import { managementKey } from '../core/session.ts';
import { words } from '../words.ts';

const w = words.today.needs;

type Campaign = Schemas['ListCampaignsReply']['campaigns'][number];

interface Need {
  readonly key: string;
  readonly tone: Tone;
  readonly kind: string;
  readonly what: ComponentChildren;
}

/** Says how many rows failed. The list of work does not know it. */
function FailedRows({ id }: { id: string }) {
  const params = { path: { asyncActionId: id } };
  const { data } = useLoad(id, () => dataOf(api.GET('/v1/async-actions/{asyncActionId}', { params })));
  const failed = data?.result?.failed_count;
  return <>{failed ? ` · ${w.rows(failed)}` : ''}</>;
}

/** Returns the last day before an end, which is excluded. */
const lastDay = (end: string | null | undefined) => date(end && new Date(Date.parse(end) - 1).toISOString());

interface NeedsProps {
  readonly campaigns: readonly Campaign[] | undefined;
  readonly range: DayRange;
  readonly now: number;
}

function useNeeds({ campaigns, range, now }: NeedsProps): { needs: Need[]; isDone: boolean } {
  const running = campaigns?.filter((one) => isRunning(one, now)) ?? [];
  const work = useLoad('', () => readFailedWork(now));
  const webhooks = useLoad(managementKey.value?.managementId ?? '', readWebhookNeeds);
  const codes = useLoad('', () => readEndingCodes(now));
  const ids = running.map(({ id }) => id).join();
  const budgets = useLoad(ids, () => (ids === '' ? Promise.resolve([]) : readBudgets(running, range)));
  const ending = running.filter((one) => endsSoon(one.expiration_date, now));
  const needs: Need[] = [
    ...(work.data ?? []).map(
      ({ id, type, created_at }): Need => ({
        key: id,
        tone: 'bad',
        kind: w.failed,
        what: (
          <>
            <a href={`${path('work')}?open=${id}`}>{human(type)}</a> {ago(created_at)}
            <FailedRows id={id} />
          </>
        ),
      }),
    ),
    ...(webhooks.data?.off ?? []).map(
      ({ id, target_url: url }): Need => ({
        key: id,
        tone: 'bad',
        kind: w.webhookOff,
        what: <a href={path('webhooks', id)}>{new URL(url).host}</a>,
      }),
    ),
    ...(webhooks.data?.failed ?? []).map(
      ({ webhook, delivery }): Need => ({
        key: delivery.id,
        tone: 'bad',
        kind: w.delivery,
        what: (
          <>
            <a href={`${path('webhooks', webhook.id)}?status=FAILED&open=${delivery.id}`}>{delivery.type}</a>{' '}
            {ago(delivery.created_at)}
          </>
        ),
      }),
    ),
    ...(budgets.data ?? []).map(
      ({ campaign, limit, left }): Need => ({
        key: `budget ${campaign.id}`,
        tone: 'warm',
        kind: w.budget,
        what: (
          <>
            <a href={path('campaigns', campaign.id)}>{campaign.name}</a> {w.left(money(left), money(limit))}
          </>
        ),
      }),
    ),
    ...ending.map(
      ({ id, name, expiration_date: end }): Need => ({
        key: id,
        tone: 'warm',
        kind: w.ends,
        what: (
          <>
            <a href={path('campaigns', id)}>{name}</a> {w.until(lastDay(end))}
          </>
        ),
      }),
    ),
    ...(codes.data ?? []).map(
      ({ id, code, expiration_date: end }): Need => ({
        key: id,
        tone: 'warm',
        kind: w.ends,
        what: (
          <>
            <a href={path('vouchers', code)}>{code}</a> {w.until(lastDay(end))}
          </>
        ),
      }),
    ),
  ];
  const isOver = ({ isLoading }: Loaded<unknown>) => !isLoading;
  return { needs, isDone: campaigns !== undefined && [work, webhooks, codes, budgets].every(isOver) };
}

/** Leads from a code to the reason of its refusal. */
export function AskWhy() {
  return (
    <Panel title={words.today.why.title}>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          const code = String(new FormData(event.currentTarget).get('code')).trim();
          go(`/vouchers/${encodeURIComponent(code)}`);
        }}
      >
        <input
          name="code"
          required
          autocomplete="off"
          aria-label={words.today.why.code}
          placeholder={words.today.why.code}
        />
        <button type="submit">{words.today.why.ask}</button>
      </form>
    </Panel>
  );
}

/** Lists what failed, what is switched off and what ends within a week. */
export function Needs(props: NeedsProps) {
  const { needs, isDone } = useNeeds(props);
  return (
    <Panel title={w.title}>
      {needs.length > 0 && (
        <ul class="needs">
          {needs.map(({ key, tone, kind, what }) => (
            <li key={key}>
              <Badge tone={tone}>{kind}</Badge>
              <span>{what}</span>
            </li>
          ))}
        </ul>
      )}
      {needs.length === 0 && isDone && <Empty title={w.nothing} hint={w.looked} />}
    </Panel>
  );
}
