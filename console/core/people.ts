import { api, dataOf, type QueryOf, type Schemas } from './api.ts';
import type { Rows } from './asked.ts';

type Customer = Schemas['Customer'];

/** Returns what people call a customer. An id is the last resort. */
export const callCustomer = ({
  name,
  email,
  source_id: own,
  id,
}: Pick<Customer, 'name' | 'email' | 'source_id' | 'id'>) => name ?? email ?? own ?? id;

/** Returns the spellings of a part of a name, because the API distinguishes case. */
function spellingsOf(text: string): string[] {
  const small = text.toLowerCase();
  return [...new Set([text, small, small.slice(0, 1).toUpperCase() + small.slice(1)])];
}

/** Finds customers by what a person types: an id or source id, an e-mail, else a part of the name. */
export async function findCustomers(text: string, after?: string, limit?: number): Promise<Rows<Customer>> {
  const byId = api.GET('/v1/customers/{customerId}', { params: { path: { customerId: text } } });
  const parts = { conditions: { $contains: spellingsOf(text) } };
  const isEmail = /^\S+@\S+\.\S+$/.test(text);
  const query: QueryOf<'list-customers'> = isEmail
    ? { email: text, limit }
    : { filters: { junction: 'or', name: parts, email: parts }, starting_after_id: after, limit };
  const [{ data: one }, { customers, more_starting_after: next }] = await Promise.all([
    byId,
    dataOf(api.GET('/v1/customers', { params: { query } })),
  ]);
  if (!one || after) return { rows: customers, next };
  return { rows: [one, ...customers.filter(({ id }) => id !== one.id)], next };
}

const names = new Map<string, Promise<string>>();

/** Returns the name of a customer, asked for once. A customer that the key may not read keeps the id. */
export function readName(customerId: string): Promise<string> {
  const known = names.get(customerId);
  if (known) return known;
  const asked = api
    .GET('/v1/customers/{customerId}', { params: { path: { customerId } } })
    .then(({ data }) => (data ? callCustomer({ ...data, id: customerId }) : customerId));
  names.set(customerId, asked);
  return asked;
}
