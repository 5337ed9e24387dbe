import { Empty, Facts, Panel, Ready } from '../components/bits.tsx';
import { Bars } from '../components/chart.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { api, dataOf, type QueryOf } from '../core/api.ts';
import { readExpiring } from '../core/expiring.ts';
import { count, date, money } from '../core/format.ts';
import { writeCloseDates } from '../core/journal.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { go, path } from '../core/router.ts';
import { words } from '../words.ts';
import { NewClose } from './new-close.tsx';
import { NewEstimate } from './new-estimate.tsx';

const w = words.liability;

/** Writes a share of 10,000 as percent. */
const writeShare = (of10000: number) => `${count(of10000 / 100)} %`;

/** Shows the liability of a programme by its last close, and the estimate that the next one uses. */
export function Liability({ id }: { id: string }) {
  const query: QueryOf<'list-closes'> = { campaign_id: id, limit: 1 };
  const loaded = useLoad(id, async () => {
    const [{ closes }, { data }] = await Promise.all([
      dataOf(api.GET('/v1/reports/closes', { params: { query } })),
      dataOf(api.GET('/v1/reports/liability-estimates', { params: { query } })),
    ]);
    return { close: closes[0], estimate: data[0] };
  });
  return (
    <Panel
      title={words.closes.liability}
      actions={
        <>
          <NewEstimate id={id} added={loaded.reload} />
          <DialogButton label={words.closes.create}>
            {(close, isOpen) => isOpen && <NewClose close={close} campaignId={id} />}
          </DialogButton>
        </>
      }
    >
      <Ready of={loaded}>
        {({ close, estimate }) => {
          const last = close?.months.at(-1);
          if (!close && !estimate) return <Empty title={w.none[0]} hint={w.none[1]} />;
          return (
            <Facts
              rows={[
                Boolean(close) && [
                  w.lastClose,
                  <a key="close" href={`${path('closes')}?open=${close?.id}`}>
                    {close && writeCloseDates(close)}
                  </a>,
                ],
                [words.loyalty.figures.owed, last && count(last.points.closing)],
                [words.closes.liability, last?.liability ? money(last.liability.closing) : last && w.noEstimate],
                [w.expected, estimate && writeShare(estimate.expected_per_10000)],
                [
                  words.price,
                  estimate && w.priceOf(money(estimate.point_price.amount), count(estimate.point_price.points)),
                ],
                [w.validFrom, estimate && date(estimate.valid_from)],
                [w.author, estimate?.author],
              ]}
            />
          );
        }}
      </Ready>
    </Panel>
  );
}

/** Shows when points expire. A programme with many cards has a file for that. */
export function Expiring({ id }: { id: string }) {
  const loaded = useLoad(id, () => readExpiring(id));
  const writeFile = async () => {
    const params = { path: { campaignId: id } };
    const isStarted = await attempt(w.fileStarted, () =>
      dataOf(
        api.POST('/v1/loyalties/{campaignId}/points-expiration/export', {
          params,
          body: { parameters: { order: 'expires_at' } },
        }),
      ),
    );
    if (isStarted) go('/work?tab=exports');
  };
  return (
    <Panel
      title={w.expiring}
      actions={
        <button type="button" onClick={writeFile}>
          {w.file}
        </button>
      }
    >
      <Ready of={loaded}>
        {(expiring) => {
          if (!expiring) return <Empty title={w.manyCards[0]} hint={w.manyCards[1]} />;
          const { months, later, never } = expiring;
          if (months.length === 0) return <Empty title={w.nothingExpires} hint={w.never(count(never))} />;
          return (
            <>
              <Bars title={w.expiring} bars={months} write={count} names={[words.points]} />
              {later > 0 && <small>{w.later(count(later))}</small>}
              <small>{w.never(count(never))}</small>
            </>
          );
        }}
      </Ready>
    </Panel>
  );
}
