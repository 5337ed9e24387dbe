import { checkoutColumns } from '../components/checkouts.tsx';
import { List } from '../components/list.tsx';
import { api, dataOf, type QueryOf } from '../core/api.ts';
import { type Checkout, foldCheckouts, wholeOnly } from '../core/checkouts.ts';
import { units } from '../core/currency.ts';
import { momentsOf } from '../core/day-range.ts';
import { writeStep } from '../core/format.ts';
import { wordOf } from '../core/part.ts';
import { query, setQuery } from '../core/router.ts';
import { words } from '../words.ts';
import { RedemptionView } from './redemption-view.tsx';

const results = ['SUCCESS', 'FAILURE'] as const;
const isStep = (text: string | undefined) => text !== undefined && /^\d{4}-\d\d-\d\d(T\d\d)?$/.test(text);
const timezone = () => units.value?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Names the day or hour to which the address narrows the list, and leads back to all. */
function Narrowed() {
  const at = query.value.get('at') ?? undefined;
  if (!at || !isStep(at)) return null;
  return (
    <p>
      <b>{writeStep(at)}</b>{' '}
      <button type="button" onClick={() => setQuery({ at: undefined, page: undefined })}>
        {words.redemptions.allDays}
      </button>
    </p>
  );
}

/** Lists checkouts. The codes of one order are one row. */
export function Redemptions() {
  return (
    <List<Checkout, 'created_at'>
      title={words.screens.redemptions}
      sub={words.redemptions.sub}
      empty={words.redemptions.empty}
      above={<Narrowed />}
      facets={[
        {
          name: 'result',
          label: words.redemptions.anyResult,
          choices: [
            ['SUCCESS', words.redemptions.succeeded],
            ['FAILURE', words.redemptions.refused],
          ],
        },
      ]}
      follows={['at']}
      idOf={({ whole }) => whole.id}
      detail={(id, reload) => <RedemptionView id={id} changed={reload} />}
      load={async ({ limit, page, order, facet }) => {
        const result = wordOf(results, facet('result'));
        const at = facet('at');
        const within = at && isStep(at) ? { created_at: momentsOf(at, timezone()) } : {};
        const asked: QueryOf<'list-redemptions'> = {
          ...{ limit, page, order, result: result && [result], filters: wholeOnly },
          ...within,
        };
        const reply = await dataOf(api.GET('/v1/redemptions', { params: { query: asked } }));
        return { rows: await foldCheckouts(reply.redemptions), total: reply.total, hasMore: reply.has_more };
      }}
      columns={checkoutColumns}
    />
  );
}
