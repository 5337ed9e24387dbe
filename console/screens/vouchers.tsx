import { Switch } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { type FieldOf, Form } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { api, dataOf, type QueryOf, type Schemas, withoutCommas } from '../core/api.ts';
import type { Asked, Rows } from '../core/asked.ts';
import { writeBenefit, writeKind, writePeriod } from '../core/benefit.ts';
import { count, date } from '../core/format.ts';
import { lookThrough } from '../core/look.ts';
import { go, query } from '../core/router.ts';
import { words } from '../words.ts';
import { VoucherView } from './voucher.tsx';
import { SelectedVouchers } from './vouchers-selected.tsx';

const fields: readonly FieldOf<'create-voucher'>[] = [
  'code',
  'type',
  'campaign',
  'discount.type',
  'discount.percent_off',
  'discount.amount_off',
  'gift.amount',
  'start_date',
  'expiration_date',
  'redemption.quantity',
  'metadata',
];

function NewVoucher() {
  return (
    <DialogButton label={words.vouchers.create} isMain>
      {(close) => (
        <Form
          of="create-voucher"
          fields={fields}
          submit={words.create}
          send={async (body) => {
            const { code } = await dataOf(api.POST('/v1/vouchers', { body }));
            close();
            go(`/vouchers/${encodeURIComponent(code)}`);
          }}
        />
      )}
    </DialogButton>
  );
}

type Query = QueryOf<'list-vouchers'>;

const readPage = (query: Query) =>
  dataOf(api.GET('/v1/vouchers', { params: { query }, querySerializer: withoutCommas }));

/** The most rows that a page of the API has, and the most ids that it accepts. */
const lookedAtOnce = 100;

async function loadVouchers({
  limit,
  page,
  order,
  text,
  after,
  facet,
}: Asked<'code' | 'created_at'>): Promise<Rows<Schemas['Voucher']>> {
  const state = facet('state');
  // No index knows states, so only the API's own filter says which of a few vouchers have a state.
  const filters: Pick<Query, 'filters'> = state ? { filters: { active: { conditions: { [state]: [true] } } } } : {};
  if (state && !text) {
    return lookThrough({
      after,
      limit,
      read: async (from) => {
        const asked: Query = { limit: lookedAtOnce, order, starting_after_id: from };
        const { vouchers: rows, more_starting_after: next } = await readPage(asked);
        return { rows, next };
      },
      choose: async (rows) => {
        const asked: Query = { limit: lookedAtOnce, ids: rows.map(({ id }) => id), ...filters };
        return new Set((await readPage(asked)).vouchers.map(({ id }) => id));
      },
    });
  }
  const reply = await readPage({ limit, page, order, code: text, ...filters });
  return { rows: reply.vouchers, total: reply.total, hasMore: reply.has_more };
}

export function Vouchers() {
  const hasState = query.value.has('state');
  return (
    <List<Schemas['Voucher'], 'code' | 'created_at'>
      title={words.screens.vouchers}
      actions={<NewVoucher />}
      search={words.vouchers.search}
      facets={[
        {
          name: 'state',
          label: words.vouchers.anyState,
          choices: [
            ['$active', words.vouchers.usable],
            ['$disabled', words.off],
            ['$expired', words.vouchers.expired],
          ],
        },
      ]}
      empty={words.vouchers.empty}
      idOf={({ code }) => code}
      detail={(code, reload) => <VoucherView code={code} changed={reload} />}
      withSelected={({ rows, reload }) => <SelectedVouchers rows={rows} reload={reload} />}
      load={loadVouchers}
      columns={[
        { title: words.vouchers.code, ...(hasState ? {} : { order: 'code' }), cell: ({ code }) => <code>{code}</code> },
        { title: words.vouchers.gives, cell: writeBenefit },
        { title: words.kind, isExtra: true, cell: ({ type }) => writeKind(type) },
        { title: words.campaign, isExtra: true, cell: ({ campaign }) => campaign ?? '–' },
        { title: words.dates, isExtra: true, cell: (one) => writePeriod(one.start_date, one.expiration_date) },
        {
          title: words.uses,
          isNumber: true,
          isExtra: true,
          cell: ({ redemption }) => count(redemption?.redeemed_quantity),
        },
        { title: words.state, cell: ({ active }) => <Switch active={active} /> },
        { title: words.created, order: 'created_at', isExtra: true, cell: (one) => date(one.created_at) },
      ]}
    />
  );
}
