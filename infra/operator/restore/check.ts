import * as v from 'valibot';
import { keyText } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import {
  fetchItems,
  findCountedLists,
  isRawExpired,
  type RawItem,
  type RawTable,
  rawKey,
  rawPlace,
  walkItems,
  walkRawChildren,
} from '#kernel/table/raw-items.ts';
import { totalKey } from '#kernel/table/totals.ts';
import { Counts } from './differences.ts';

/** Checks whether the ledgers, cards and totals of a table agree. */

const parallel = 8;
const cardsAtOnce = 16;
const attempts = 3;

export interface Checked {
  readonly counts: Counts;
  readonly cards: number;
  readonly entries: number;
  /** Lists contradictions. Each names its card and the reason. */
  readonly faults: readonly string[];
  /** Counts totals that differ from their lists. They lag by about a second, so a working stage has some. */
  readonly totalsApart: number;
}

const numberOf = (item: RawItem, name: string) => (item[name]?.N === undefined ? undefined : Number(item[name].N));

const lots = v.array(v.object({ M: v.object({ points: v.object({ N: v.pipe(v.string(), v.transform(Number)) }) }) }));

/** Returns the balance that a card states: the points of all its lots, or the balance of a gift card. */
function heldBy(card: RawItem): number {
  if (card.type?.S === 'GIFT_VOUCHER') {
    return numberOf(card, 'gift_balance') ?? Number(card.gift?.M?.amount?.N ?? 0);
  }
  return v.parse(lots, card.lots?.L ?? []).reduce((sum, { M }) => sum + M.points.N, 0);
}

function* faultsOfLedger(card: RawItem, entries: readonly RawItem[]): Generator<string> {
  const should = numberOf(card, 'ledger_entries') ?? 0;
  if (entries.length !== should) yield `${entries.length} entries, and the card counts ${should}`;
  let balance: number | undefined;
  let sum = 0;
  for (const [index, entry] of entries.entries()) {
    const [points = 0, after = 0] = [numberOf(entry, 'points'), numberOf(entry, 'balance')];
    if (numberOf(entry, 'sequence') !== index + 1) yield `entry ${index + 1} has the number ${entry.sequence?.N}`;
    if (balance !== undefined && balance + points !== after) {
      yield `entry ${index + 1} leaves ${after}, and ${balance} with ${points} is ${balance + points}`;
    }
    balance = after;
    sum += points;
  }
  const held = heldBy(card);
  if (balance !== undefined && balance !== held) yield `the ledger ends with ${balance}, and the card has ${held}`;
  const opening = numberOf(card, 'opening_balance');
  if (card.type?.S === 'LOYALTY_CARD' && opening !== undefined && opening + sum !== held) {
    yield `${opening} at first and ${sum} by entries is ${opening + sum}, and the card has ${held}`;
  }
}

const isCard = ({ type }: RawItem) => type?.S === 'LOYALTY_CARD' || type?.S === 'GIFT_VOUCHER';

/** Reads the whole table once, and the ledger of each card. */
export async function checkTable(table: RawTable, now: Date): Promise<Checked> {
  const counts = new Counts();
  const faults: string[] = [];
  const lengths = new Map<string, number>();
  const totals = new Map<string, number>();
  let [cards, entries, entriesOfCards] = [0, 0, 0];

  const ledgerOf = async (card: RawItem) => {
    const ledger: RawItem[] = [];
    for await (const page of walkRawChildren(table, rawKey(card), kinds.ledger)) ledger.push(...page);
    return ledger;
  };
  const checkCard = async (read: RawItem) => {
    for (let attempt = 1; ; attempt++) {
      const key = rawKey(read);
      const card = attempt === 1 ? read : (await fetchItems(table, [key])).get(keyText(key));
      if (!card) return;
      const ledger = await ledgerOf(card);
      const found = card.deleted_at ? [] : [...faultsOfLedger(card, ledger)];
      // A card in use changes between the two reads.
      if (found.length > 0 && attempt < attempts) continue;
      cards += 1;
      entriesOfCards += ledger.length;
      for (const fault of found) faults.push(`${rawPlace(card).partition}: ${fault}`);
      return;
    }
  };
  const look = (item: RawItem) => {
    const { kind } = rawPlace(item);
    counts.add('items', kind);
    if (kind === kinds.ledger) entries += 1;
    if (kind === kinds.total) totals.set(keyText(rawKey(item)), numberOf(item, 'total') ?? 0);
    if (isRawExpired(item, now)) return;
    for (const list of findCountedLists(item)) {
      const total = keyText(totalKey(list));
      lengths.set(total, (lengths.get(total) ?? 0) + 1);
    }
  };
  const segments = Array.from({ length: parallel }, async (_, index) => {
    for await (const page of walkItems(table, { index, of: parallel })) {
      page.forEach(look);
      const found = page.filter((item) => rawPlace(item).kind === 'VOUCHER' && isCard(item));
      for (let from = 0; from < found.length; from += cardsAtOnce) {
        await Promise.all(found.slice(from, from + cardsAtOnce).map(checkCard));
      }
    }
  });
  await Promise.all(segments);
  // A ledger is read after its entries were counted, so a table in use can only have more by then.
  if (entries > entriesOfCards) faults.push(`${entries - entriesOfCards} entries of ledgers belong to no card`);
  const apart = [...new Set([...lengths.keys(), ...totals.keys()])].filter(
    (total) => (lengths.get(total) ?? 0) !== (totals.get(total) ?? 0),
  );
  return { counts, cards, entries, faults: faults.toSorted(), totalsApart: apart.length };
}
