import * as v from 'valibot';
import { begun } from '../begun.ts';
import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { listedVoucher, voucherLists } from '../codes/voucher-lists.ts';
import type { Reading } from '../context.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import { listedFields } from '../table/listing.ts';
import { holdings, listedHolding } from '../vouchers/held-card.ts';
import { isReferralCode } from '../vouchers/referral-code.ts';
import { vouchers } from '../vouchers/voucher.ts';
import { type Candidate, voucherCandidate } from './candidate.ts';
import { byAge, type Cursor, isBehind, type Placed, rangeBehind } from './cursor.ts';

/** Vouchers that are read: those that a customer holds, and codes that anybody may use. */

/** The last that they came to hold. */
const maxHeld = 500;

const { voucher_id, voucher_created_at, holder_role } = listedHolding.entries;
const heldVoucher = v.object({ voucher_id, voucher_created_at, holder_role });
const openVoucher = v.pick(listedVoucher, ['id', 'created_at']);

/** A voucher before it is read. */
interface Known {
  readonly id: string;
  /** Of one that a referee holds it is not known yet. */
  readonly place: Placed | undefined;
  /** How somebody holds it; `undefined`: it is open to anybody. */
  readonly holding?: Pick<v.InferOutput<typeof heldVoucher>, 'holder_role'>;
}

function placeOf(id: string, created_at: string | undefined): Placed | undefined {
  return created_at === undefined ? undefined : { object: 'voucher', id, created_at };
}

/** Which are read: the newest behind a cursor. */
export interface Looking {
  readonly from: Cursor | undefined;
  readonly most: number;
  readonly areCodesShown: boolean;
  readonly isWalletShown: boolean;
  /** All that the customer holds is read, whatever its age. */
  readonly isWalletWhole: boolean;
}

async function holdingsOf({ table, project }: Reading, customerId: string): Promise<Known[]> {
  const held: Known[] = [];
  const walk = { descending: true, atOnce: maxHeld, fields: Object.keys(heldVoucher.entries) };
  for await (const listed of listedFields(table, holdings, [project.id, customerId], walk)) {
    const { voucher_id: id, voucher_created_at: createdAt, holder_role: role } = parseStored(heldVoucher, listed);
    held.push({ id, place: placeOf(id, createdAt), holding: { holder_role: role } });
    if (held.length === maxHeld) break;
  }
  return held;
}

/** The list lags by some milliseconds, so that one may have a holder by now. */
async function standaloneOf({ table, project }: Reading, { from, most }: Looking): Promise<Known[]> {
  const open: Known[] = [];
  const range = from === undefined ? {} : rangeBehind(from);
  const walk = { descending: true, atOnce: most, fields: Object.keys(openVoucher.entries), ...range };
  for await (const listed of listedFields(table, voucherLists.standalone, [project.id], walk)) {
    const { id, created_at } = parseStored(openVoucher, listed);
    open.push({ id, place: placeOf(id, created_at) });
    if (open.length === most) break;
  }
  return open;
}

const inOrder = (one: Known, other: Known) => (one.place && other.place ? byAge(one.place, other.place) : 0);

interface Chosen {
  readonly chosen: readonly Known[];
  readonly horizon: Placed | undefined;
  readonly isWalletCut: boolean;
}

/** Those that are read. Whose age is not known is read with the newest. */
function choose(held: readonly Known[], open: readonly Known[], { from, most, isWalletWhole }: Looking): Chosen {
  const ageless = held.filter(({ place }) => place === undefined);
  const aged = held.filter(({ place }) => place && !(from && !isBehind(place, from)));
  if (isWalletWhole) {
    const horizon = open.length === most ? open.at(-1)?.place : undefined;
    return { chosen: [...ageless, ...aged, ...open], horizon, isWalletCut: false };
  }
  const newest = [...aged, ...open].sort(inOrder);
  const [shown, older] = [newest.slice(0, most), newest.slice(most)];
  return {
    chosen: [...ageless, ...shown],
    horizon: older.length > 0 || open.length === most ? shown.at(-1)?.place : undefined,
    isWalletCut: older.some(({ holding }) => holding),
  };
}

/** A voucher as it stands in the table. */
interface Read extends Known {
  readonly stored: Attributes;
}

export interface Codes {
  readonly held: readonly Read[];
  readonly open: readonly Read[];
  /** The last that was read, where there are more: nothing older can be placed yet. */
  readonly horizon: Placed | undefined;
  /** Whether the customer holds some that were not read. */
  readonly isWalletCut: boolean;
}

/** Begins to read codes that are open; answers what reads them with those of a customer, if there is one, in one call. */
export function codesFor(context: Reading, looking: Looking): (customerId: string | undefined) => Promise<Codes> {
  const { table, project } = context;
  const standalone = looking.areCodesShown ? begun(standaloneOf(context, looking)) : [];
  return async (customerId) => {
    const isHeld = looking.isWalletShown && customerId !== undefined;
    const [own, open] = await Promise.all([isHeld ? holdingsOf(context, customerId) : [], standalone]);
    const { chosen, horizon, isWalletCut } = choose(own, open, looking);
    const items = await table.getMany(chosen.map(({ id }) => vouchers(project.id, id)));
    const read = chosen.flatMap((known, index) => {
      const stored = items[index];
      return stored ? [{ ...known, stored }] : [];
    });
    const isTheirs = ({ holding, stored }: Read) => holding?.holder_role || stored.holder_id === customerId;
    return {
      held: read.filter((one) => one.holding && isTheirs(one)),
      open: read.filter(({ holding, stored }) => !holding && !stored.holder_id),
      horizon,
      isWalletCut,
    };
  };
}

/** What of them is there still: a voucher whose campaign is gone is gone. */
export function codeCandidates({ held, open }: Codes, campaigns: ReadonlyMap<string, CampaignTerms>): Candidate[] {
  return [...held, ...open].flatMap(({ holding, stored }) => {
    const voucher = parseStored(vouchers.schema, stored);
    const campaign = campaigns.get(voucher.campaign_id ?? '');
    if (voucher.campaign_id && !campaign) return [];
    const role = holding && (holding.holder_role ?? (isReferralCode(voucher, campaign) ? 'REFERRER' : 'OWNER'));
    return [voucherCandidate({ voucher, stored }, campaign, role)];
  });
}
