import { Badge, Empty, Panel, Ready } from '../components/bits.tsx';
import { CustomerName } from '../components/person.tsx';
import { Table } from '../components/table.tsx';
import { api, dataOf, type ParamsOf } from '../core/api.ts';
import { count, human } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';
import { NewReward } from './new-reward.tsx';

const w = words.loyalty;

export function Rewards({ id }: { id: string }) {
  const params: ParamsOf<'list-rewards'> = { path: { campaignId: id }, query: { limit: 50 } };
  const loaded = useLoad(id, async () => {
    const [assigned, all] = await Promise.all([
      dataOf(api.GET('/v1/loyalties/{campaignId}/rewards', { params })),
      dataOf(api.GET('/v1/rewards', { params: { query: { limit: 100 } } })),
    ]);
    const nameOf = (reward: string) => all.data.find((one) => one.id === reward);
    return assigned.data.map((one) => ({
      ...one,
      reward: nameOf(one.reward_id),
    }));
  });
  return (
    <Panel
      title={w.rewards}
      actions={
        loaded.data && (
          <NewReward id={id} assigned={loaded.data.map(({ reward_id: reward }) => reward)} added={loaded.reload} />
        )
      }
    >
      <Ready of={loaded}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={w.noRewards} />
          ) : (
            <Table
              rows={rows}
              idOf={({ id: assignment }) => assignment}
              columns={[
                { title: words.name, cell: ({ reward, reward_id: rewardId }) => reward?.name ?? rewardId },
                { title: words.kind, cell: ({ reward }) => <Badge>{human(reward?.type)}</Badge> },
                {
                  title: words.points,
                  isNumber: true,
                  cell: ({ parameters }) => count(parameters?.loyalty?.points),
                },
              ]}
            />
          )
        }
      </Ready>
    </Panel>
  );
}

export function Members({ id }: { id: string }) {
  const params: ParamsOf<'list-members'> = { path: { campaignId: id }, query: { limit: 10 } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/loyalties/{campaignId}/members', { params })));
  return (
    <Panel title={w.members}>
      <Ready of={loaded}>
        {({ vouchers }) =>
          vouchers.length === 0 ? (
            <Empty title={w.noMembers} />
          ) : (
            <Table
              rows={vouchers}
              idOf={({ code }) => code}
              columns={[
                {
                  title: w.card,
                  cell: ({ code }) => (
                    <a href={path('vouchers', code)}>
                      <code>{code}</code>
                    </a>
                  ),
                },
                {
                  title: words.holder,
                  cell: ({ holder_id: holder }) => (holder ? <CustomerName id={holder} /> : '–'),
                },
                { title: words.points, isNumber: true, cell: ({ loyalty_card: card }) => count(card?.balance) },
              ]}
            />
          )
        }
      </Ready>
    </Panel>
  );
}
