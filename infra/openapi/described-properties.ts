import { commerceWords } from './commerce-words.ts';
import { figureWords } from './figure-words.ts';
import { formWords } from './form-words.ts';
import { objectWords } from './property-words.ts';
import { isJson, type Json } from './schemas.ts';

const words: Readonly<Record<string, string>> = { ...commerceWords, ...objectWords, ...figureWords, ...formWords };

const readable = (name: string) => name.replaceAll(/[_.]/g, ' ');

/** Returns a description by the ending of a name, because names with the same ending have similar meanings. */
function wordsByEnding(name: string): string | undefined {
  const [, thing = '', ending = ''] = /^(.*?)_?(ids?|url|token|at)$/.exec(name) ?? [];
  const of = thing === '' ? 'this object' : `the ${readable(thing)}`;
  switch (ending) {
    case 'id':
      return thing === 'source' ? 'Id that the shop itself gives.' : `Id of ${of}.`;
    case 'ids':
      return thing === 'source' ? 'Ids that the shop itself gives.' : `Ids of ${thing === '' ? 'objects' : of}.`;
    case 'url':
      return `Address of ${of}.`;
    case 'token':
      return `Text of ${of} token.`;
    default:
      return undefined;
  }
}

function kindOf({ type }: Json): string {
  const [kind] = Array.isArray(type) ? type : [type];
  return String(kind);
}

/** Returns the meaning of a field with this name and kind, or undefined if it has no description. */
function wordsOfProperty(name: string, schema: Json): string | undefined {
  const known = words[`${name}:${kindOf(schema)}`] ?? words[name] ?? wordsByEnding(name);
  return known ?? (name.endsWith('s_id') ? `Ids of ${readable(name.slice(0, -3))}.` : undefined);
}

/** Describes parameters of lists that differ from fields of the same name, or that no field has. */
const parameters: Readonly<Record<string, string>> = {
  affordable_only: 'Only rewards that the points of the card pay for.',
  campaign: 'Only what belongs to this campaign: its name or id.',
  campaign_id: 'Only what belongs to the campaign with this id.',
  campaign_status: 'Only campaigns in this state.',
  campaign_type: 'Only campaigns of this kind, or what belongs to them.',
  category: 'Only what belongs to this category.',
  code: 'Only what has this code.',
  created_at: 'Only what was created before or after these moments.',
  customer: 'Only what belongs to this customer: an id or source id.',
  email: 'Only customers with this email address.',
  city: 'Only customers in this city.',
  name: 'Only customers with this name.',
  end_date: 'Only what happened at this moment or earlier.',
  expand: 'Parts of the reply that are shown in full.',
  filters: 'Only what meets these conditions.',
  ids: 'Only what has one of these ids.',
  is_available: 'Only what can be redeemed now.',
  is_referral_code: 'Only what belongs to referral programmes, or only what does not.',
  limit: 'Highest number of objects on the page.',
  order: 'Field to sort by; a leading dash means descending.',
  page: 'Number of the page, from 1.',
  related_object_id: 'Only what concerns the object with this id.',
  result: 'Only what had this outcome.',
  rule: 'Only assignments of the rule with this id.',
  segment_id: 'Only customers in this segment.',
  session_key: 'Key of the session. A request without a key gets a new key.',
  session_ttl: 'How long the session lasts, in its unit.',
  session_ttl_unit: 'Unit of how long the session lasts.',
  session_type: 'Kind of the session.',
  start_date: 'Only what happened at this moment or later.',
  starting_after:
    'Cursor: the moment after which the page starts, given by `more_starting_after` of the previous page.',
  starting_after_id: 'Cursor: the id after which the page starts, given by `more_starting_after` of the previous page.',
  updated_at: 'Only what was changed before or after these moments.',
  voucher: 'Only what belongs to this voucher: its code or id.',
  voucher_type: 'Only vouchers of this kind.',
};

/** Returns the meaning of a query parameter, or undefined if it has no description. */
export function describeParameter(name: string, schema: Json): string | undefined {
  const words = schema.description ?? parameters[name] ?? wordsOfProperty(name, schema);
  return typeof words === 'string' ? words : undefined;
}

const describedPart = (part: unknown): unknown => (isJson(part) ? addDescriptions(part) : part);

function describedProperty(name: string, schema: unknown): unknown {
  const within = describedPart(schema);
  if (!isJson(within)) return within;
  const { description } = within;
  const isRuleAlone = typeof description === 'string' && description.startsWith('must ');
  if (description !== undefined && !isRuleAlone) return within;
  const meaning = wordsOfProperty(name, within);
  if (meaning === undefined) return within;
  // A rule lists the allowed values, and the description of the name gives their meaning.
  return { ...within, description: isRuleAlone ? `${meaning} The value ${description}.` : meaning };
}

const single = ['items', 'additionalProperties', 'propertyNames'];
const several = ['anyOf', 'oneOf', 'allOf'];

/** Gives each property without a description the description of its name. Leaves examples and defaults unchanged. */
export function addDescriptions(schema: Json): Json {
  const inner = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (single.includes(key)) return [key, describedPart(value)];
    if (several.includes(key) && Array.isArray(value)) return [key, value.map(describedPart)];
    if (key !== 'properties' || !isJson(value)) return [key, value];
    const properties = Object.entries(value).map(([name, one]) => [name, describedProperty(name, one)]);
    return [key, Object.fromEntries(properties)];
  });
  return Object.fromEntries(inner);
}
