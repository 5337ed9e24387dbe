import { State } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { List } from '../components/list.tsx';
import { api, dataOf, type QueryOf } from '../core/api.ts';
import { type Close, isRunning } from '../core/closes.ts';
import { count, money } from '../core/format.ts';
import { writeCloseDates } from '../core/journal.ts';
import { words } from '../words.ts';
import { CloseView } from './close.tsx';
import { NewClose } from './new-close.tsx';

const w = words.closes;

const lastOf = ({ months }: Close) => months.at(-1);

/** Lists the closes of all loyalty programmes, the newest first. */
export function Closes() {
  return (
    <List<Close, 'created_at'>
      title={words.screens.closes}
      sub={w.sub}
      actions={
        <DialogButton label={w.create} isMain>
          {(close, isOpen) => isOpen && <NewClose close={close} />}
        </DialogButton>
      }
      empty={w.empty}
      isLive={(rows) => rows.some(isRunning)}
      idOf={({ id }) => id}
      detail={(id, reload) => <CloseView id={id} changed={reload} />}
      load={async ({ limit, page, order }) => {
        const query: QueryOf<'list-closes'> = { limit, page, order };
        const { closes, total } = await dataOf(api.GET('/v1/reports/closes', { params: { query } }));
        return { rows: closes, total };
      }}
      columns={[
        { title: w.programme, cell: ({ campaign }) => campaign },
        { title: w.period, cell: writeCloseDates },
        { title: words.state, cell: ({ status }) => <State of={status} /> },
        {
          title: words.loyalty.figures.owed,
          isNumber: true,
          isExtra: true,
          cell: (one) => (isRunning(one) ? '–' : count(lastOf(one)?.points.closing)),
        },
        {
          title: w.liability,
          isNumber: true,
          isExtra: true,
          cell: (one) => money(lastOf(one)?.liability?.closing),
        },
        { title: words.created, order: 'created_at', isExtra: true, cell: ({ created_at: at }) => at.slice(0, 10) },
      ]}
    />
  );
}
