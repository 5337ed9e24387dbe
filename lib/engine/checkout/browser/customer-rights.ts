import type { CustomerData } from '#engine/customers/change-customer.ts';
import type { CreateCustomerBody } from '#engine/customers/customer-body.ts';
import type { BrowserRights } from '#engine/customers/upsert-customer.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { described } from '#kernel/core/documented.ts';
import { identifier, nullable, object } from '#kernel/core/schema.ts';
import type { Caller } from '#kernel/http/context.ts';
import type { AskedByBrowser } from '../request/checkout-body.ts';
import { nameBrowser } from './browser-name.ts';

/** Decides what a browser may send about a customer (docs/browser.md#pages). */

/** Names a customer. A browser sends nothing else about an existing customer. */
export const browserCustomer = object({
  id: described(nullable(identifier), 'The id of the customer. It wins over `source_id`.'),
  source_id: described(nullable(identifier), 'The id that the shop gave to the customer.'),
});

type Switches = Pick<Project, 'client'>;

interface Switched {
  readonly project: Switches;
}

export function readBrowserRights({ client }: Switches): BrowserRights {
  return client.customers ? 'create' : 'name';
}

/** Returns the rights of a call that stores nothing. An unknown customer is judged as one without data. */
export function describeAskingBrowser(caller: Caller): AskedByBrowser {
  return { name: nameBrowser(caller), customers: 'create' };
}

export function describeRedeemingBrowser({ project, caller }: Switched & { readonly caller: Caller }): AskedByBrowser {
  return { name: nameBrowser(caller), customers: readBrowserRights(project) };
}

/** Removes the fields of the customer that the project's switches do not allow. */
export function limitCustomer<C extends CustomerData & Pick<CreateCustomerBody, 'id'>>(
  { client }: Switches,
  customer: C,
) {
  const { id, source_id } = customer;
  if (!client.customers) return { id, source_id };
  return client.customer_metadata ? customer : { ...customer, metadata: undefined };
}

interface Person {
  readonly name: string | null;
  readonly email: string | null;
  readonly metadata?: Record<string, unknown> | undefined;
}

/** Shows only the ids of the customer. */
export function hidePerson<C extends Person>(customer: C): C {
  return { ...customer, name: null, email: null, metadata: undefined };
}
