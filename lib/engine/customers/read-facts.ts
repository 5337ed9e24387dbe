import { collection, compileCollections, listCollectionLocations } from '#engine/catalogue/collections/resource.ts';
import { readAreas } from '#engine/catalogue/locations/location.ts';
import { findRecentRead, noteRead } from '#engine/holds/recent-reads.ts';
import type { Counts } from '#engine/rules/context.ts';
import {
  type CountedCampaigns,
  type CountedSubject,
  type CounterItem,
  countEndedAround,
  counterKey,
  isByPerson,
} from '#engine/rules/counter.ts';
import { countSeen } from '#engine/rules/counts.ts';
import type { Needs } from '#engine/rules/needs.ts';
import type { Areas } from '#kernel/core/geo-point.ts';
import type { Reading } from '#kernel/http/context.ts';
import { parseStored } from '#kernel/table/item.ts';
import { Kept, readFamily } from '#kernel/table/kept.ts';
import { keyText } from '#kernel/table/keys.ts';
import { read } from '#kernel/table/read.ts';
import type { FoundCustomer } from './find-customer.ts';
import { buildSubject, listSegmentLocations, matchSegments } from './segments/match-segments.ts';
import { memberKey, type Segment, segment } from './segments/segment.ts';

/** Holds the facts that decide the rules of a request, besides the request itself. */
export interface CustomerFacts {
  /** Names the segments that the customer is in, among the segments that rules name. */
  readonly segments: readonly string[];
  /** Returns the collections that a product or SKU is in, among the collections that rules name. */
  readonly collectionsOf: ReturnType<typeof compileCollections>;
  /** Holds the areas of the locations that rules and their segments and collections name. */
  readonly areas: Areas;
  /** Holds the counts of each redeemable, in their order. They include what other sessions hold. */
  readonly counts: readonly Counts[];
  /** Maps the texts of keys to the stored counters. */
  readonly counters: ReadonlyMap<string, CounterItem>;
}

/** Containers keep an empty list for a segment that does not exist. */
const keptSegments = new Kept<readonly Segment[]>();

/** Reads the segments that exist, in one call. Containers keep what they have read. */
async function readSegments(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  ids: readonly string[],
): Promise<Segment[]> {
  if (ids.length === 0) return [];
  const { table, project } = context;
  const kept = readFamily(context, 'segments');
  const readOne = async (id: string) => {
    const { found } = await read(table, { found: segment.few(project.id, id) });
    return found ? [found] : [];
  };
  return (await Promise.all(ids.map((id) => keptSegments.get(kept, id, () => readOne(id))))).flat();
}

/** Reads in one call all facts that the rules need, and nothing else. `session` is the key of the caller's session. */
export async function readFacts(
  context: Reading,
  needs: Needs,
  {
    customer: known,
    finding,
    counted: subjects,
    person,
    session,
    campaigns: readingCampaigns,
  }: {
    customer?: FoundCustomer | undefined;
    /** Names a customer that is being read at the same time. */
    finding?: { readonly id: string; readonly customer: Promise<FoundCustomer | undefined> } | undefined;
    counted: readonly CountedSubject[];
    /** Reads the keyed hash of the person. Only limits by person wait for it. */
    person?: (() => Promise<string | undefined>) | undefined;
    session?: string | undefined;
    /** Holds the campaigns of the counters, which are being read at the same time. */
    campaigns?: Promise<CountedCampaigns> | undefined;
  },
): Promise<CustomerFacts> {
  const { table, project, now } = context;
  const customer_id = finding?.id ?? known?.item.id ?? '';
  const segmentIds = customer_id === '' ? [] : [...needs.segments];
  const whose = person && [...needs.counters].some(isByPerson) ? await person() : undefined;
  const counted = whose === undefined ? subjects : subjects.map((one) => ({ ...one, person: whose }));
  const wanted = counted.flatMap((one, index) =>
    [...needs.counters].flatMap((name) => {
      const key = counterKey(project.id, name, one, now);
      if (!key) return [];
      const seen = session === undefined ? findRecentRead({ table, now }, key) : undefined;
      return [{ index, name, key, seen: seen && parseStored(key.schema, seen) }];
    }),
  );
  const reading = read(table, {
    kept: segmentIds.map((segment_id) => memberKey(project.id, { customer_id, segment_id })),
    collections: [...needs.collections].map((id) => collection.few(project.id, id)),
    counters: wanted.flatMap(({ key, seen }) => (seen ? [] : [key])),
  });
  const [{ kept, collections, counters: countersRead }, there, customer, campaigns = new Map()] = await Promise.all([
    reading,
    readSegments(context, segmentIds),
    finding?.customer ?? known,
    readingCampaigns,
  ]);
  const found = countersRead.values();
  const counters = wanted.map(({ key, seen }) => {
    const item = seen ?? found.next().value;
    if (item && !seen) noteRead({ table, now }, key, item);
    return item;
  });
  const keptIn = new Set(kept.flatMap((one) => (one?.type === 'static' ? [one.segment_id] : [])));
  const named = collections.filter((one) => one !== undefined);
  const areas = await readAreas(context, [
    ...needs.locations,
    ...listSegmentLocations(there),
    ...listCollectionLocations(named),
  ]);
  const isIn = customer ? matchSegments(there, buildSubject(context, customer), keptIn, { now, areas }) : [];
  const counts = counted.map((): Record<string, number> => ({}));
  for (const [place, { index, name }] of wanted.entries()) {
    const [own, one] = [counts[index], counted[index]];
    if (!own || !one) continue;
    const endedAround = countEndedAround(name, one, campaigns);
    own[name] = countSeen(counters[place], { except: session, now, endedAround });
  }
  const stored = wanted.flatMap(({ key }, place) => {
    const item = counters[place];
    return item ? [[keyText(key), item] as const] : [];
  });
  return {
    segments: isIn.map(({ id }) => id),
    collectionsOf: compileCollections(named, { now, areas, schema: project.schemas('product') }),
    areas,
    counts,
    counters: new Map(stored),
  };
}
