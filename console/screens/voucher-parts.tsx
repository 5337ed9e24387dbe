import type { TargetedSubmitEvent } from 'preact';
import { Panel, Ready, State } from '../components/bits.tsx';
import { Meter } from '../components/chart.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type ParamsOf, type QueryOf, type Schemas } from '../core/api.ts';
import { count, human, minorUnits, money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';
import { MovePoints } from './move-points.tsx';

type Voucher = Schemas['Voucher'];

export function Balance({ voucher, changed }: { voucher: Voucher; changed: () => void }) {
  const isGift = Boolean(voucher.gift);
  const write = isGift ? money : count;
  const { balance = 0, total } = voucher.gift
    ? { balance: voucher.gift.balance, total: voucher.gift.amount }
    : { balance: voucher.loyalty_card?.balance, total: voucher.loyalty_card?.points ?? 0 };
  const adjust = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = String(new FormData(form).get('amount'));
    const amount = isGift ? minorUnits(text) : Number(text);
    const reason = String(new FormData(form).get('reason')).trim() || null;
    const change = (by: number) =>
      dataOf(
        api.POST('/v1/vouchers/{code}/balance', {
          params: { path: { code: voucher.code } },
          body: { amount: by, reason },
        }),
      );
    const undo = () => attempt(words.undone, () => change(-amount)).then(changed);
    if (await attempt(words.vouchers.adjusted(write(amount)), () => change(amount), undo)) form.reset();
    changed();
  };
  return (
    <Panel
      title={words.vouchers.balance}
      actions={
        !isGift &&
        voucher.campaign_id && <MovePoints campaignId={voucher.campaign_id} code={voucher.code} changed={changed} />
      }
    >
      <Meter value={balance} of={total} label={words.benefit.left(write(balance), write(total))} />
      <form class="inline" onSubmit={adjust}>
        <input
          name="amount"
          required
          inputMode="decimal"
          size={10}
          aria-label={words.vouchers.by}
          placeholder={words.vouchers.by}
        />
        <input
          name="reason"
          autocomplete="off"
          aria-label={words.vouchers.reason}
          placeholder={words.vouchers.reason}
        />
        <button type="submit">{words.vouchers.adjust}</button>
      </form>
    </Panel>
  );
}

export function Ledger({ code, isGift, version }: { code: string; isGift: boolean; version: unknown }) {
  const params: ParamsOf<'list-voucher-transactions'> = { path: { code }, query: { limit: 10 } };
  const loaded = useLoad(`${code}${version}`, () => dataOf(api.GET('/v1/vouchers/{code}/transactions', { params })));
  const write = isGift ? money : count;
  if (loaded.data?.data.length === 0) return null;
  return (
    <Panel title={words.vouchers.ledger}>
      <Ready of={loaded}>
        {({ data }) => (
          <Table
            rows={data}
            idOf={({ id }) => id}
            columns={[
              { title: words.moment, cell: (one) => time(one.created_at) },
              { title: words.kind, cell: ({ type, reason }) => reason ?? human(type) },
              { title: words.change, isNumber: true, cell: ({ points, amount }) => write(points ?? amount ?? 0) },
              { title: words.left, isNumber: true, cell: ({ balance }) => write(balance) },
            ]}
          />
        )}
      </Ready>
    </Panel>
  );
}

export function Uses({ code }: { code: string }) {
  const query: QueryOf<'list-redemptions'> = { limit: 10, filters: { voucher_code: { conditions: { $is: [code] } } } };
  const loaded = useLoad(code, () => dataOf(api.GET('/v1/redemptions', { params: { query: query } })));
  return (
    <Panel title={words.screens.redemptions}>
      <Ready of={loaded}>
        {({ redemptions }) =>
          redemptions.length === 0 ? (
            <small>{words.vouchers.unused}</small>
          ) : (
            <Table
              rows={redemptions}
              idOf={({ id }) => id}
              columns={[
                {
                  title: words.moment,
                  cell: ({ id, date }) => <a href={`${path('redemptions')}?open=${id}`}>{time(date)}</a>,
                },
                { title: words.state, cell: ({ status }) => <State of={status} /> },
                {
                  title: words.redemptions.why,
                  cell: (one) => (one.failure_code ? human(one.failure_code) : money(one.order?.total_amount)),
                },
              ]}
            />
          )
        }
      </Ready>
    </Panel>
  );
}
