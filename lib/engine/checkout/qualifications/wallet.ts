import * as v from 'valibot';
import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { listedVoucher, voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { holdings, listedHolding } from '#engine/vouchers/held-card.ts';
import { isReferralCode, vouchers } from '#engine/vouchers/voucher.ts';
import { awaitLater } from '#kernel/core/await-later.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Filter } from '#kernel/kit/filters/filter.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { walkListedFields } from '#kernel/table/listing.ts';
import { type Candidate, makeVoucherCandidate } from './candidate.ts';
import { type Cursor, compareAge, isBehind, type PlacedCandidate, readListBound } from './cursor.ts';
import { compileHeldFilter, findNamedVouchers, listStandaloneTypes } from './voucher-filter.ts';

/** Reads vouchers: those that a customer holds, and public codes. */

/** Limits the held vouchers, the newest first. */
const maxHeld = 500;

const { voucher_id, voucher_created_at, holder_role, voucher_type, campaign_id } = listedHolding.entries;
const heldVoucher = v.object({ voucher_id, voucher_created_at, holder_role });
/** The fields that a filter needs to save reads. */
const filteredVoucher = v.object({ ...heldVoucher.entries, voucher_type, campaign_id });
const openVoucher = v.pick(listedVoucher, ['id', 'created_at']);

/** A voucher before it is read. */
interface Known {
  readonly id: string;
  /** Unknown for a referee's voucher. */
  readonly place: PlacedCandidate | undefined;
  /** The holder's role, or `undefined` for a public code. */
  readonly holding?: Pick<v.InferOutput<typeof heldVoucher>, 'holder_role'>;
}

function placeOf(id: string, created_at: string | undefined): PlacedCandidate | undefined {
  return created_at === undefined ? undefined : { object: 'voucher', id, created_at };
}

/** Selects the vouchers to read: the newest after a cursor. */
export interface Looking {
  readonly from: Cursor | undefined;
  readonly most: number;
  readonly areCodesShown: boolean;
  readonly isWalletShown: boolean;
  /** True if all vouchers of the customer are read, whatever their age. */
  readonly isWalletWhole: boolean;
  /** The filter, which saves reads of vouchers that it excludes. */
  readonly filters: Filter | undefined;
}

async function holdingsOf(
  { table, project, now }: Reading,
  customerId: string,
  { filters }: Looking,
): Promise<{ held: Known[]; isCut: boolean }> {
  const held: Known[] = [];
  const named = findNamedVouchers(project, filters);
  const isWanted = compileHeldFilter(filters, now);
  const fields = Object.keys((filters ? filteredVoucher : heldVoucher).entries);
  let walked = 0;
  const walk = { descending: true, atOnce: maxHeld, fields };
  for await (const listed of walkListedFields(table, holdings, [project.id, customerId], walk)) {
    const { voucher_id: id, voucher_created_at: createdAt, holder_role: role } = parseStored(heldVoucher, listed);
    const isLeftOut = named?.has(id) === false || (filters && !isWanted(parseStored(filteredVoucher, listed)));
    if (!isLeftOut) held.push({ id, place: placeOf(id, createdAt), holding: { holder_role: role } });
    walked += 1;
    if (walked === maxHeld) break;
  }
  return { held, isCut: walked === maxHeld };
}

/** Reads standalone codes of a type. The list lags by some milliseconds, so a code may have a holder by now. */
async function standaloneOf({ table, project }: Reading, type: string, { from, most }: Looking): Promise<Known[]> {
  const open: Known[] = [];
  const to = from && readListBound(from);
  const walk = { descending: true, atOnce: most, fields: Object.keys(openVoucher.entries), to };
  for await (const listed of walkListedFields(table, voucherLists.standalone, [project.id, type], walk)) {
    const { id, created_at } = parseStored(openVoucher, listed);
    const place = { object: 'voucher', id, created_at } as const;
    if (from && !isBehind(place, from)) continue;
    open.push({ id, place });
    if (open.length === most) break;
  }
  return open;
}

/** Returns the newest codes of all types, or those that the filter names, of any age. */
async function openOf(context: Reading, looking: Looking): Promise<Known[]> {
  const { filters, most } = looking;
  const types = listStandaloneTypes(filters, context.now);
  const named = findNamedVouchers(context.project, filters);
  if (named) return types.length === 0 ? [] : [...named].map((id) => ({ id, place: undefined }));
  const each = await Promise.all(types.map((type) => standaloneOf(context, type, looking)));
  return each.flat().sort(inOrder).slice(0, most);
}

const inOrder = (one: Known, other: Known) => (one.place && other.place ? compareAge(one.place, other.place) : 0);

interface Chosen {
  readonly chosen: readonly Known[];
  readonly horizon: PlacedCandidate | undefined;
}

/** Returns the vouchers to read. Vouchers of unknown age are read with the newest. */
function choose(held: readonly Known[], open: readonly Known[], { from, most, isWalletWhole }: Looking): Chosen {
  const ids = new Set(held.map(({ id }) => id));
  const named = open.filter(({ id, place }) => place === undefined && !ids.has(id));
  const listed = open.filter(({ place }) => place !== undefined);
  const ageless = [...held.filter(({ place }) => place === undefined), ...named];
  const aged = held.filter(({ place }) => place && !(from && !isBehind(place, from)));
  if (isWalletWhole) {
    const horizon = listed.length === most ? listed.at(-1)?.place : undefined;
    return { chosen: [...ageless, ...aged, ...listed], horizon };
  }
  const newest = [...aged, ...listed].sort(inOrder);
  const [shown, older] = [newest.slice(0, most), newest.slice(most)];
  return {
    chosen: [...ageless, ...shown],
    horizon: older.length > 0 || listed.length === most ? shown.at(-1)?.place : undefined,
  };
}

/** A stored voucher. */
interface Read extends Known {
  readonly stored: Attributes;
}

export interface Codes {
  readonly held: readonly Read[];
  readonly open: readonly Read[];
  /** The last voucher that was read, if more follow. Older ones cannot be sorted yet. */
  readonly horizon: PlacedCandidate | undefined;
  /** True if the customer holds more than any request reads. */
  readonly isWalletEndless: boolean;
}

/** Returns whether a code is public by its own item: it has no holder and no campaign, and is active. A filter may name any code. */
function isStandalone({ holder_id, campaign_id, active }: Attributes): boolean {
  return !holder_id && !campaign_id && active !== false;
}

/** Begins to read public codes. Returns a function that reads them with a customer's in one call. */
export function startReadingCodes(
  context: Reading,
  looking: Looking,
): (customerId: string | undefined) => Promise<Codes> {
  const { table, project } = context;
  const standalone = looking.areCodesShown ? awaitLater(openOf(context, looking)) : [];
  return async (customerId) => {
    const isHeld = looking.isWalletShown && customerId !== undefined;
    const [{ held, isCut }, open] = await Promise.all([
      isHeld ? holdingsOf(context, customerId, looking) : { held: [], isCut: false },
      standalone,
    ]);
    const { chosen, horizon } = choose(held, open, looking);
    const items = await table.getMany(chosen.map(({ id }) => vouchers(project.id, id)));
    const read = chosen.flatMap((known, index) => {
      const stored = items[index];
      return stored ? [{ ...known, stored }] : [];
    });
    const isTheirs = ({ holding, stored }: Read) => holding?.holder_role || stored.holder_id === customerId;
    return {
      held: read.filter((one) => one.holding && isTheirs(one)),
      open: read.filter(({ holding, stored }) => !holding && isStandalone(stored)),
      horizon,
      isWalletEndless: isCut,
    };
  };
}

/** Returns the existing vouchers. A voucher of a deleted campaign is missing. */
export function makeCodeCandidates({ held, open }: Codes, campaigns: ReadonlyMap<string, CampaignTerms>): Candidate[] {
  return [...held, ...open].flatMap(({ holding, stored }) => {
    const voucher = parseStored(vouchers.schema, stored);
    const campaign = campaigns.get(voucher.campaign_id ?? '');
    if (voucher.campaign_id && !campaign) return [];
    const role = holding && (holding.holder_role ?? (isReferralCode(voucher, campaign) ? 'REFERRER' : 'OWNER'));
    return [makeVoucherCandidate({ voucher, stored }, campaign, role)];
  });
}
