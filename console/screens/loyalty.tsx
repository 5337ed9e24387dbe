import { Switch } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { List } from '../components/list.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { writePeriod } from '../core/benefit.ts';
import { count, date } from '../core/format.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';
import { NewProgramme } from './new-programme.tsx';

export function Programmes() {
  return (
    <List<Schemas['ListLoyaltyCampaignsReply']['campaigns'][number], 'created_at'>
      title={words.screens.loyalty}
      actions={
        <DialogButton label={words.loyalty.create} isMain>
          {(close, isOpen) => isOpen && <NewProgramme close={close} />}
        </DialogButton>
      }
      empty={words.loyalty.empty}
      idOf={({ id }) => id}
      load={async ({ limit, page, order }) => {
        const query: QueryOf<'list-loyalty-campaigns'> = { limit, page, order };
        const { campaigns, total } = await dataOf(api.GET('/v1/loyalties', { params: { query } }));
        return { rows: campaigns, total };
      }}
      columns={[
        {
          title: words.name,
          cell: ({ id, name }) => (
            <a class="row" href={path('loyalty', id)}>
              {name}
            </a>
          ),
        },
        { title: words.loyalty.members, isNumber: true, cell: (one) => count(one.vouchers_count) },
        { title: words.dates, isExtra: true, cell: (one) => writePeriod(one.start_date, one.expiration_date) },
        { title: words.state, cell: ({ active }) => <Switch active={active} /> },
        { title: words.created, order: 'created_at', isExtra: true, cell: (one) => date(one.created_at) },
      ]}
    />
  );
}
