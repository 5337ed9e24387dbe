import { Switch } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { writeBenefit, writeKind, writePeriod } from '../core/benefit.ts';
import { count, date } from '../core/format.ts';
import { go, path } from '../core/router.ts';
import { words } from '../words.ts';
import { VoucherView } from './voucher.tsx';
import { SelectedVouchers } from './vouchers-selected.tsx';

const fields = [
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
            const { code } = await dataOf(api.POST('/v1/vouchers', { body: body as never }));
            close();
            go(`/vouchers/${encodeURIComponent(code)}`);
          }}
        />
      )}
    </DialogButton>
  );
}

export function Vouchers() {
  return (
    <List<Schemas['Voucher']>
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
      load={async ({ limit, page, order, text, after, facet }) => {
        const state = facet('state');
        // No index knows states, so the API looks through the list, and a cursor goes on where it stopped.
        const filters = { active: { conditions: { [state ?? '']: [true] } } };
        const query = {
          limit,
          order,
          code: text,
          ...(state ? { filters, starting_after_id: after } : { page }),
        } as never;
        const reply = await dataOf(api.GET('/v1/vouchers', { params: { query } }));
        const { vouchers: rows, total, has_more: hasMore, more_starting_after: next } = reply;
        return state ? { rows, next } : { rows, total, hasMore };
      }}
      columns={[
        { title: words.vouchers.code, order: 'code', cell: ({ code }) => <code>{code}</code> },
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

export function VoucherLink({ code }: { code: string }) {
  return (
    <a href={path('vouchers', code)}>
      <code>{code}</code>
    </a>
  );
}
