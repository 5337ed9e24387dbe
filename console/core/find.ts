import { words } from '../words.ts';
import { api, type QueryOf } from './api.ts';
import { isOn, writeBenefit, writeKind, writePeriod } from './benefit.ts';
import { human, money } from './format.ts';
import { callCustomer, findCustomers } from './people.ts';

/** Finds what a text names: codes in any case, customers, campaigns, orders and products, with their kind and state. */

export interface Hit {
  readonly label: string;
  readonly hint: string;
  readonly path: string;
}

const w = words.palette;
const mostOfKind = 3;

const join = (...parts: readonly (string | undefined)[]) => parts.filter((part) => part && part !== '–').join(' · ');

/** Returns the code as typed, else in capitals or in small letters. */
async function findCode(text: string): Promise<Hit[]> {
  const cases = [...new Set([text, text.toUpperCase(), text.toLowerCase()])];
  const found = await Promise.all(
    cases.map((code) => api.GET('/v1/vouchers/{code}', { params: { path: { code } } }).then(({ data }) => data)),
  );
  const voucher = found.find(Boolean);
  if (!voucher) return [];
  const { code, type, active } = voucher;
  const state = isOn(active) ? writePeriod(voucher.start_date, voucher.expiration_date) : words.off;
  const place = encodeURIComponent(code);
  return [
    { label: code, hint: join(writeKind(type), writeBenefit(voucher), state), path: `/vouchers/${place}` },
    { label: w.simulate(code), hint: w.act, path: `/simulator?codes=${place}` },
  ];
}

async function findPeople(text: string): Promise<Hit[]> {
  const { rows } = await findCustomers(text, undefined, mostOfKind);
  const people = rows.slice(0, mostOfKind).map((one): Hit => {
    const name = callCustomer(one);
    const known = [one.email, one.source_id].filter((part) => part && part !== name);
    return { label: name, hint: join(words.customer, known[0] ?? undefined), path: `/customers/${one.id}` };
  });
  const [only, ...others] = rows;
  if (!only || others.length > 0) return people;
  return [...people, { label: w.simulate(callCustomer(only)), hint: w.act, path: `/simulator?customer=${only.id}` }];
}

const contains = (name: string | null | undefined, text: string) =>
  (name ?? '').toLowerCase().includes(text.toLowerCase());

async function findCampaigns(text: string): Promise<Hit[]> {
  const { data } = await api.GET('/v1/campaigns', { params: { query: { limit: 100 } } });
  return (data?.campaigns ?? [])
    .filter(({ id, name }) => id === text || contains(name, text))
    .slice(0, mostOfKind)
    .map(({ id, name, campaign_type: type, active, start_date: start, expiration_date: end }) => ({
      label: name,
      hint: join(words.campaign, writeKind(type), isOn(active) ? writePeriod(start, end) : words.off),
      path: `/campaigns/${id}`,
    }));
}

async function findOrder(text: string): Promise<Hit[]> {
  const { data } = await api.GET('/v1/orders/{orderId}', { params: { path: { orderId: text } } });
  if (!data) return [];
  const hint = join(words.order, human(data.status), money(data.total_amount ?? data.amount));
  return [{ label: data.source_id ?? data.id, hint, path: `/orders?open=${data.id}` }];
}

async function findProducts(text: string): Promise<Hit[]> {
  const query: QueryOf<'list-products'> = { limit: 100 };
  const { data } = await api.GET('/v1/products', { params: { query } });
  return (data?.products ?? [])
    .filter(({ id, name, source_id: own }) => id === text || contains(name, text) || contains(own, text))
    .slice(0, mostOfKind)
    .map(({ id, name, price }) => ({
      label: name ?? id,
      hint: join(words.catalogue.product, money(price)),
      path: `/catalogue?open=${id}`,
    }));
}

/** Asks for all kinds together. A kind that the key may not read has no hits. */
export async function findAll(text: string): Promise<Hit[]> {
  const kinds = [findCode, findPeople, findCampaigns, findOrder, findProducts];
  const found = await Promise.all(kinds.map((find) => find(text).catch(() => [])));
  return found.flat();
}
