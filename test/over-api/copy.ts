import { type Api, type Made, path } from './api.ts';
import { asEntry, type Entry, part, parts, renamed, text, without } from './project.ts';

/** Copies a project to another project: by its copying operations, and by reading from one and posting to the other. */

/** Fields that the service gives to an object. */
const given = ['id', 'object', 'created_at', 'updated_at'];

/** Reads all pages of a list, the oldest entry first. */
export async function readAll(api: Api, list: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const reply = asEntry(await api.send('GET', `${list}?limit=100&page=${page}`));
    const data = parts(reply, text(reply, 'data_ref') || 'data');
    found.push(...data);
    if (data.length === 0 || found.length >= Number(reply.total)) break;
  }
  return found.toSorted((a, b) => (text(a, 'created_at') < text(b, 'created_at') ? -1 : 1));
}

export class Copying {
  readonly from: Api;
  readonly to: Api;
  /** Ids of the copied project, each with the id of the copy. */
  readonly ids = new Map<string, string>();

  constructor(from: Api, to: Api) {
    this.from = from;
    this.to = to;
  }

  made(entry: Entry, { id }: { id: string }): void {
    this.ids.set(text(entry, 'id'), id);
  }

  /** Returns what a request sends for an entry of a reply. */
  bodyOf(entry: Entry, ...left: string[]): Entry {
    return asEntry(renamed(without(entry, ...given, ...left), this.ids));
  }

  /** Copies the entries of a list that nothing else has created in the copy. `at` and `body` are as in `list`. */
  async rest(all: string, { at = all, body = (entry: Entry) => this.bodyOf(entry) } = {}): Promise<void> {
    const there = await readAll(this.to, at);
    for (const entry of await readAll(this.from, all)) {
      const made = there.find(({ name }) => name === entry.name);
      this.ids.set(text(entry, 'id'), made ? text(made, 'id') : (await this.to.post(at, body(entry))).id);
    }
  }

  /** Reads a list and posts its entries singly. `at` says where, if the copy has another path. */
  async list(all: string, { at = all, body = (entry: Entry) => this.bodyOf(entry) } = {}): Promise<[Entry, Made][]> {
    const pairs: [Entry, Made][] = [];
    for (const entry of await readAll(this.from, all)) {
      const made = await this.to.post(at, body(entry));
      this.made(entry, made);
      pairs.push([entry, made]);
    }
    return pairs;
  }
}

const managementOf = ({ projectId }: Api) => path`/management/v1/projects/${projectId}`;

/** Settings that only the project itself has. */
const ownSettings = ['name', 'webhook_token', 'is_sandbox'];

/** Returns the body that creates the same project with its users, under another name. */
export async function readProject(api: Api, name: string): Promise<Entry> {
  const project = asEntry(await api.send('GET', managementOf(api)));
  const users = await readAll(api, `${managementOf(api)}/users`);
  return {
    ...without(project, ...given, ...ownSettings),
    name,
    users: users.map((user) => ({ id: user.id, role: part(user, 'projects')[api.projectId] })),
  };
}

async function copySettings(copying: Copying): Promise<void> {
  const [from, at] = [managementOf(copying.from), managementOf(copying.to)];
  // The copy gets keys with new tokens.
  await copying.rest(`${from}/keys`, {
    at: `${at}/keys`,
    body: ({ type, name, origins }) => ({ type, name, ...(origins === undefined ? {} : { origins }) }),
  });
  await copying.list('/v1/categories');
  for (const name of ['metadata-schemas', 'custom-event-schemas', 'branding', 'webhooks', 'stacking-rules']) {
    await copying.list(`${from}/${name}`, { at: `${at}/${name}` });
  }
}

async function copyCatalogue(copying: Copying): Promise<void> {
  for (const [product, { id }] of await copying.list('/v1/products', {
    body: (entry) => copying.bodyOf(entry, 'skus'),
  })) {
    await copying.list(path`/v1/products/${product.id}/skus`, {
      at: path`/v1/products/${id}/skus`,
      body: (entry) => copying.bodyOf(entry, 'product_id', 'product'),
    });
  }
  await copying.list('/v1/customers', {
    body: (entry) => without(entry, ...given, 'summary', 'loyalty', 'referrals', 'assets'),
  });
}

const ruleOf = (entry: Entry) => text(parts(part(entry, 'validation_rules_assignments'), 'data')[0] ?? {}, 'rule_id');

/** Makes a template, copies it to the other project, and returns the path of the copy. */
async function copyTemplate({ from, to }: Copying, name: string, source: object): Promise<string> {
  const template = await from.post('/v1/templates/campaigns', { name, ...source });
  const all = `${managementOf(from)}/templates/campaigns`;
  const { id } = await from.post(`${all}${path`/${template.id}/copy`}`, { name, destination_project_id: to.projectId });
  return path`/v1/templates/campaigns/${id}`;
}

async function setUpCampaign(copying: Copying, campaign: Entry): Promise<void> {
  const name = text(campaign, 'name');
  const template = await copyTemplate(copying, name, { campaign_id: campaign.id });
  const own = copying.bodyOf({ category_id: campaign.category_id, vouchers_count: campaign.vouchers_count });
  const made = part(asEntry(await copying.to.send('POST', `${template}/campaign-setup`, { name, ...own })), 'campaign');
  copying.ids.set(text(campaign, 'id'), text(made, 'id'));
  if (ruleOf(campaign)) copying.ids.set(ruleOf(campaign), ruleOf(made));
}

async function setUpTiers(copying: Copying, campaign: Entry): Promise<void> {
  copying.made(campaign, await copying.to.post('/v1/campaigns', copying.bodyOf(campaign)));
  for (const tier of await readAll(copying.from, path`/v1/promotions/${campaign.id}/tiers`)) {
    const name = text(tier, 'name');
    const template = await copyTemplate(copying, name, { promotion_tier_id: tier.id });
    const { banner, hierarchy, category_id } = tier;
    const body = copying.bodyOf({ campaign_id: campaign.id, name, banner, hierarchy, category_id });
    const made = part(asEntry(await copying.to.send('POST', `${template}/tier-setup`, body)), 'promotion_tier');
    copying.ids.set(text(tier, 'id'), text(made, 'id'));
    if (ruleOf(tier)) copying.ids.set(ruleOf(tier), ruleOf(made));
  }
}

async function copyProgramme(copying: Copying, campaign: Entry): Promise<void> {
  const { from, to } = copying;
  const { id } = await to.post('/v1/loyalties', copying.bodyOf(campaign, 'loyalty_tiers'));
  copying.ids.set(text(campaign, 'id'), id);
  const [all, at] = [path`/v1/loyalties/${campaign.id}`, path`/v1/loyalties/${id}`];
  for (const part of ['earning-rules', 'rewards', 'tiers']) {
    const entries = await readAll(from, `${all}/${part}`);
    const bodies = entries.map((entry) =>
      part === 'rewards'
        ? copying.bodyOf({ reward: entry.reward_id, parameters: entry.parameters })
        : copying.bodyOf(entry),
    );
    const made = await to.postAll(`${at}/${part}`, bodies);
    for (const [index, one] of made.entries()) copying.made(entries[index] ?? {}, one);
  }
}

/** Copies everything that `setUp` makes. A reward may give a code of a campaign, and a programme gives rewards. */
export async function copyProject(copying: Copying): Promise<void> {
  await copySettings(copying);
  await copyCatalogue(copying);
  const campaigns = await readAll(copying.from, '/v1/campaigns');
  const by = (type: string) => campaigns.filter(({ campaign_type }) => campaign_type === type);
  for (const campaign of [...by('DISCOUNT_COUPONS'), ...by('GIFT_VOUCHERS')]) await setUpCampaign(copying, campaign);
  for (const campaign of by('PROMOTION')) await setUpTiers(copying, campaign);
  for (const all of ['/v1/product-collections', '/v1/segments', '/v1/validation-rules']) await copying.rest(all);
  await copying.list('/v1/rewards');
  for (const campaign of by('LOYALTY_PROGRAM')) await copyProgramme(copying, campaign);
}
