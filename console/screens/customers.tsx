import { DialogButton } from '../components/dialog.tsx';
import { type FieldOf, Form } from '../components/form.tsx';
import { List } from '../components/list.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { count, date, money } from '../core/format.ts';
import { callCustomer, findCustomers } from '../core/people.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';
import { CustomerView } from './customer.tsx';

const fields: readonly FieldOf<'create-customer'>[] = [
  'name',
  'source_id',
  'email',
  'phone',
  'birthdate',
  'address.city',
  'address.country',
  'metadata',
];

export function Customers() {
  return (
    <List<Schemas['Customer'], 'created_at' | 'source_id'>
      title={words.screens.customers}
      search={words.customers.search}
      actions={
        <DialogButton label={words.customers.create} isMain>
          {(close) => (
            <Form
              of="create-customer"
              fields={fields}
              submit={words.create}
              send={async (body) => {
                const { id } = await dataOf(api.POST('/v1/customers', { body }));
                close();
                go(`/customers/${id}`);
              }}
            />
          )}
        </DialogButton>
      }
      empty={words.customers.empty}
      idOf={({ id }) => id}
      detail={(id) => <CustomerView id={id} />}
      withSelected={() => null}
      load={async ({ limit, page, order, text, after }) => {
        if (text) return findCustomers(text, after);
        const query: QueryOf<'list-customers'> = { limit, page, order };
        const { customers, total, has_more: hasMore } = await dataOf(api.GET('/v1/customers', { params: { query } }));
        return { rows: customers, total, hasMore };
      }}
      columns={[
        { title: words.name, cell: callCustomer },
        { title: words.customers.email, cell: ({ email }) => email ?? '–' },
        { title: words.sourceId, order: 'source_id', isExtra: true, cell: (one) => one.source_id ?? '–' },
        { title: words.customers.city, isExtra: true, cell: ({ address }) => address?.city ?? '–' },
        {
          title: words.uses,
          isNumber: true,
          isExtra: true,
          cell: ({ summary }) => count(summary?.redemptions.total_succeeded),
        },
        {
          title: words.customers.spent,
          isNumber: true,
          isExtra: true,
          cell: ({ summary }) => money(summary?.orders.total_amount),
        },
        { title: words.points, isNumber: true, cell: ({ loyalty }) => count(loyalty?.points) },
        { title: words.created, order: 'created_at', isExtra: true, cell: (one) => date(one.created_at) },
      ]}
    />
  );
}
