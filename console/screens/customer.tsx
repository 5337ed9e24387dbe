import { useSignal } from '@preact/signals';
import { ActivityLine } from '../components/activity-line.tsx';
import { Badge, Code, Empty, Facts, Figure, Metadata, Page, Panel, Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { type FieldOf, Form } from '../components/form.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type ParamsOf, type Schemas } from '../core/api.ts';
import { writeBenefit, writeKind } from '../core/benefit.ts';
import { count, date, money, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { path } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { words } from '../words.ts';
import { GiveVoucher } from './give-voucher.tsx';

type Customer = Schemas['Customer'];

function Wallet({ id, version }: { id: string; version: number }) {
  const loaded = useLoad(`${id} ${version}`, () =>
    dataOf(
      api.GET('/v1/customers/{customerId}/redeemables', { params: { path: { customerId: id }, query: { limit: 50 } } }),
    ),
  );
  return (
    <Panel title={words.customers.wallet}>
      <Ready of={loaded}>
        {({ data }) => {
          const held = data.flatMap(({ redeemable }) => redeemable?.voucher ?? []);
          if (held.length === 0) return <Empty title={words.customers.noWallet} />;
          return (
            <Table
              rows={held}
              idOf={({ id: voucherId }) => voucherId}
              columns={[
                {
                  title: words.vouchers.code,
                  cell: ({ code }) => (
                    <a href={path('vouchers', code)}>
                      <code>{code}</code>
                    </a>
                  ),
                },
                { title: words.kind, cell: ({ type }) => writeKind(type) },
                { title: words.vouchers.gives, isNumber: true, cell: writeBenefit },
              ]}
            />
          );
        }}
      </Ready>
    </Panel>
  );
}

function Timeline({ id, version }: { id: string; version: number }) {
  const params: ParamsOf<'list-customer-activity'> = { path: { customerId: id }, query: { limit: 25 } };
  const loaded = useLoad(`${id} ${version}`, () => dataOf(api.GET('/v1/customers/{customerId}/activity', { params })));
  return (
    <Panel title={words.customers.timeline}>
      <Ready of={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={words.customers.quiet} />
          ) : (
            <ol class="timeline">
              {data.map((one) => (
                <li key={one.id}>
                  <ActivityLine of={one} />
                  <small>{time(one.created_at)}</small>
                </li>
              ))}
            </ol>
          )
        }
      </Ready>
    </Panel>
  );
}

const editable: readonly FieldOf<'update-customer'>[] = [
  'name',
  'email',
  'phone',
  'birthdate',
  'description',
  'address.line_1',
  'address.postal_code',
  'address.city',
  'address.country',
  'metadata',
];

function Person({ customer, changed }: { customer: Customer; changed: () => void }) {
  const { id, summary, loyalty, address } = customer;
  const version = useSignal(0);
  const given = () => {
    version.value += 1;
    changed();
  };
  const segments = useLoad(id, () =>
    dataOf(api.GET('/v1/customers/{customerId}/segments', { params: { path: { customerId: id } } })),
  );
  return (
    <Page
      title={customer.name ?? customer.source_id ?? id}
      sub={customer.email ?? customer.source_id ?? undefined}
      actions={
        <>
          <a href={`${path('simulator')}?customer=${id}`}>{words.customers.simulate}</a>
          <GiveVoucher customerId={id} changed={given} />
          <DialogButton label={words.edit}>
            {(close) => (
              <Form
                of="update-customer"
                fields={editable}
                initial={customer}
                send={(body) =>
                  dataOf(
                    api.PUT('/v1/customers/{customerId}', {
                      params: { path: { customerId: id } },
                      body,
                    }),
                  )
                }
                done={() => {
                  close();
                  changed();
                }}
              />
            )}
          </DialogButton>
        </>
      }
    >
      <div class="figures">
        <Figure label={words.points} value={count(loyalty?.points)} />
        <Figure label={words.screens.redemptions} value={count(summary?.redemptions.total_succeeded)} />
        <Figure label={words.screens.orders} value={count(summary?.orders.total_count)} />
        <Figure label={words.customers.spent} value={money(summary?.orders.total_amount)} />
      </div>
      <div class="columns">
        <div class="stack">
          <Wallet id={id} version={version.value} />
          <Panel title={words.details}>
            <Facts
              rows={[
                [words.customers.email, customer.email],
                [words.customers.phone, customer.phone],
                [words.customers.born, customer.birthdate && date(customer.birthdate)],
                [
                  words.customers.address,
                  [address?.line_1, address?.postal_code, address?.city, address?.country].filter(Boolean).join(', '),
                ],
                [words.sourceId, customer.source_id],
                [
                  words.screens.segments,
                  segments.data?.data.length
                    ? segments.data.data.map((one) => <Badge key={one.id}>{one.name}</Badge>)
                    : undefined,
                ],
                [words.created, time(customer.created_at)],
                [words.id, <Code key="id">{id}</Code>],
              ]}
            />
          </Panel>
          <Metadata of={customer.metadata} />
        </div>
        <Timeline id={id} version={version.value} />
      </div>
    </Page>
  );
}

export function CustomerView({ id }: { id: string }) {
  const loaded = useLoad(id, () =>
    dataOf(api.GET('/v1/customers/{customerId}', { params: { path: { customerId: id } } })),
  );
  return (
    <Ready of={loaded} isWhole>
      {(customer) => <Person customer={customer} changed={loaded.reload} />}
    </Ready>
  );
}

export function CustomerPage({ params }: ScreenProps) {
  return <CustomerView id={params.id ?? ''} />;
}
