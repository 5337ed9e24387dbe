import type { Showing } from '../http/context.ts';
import type { Fields } from '../kit/filters/fields.ts';
import { compileFilter, type Filter } from '../kit/filters/filter.ts';
import type { Matches } from '../table/list-page.ts';
import { read } from '../table/read.ts';
import { listedOf } from './among.ts';
import { type CustomerItem, customers } from './customer.ts';

const born = ({ birthdate, birthday }: CustomerItem) => birthdate ?? birthday;

/** By what customers are filtered: what describes them, and no figures of what they hold. */
export const customerFilters: Fields<CustomerItem> = {
  id: 'text',
  source_id: 'text',
  name: 'text',
  description: 'text',
  email: 'text',
  phone: 'text',
  city: { type: 'text', at: ({ address }: CustomerItem) => address?.city },
  'address.*': 'text',
  birthday: { type: 'date', at: born },
  birthdate: { type: 'date', at: born },
  created_at: 'date',
  updated_at: 'date',
  'metadata.*': 'any',
};

/** Reads the customers whom the lists don't rule out, and asks the filter about them. */
export function filteredBy({ table, project, now }: Showing, matches: Matches | undefined, filters: Filter): Matches {
  const meets = compileFilter(customerFilters, filters);
  return async (batch) => {
    const isOpen = matches ? await matches(batch) : batch.map(() => true);
    const { found } = await read(table, {
      found: batch.map((entry, index) => (isOpen[index] ? customers(project.id, listedOf(entry).id) : undefined)),
    });
    return found.map((item) => item !== undefined && meets(item, now));
  };
}
