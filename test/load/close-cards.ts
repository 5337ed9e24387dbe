import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { splitIntoMonths } from '#addons/reports/closes/periods.ts';
import { rememberLapses, startSums } from '#addons/reports/closes/sum-card.ts';
import { sumCards } from '#addons/reports/closes/walk-cards.ts';
import { placeVoucherInCampaign } from '#engine/ledger/codes/voucher-lists.ts';
import { ledgerEntryKey } from '#engine/ledger/ledger-entry.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { Table } from '#kernel/table/table.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { startEngine } from '../../infra/local/engine.ts';

/**
 * Measures the close of a programme: `node test/load/close-cards.ts CARDS`. Each card has two ledger entries, one of them in the month of
 * the close. The cards go straight to a native engine of the command's own. The sums are checked.
 */

const cards = Number(process.argv[2] ?? 100_000);
const [projectId, campaignId] = ['proj_close', 'camp_close'];
const writersAtOnce = 8;

const engine = await startEngine({
  prefer: 'dynoxide',
  env: { ...process.env, DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: 'dynoxide' },
});
const client = createDynamodbClient(engine.endpoint, {
  connectionTimeoutInMs: 30_000,
  replyTimeoutInMs: 60_000,
});
const dynamodb = createDocumentClient(client);
const tableName = 'close';
await createTable(client, tableName, { withStream: false });

function itemsOf(index: number) {
  const id = `v_${String(index).padStart(22, '0')}`;
  const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, index % 86_400)).toISOString();
  const code = `CARD-${index}`;
  const about = { voucher_id: id, code, campaign_id: campaignId, event_source: { channel: 'API' }, group_id: 'grp_1' };
  const entry = (sequence: number, points: number, balance: number, at: string) => ({
    ...stripKey(ledgerEntryKey(projectId, id, sequence)),
    ...{ id: `vtx_${index}_${sequence}`, type: points > 0 ? 'POINTS_ACCRUAL' : 'POINTS_REDEMPTION', points, balance },
    ...{ ...about, sequence, created_at: at, kind: 'LEDGER', project: projectId, shape: 1 },
  });
  const card = {
    ...stripKey(vouchers(projectId, id)),
    ...{ id, code, type: 'LOYALTY_CARD', campaign_id: campaignId, active: true, created_at, credited_points: 100 },
    ...{ lots: [{ points: 70, expires: '2027-12-31' }], ledger_entries: 2, holder_id: `cust_${index}` },
    ...{ revision: 2, metadata: {}, kind: 'VOUCHER', project: projectId, shape: 1 },
    ...placeVoucherInCampaign(projectId, campaignId, { created_at, id }),
    listed: { id, code, type: 'LOYALTY_CARD', created_at },
  };
  return [card, entry(1, 100, 100, '2026-03-10T10:00:00.000Z'), entry(2, -30, 70, '2026-06-10T10:00:00.000Z')];
}

const begun = performance.now();
const perBatch = 8;
let next = 0;
async function write(): Promise<void> {
  for (;;) {
    const from = next;
    next += perBatch;
    if (from >= cards) return;
    const some = Array.from({ length: Math.min(perBatch, cards - from) }, (_, index) => itemsOf(from + index)).flat();
    const input = { RequestItems: { [tableName]: some.map((Item) => ({ PutRequest: { Item } })) } };
    await dynamodb.send(new BatchWriteCommand(input));
  }
}
await Promise.all(Array.from({ length: writersAtOnce }, write));
const written = (performance.now() - begun) / 1_000;
// The engine is far slower to write the cards than to read them for the close.
process.stderr.write(`${cards} cards are written after ${Math.round(written)} s\n`);

const zone = new Date('2026-07-01T00:00:00Z');
const periods = splitIntoMonths(new Date('2026-06-01T00:00:00Z'), zone, 2);
const sums = startSums(periods);
const table = new Table(dynamodb, tableName, new Date());
const [started, cpu] = [performance.now(), process.cpuUsage()];
const walk = { table, projectId, campaignId, periods, lapseOf: rememberLapses(zone), behind: undefined };
for await (const _ of sumCards(walk, sums));
const seconds = (performance.now() - started) / 1_000;
const { user, system } = process.cpuUsage(cpu);
const [{ spent = 0 } = {}] = sums.periods;
if (sums.cards !== cards || sums.opening !== cards * 100 || spent !== cards * 30) throw new Error('the sums are wrong');
process.stdout.write(
  `${JSON.stringify({
    cards,
    written_in_s: Math.round(written),
    closed_in_s: Number(seconds.toFixed(1)),
    cards_per_s: Math.round(cards / seconds),
    processor_s: Number(((user + system) / 1e6).toFixed(1)),
    memory_mb: Math.round(process.memoryUsage.rss() / 1e6),
  })}\n`,
);
await engine.stop();
