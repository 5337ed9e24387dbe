import * as v from 'valibot';
import { buildCodeSpace, codeConfig } from '#engine/ledger/codes/code-space.ts';
import { described } from '#kernel/core/documented.ts';
import { timezone, weekday } from '#kernel/core/local-time.ts';
import { array, email, identifier, longText, object, shortText } from '#kernel/core/schema.ts';

/** Describes the settings of a project that requests and project files set. */

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const currency = v.pipe(
  v.string(),
  v.check((code) => currencies.has(code), 'must be a currency (ISO 4217), such as EUR'),
);

const dialCode = v.pipe(v.string(), v.regex(/^\+?\d{1,7}$/, 'must be a country code of telephones, such as 47'));

const maxDomains = 100;

function isDomain(text: string): boolean {
  if (text === '*') return true;
  if (text.includes('://')) {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/[^/?#@]+\/?$/i.test(text);
  }
  const host = text.replace(/^\*\./, '');
  return !host.includes('*') && URL.parse(`https://${host}`)?.host === host;
}

const domains = array(
  v.pipe(
    v.string(),
    v.check(
      isDomain,
      'must be an origin such as https://shop.example, a host in lower case such as shop.example or *.shop.example, or *',
    ),
  ),
  maxDomains,
);

const maxAddresses = 100;

const channels = {
  email: described(v.optional(v.boolean()), 'Whether users get a mail.'),
  in_app: described(v.optional(v.boolean()), 'Whether users see a message in the console.'),
  emails: described(v.optional(array(email, maxAddresses)), 'Addresses that get the mail.'),
};

const least = 10;
const most = 90;

const usage = v.optional(
  object({
    enabled: v.optional(v.boolean()),
    value: described(
      v.optional(
        v.pipe(
          v.number(),
          v.integer('must be a whole number of percent'),
          v.minValue(least, `must be ${least} or more`),
          v.maxValue(most, `must be ${most} or less`),
        ),
      ),
      'The share of the limit, in percent, that is worth a message.',
    ),
    ...channels,
  }),
);

const usageNotifications = object({
  messages: usage,
  api_calls: usage,
  bulk_api_calls: usage,
  webhook_calls: usage,
  cycle_calls: usage,
});

const calloutNotifications = object({
  distributions: v.optional(object(channels)),
  webhooks: v.optional(object(channels)),
});

const { initial_count: _, ...codeFields } = codeConfig.entries;

const defaultCodeConfig = v.pipe(
  object(codeFields),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const outcome = buildCodeSpace(dataset.value);
    for (const fault of 'faults' in outcome ? outcome.faults : []) addIssue({ message: fault });
  }),
);

/** The switches for browsers, by the names of requests. Project files call them `client`. */
export const clientSwitchNames = {
  client_redeem_enabled: 'redemption',
  client_publish_enabled: 'publication',
  client_list_vouchers_enabled: 'wallet',
  client_create_customer_enabled: 'customers',
  client_loyalty_events_enabled: 'events',
} as const;

const flag = (words: string) => described(v.optional(v.boolean()), words);

export const clientFlags = {
  client_redeem_enabled: flag('Lets pages redeem.'),
  client_publish_enabled: flag('Lets pages publish vouchers.'),
  client_list_vouchers_enabled: flag(
    'Lets pages list the codes of a customer. With `client_redeem_enabled`, pages spend the codes of each customer whose id is known or guessed.',
  ),
  client_create_customer_enabled: flag('Lets pages create customers.'),
  client_loyalty_events_enabled: flag('Lets pages send custom events.'),
};

/** The settings that project files also have. Each is stored under its own name. */
export const storedSettings = {
  description: v.optional(longText),
  timezone: described(v.optional(timezone), 'Time zone (IANA) in which days and hours are counted.'),
  week_starts_on: described(v.optional(weekday), 'The day on which each week of limits begins. By default MONDAY.'),
  currency: described(v.optional(currency), 'Currency (ISO 4217) of all amounts.'),
  dial_code: described(v.optional(dialCode), 'Country code of telephones.'),
  webhook_version: described(v.optional(v.picklist(['v2024-01-01'])), 'The form of outgoing webhooks.'),
  api_version: described(v.optional(v.picklist(['v2018-08-01'])), 'The version of this interface.'),
  client_trusted_domains: described(v.optional(domains), 'Pages that may use each client key of the project.'),
  client_set_voucher_expiration_date_enabled: flag(
    'Is stored and shown. It has no effect, because no call of pages has a date of a voucher.',
  ),
  webhooks_callout_notifications: v.optional(calloutNotifications),
  api_usage_notifications: v.optional(usageNotifications),
  export_bom: flag('Begins the files of exports with a byte order mark, for spreadsheets that need one to read UTF-8.'),
  orders_carry_effects: flag(
    'Lets the status CANCELED return all that is left of an order. By default an order only stores the status.',
  ),
  currency_decimals: described(
    v.optional(
      v.pipe(
        v.number(),
        v.integer('must be a whole number'),
        v.minValue(0, 'must be 0 or more'),
        v.maxValue(4, 'must be 4 or less'),
      ),
    ),
    'The decimals of amounts in files, formulas and ratios of exchange. By default the currency decides.',
  ),
  default_code_config: described(
    v.optional(defaultCodeConfig),
    'The form of generated codes, unless a campaign or a request has its own.',
  ),
};

export type StoredSetting = keyof typeof storedSettings;

export function isStoredSetting(name: string): name is StoredSetting {
  return Object.hasOwn(storedSettings, name);
}

/** The settings that a request may set at any time. */
export const changeable = { ...storedSettings, ...clientFlags };

export const projectName = v.pipe(shortText, identifier);

export const caseSensitive = described(
  v.boolean(),
  'Whether codes that differ in case alone are different codes. It never changes.',
);

export const neededSettings = { timezone, currency };

interface Sent {
  readonly [name: string]: unknown;
}

/** Returns the switches of browsers that a body sets, by their stored names. */
export function sentSwitches(body: Sent): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(clientSwitchNames).flatMap(([name, own]) => {
      const sent = body[name];
      return typeof sent === 'boolean' ? [[own, sent]] : [];
    }),
  );
}

/** Returns the settings that a body sets. */
export function sentSettings(body: Sent): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => isStoredSetting(name) && value !== undefined),
  );
}
