import { DialogButton } from '../components/dialog.tsx';
import { EntryForm, Field } from '../components/field.tsx';
import { type FieldOf, Form } from '../components/form.tsx';
import { api, dataOf, type QueryOf, type Schemas } from '../core/api.ts';
import { isOn } from '../core/benefit.ts';
import { count } from '../core/format.ts';
import { actSoon, attempt } from '../core/notice.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';

type Campaign = Schemas['Campaign'];

const editable: readonly FieldOf<'update-campaign'>[] = [
  'description',
  'start_date',
  'expiration_date',
  'category_id',
  'metadata',
];

/** Switches a campaign, adds codes, and edits it. */
export function CampaignActions({ campaign, changed }: { campaign: Campaign; changed: () => void }) {
  const params = { path: { campaignId: campaign.id } };
  const enable = () => dataOf(api.POST('/v1/campaigns/{campaignId}/enable', { params }));
  const disable = () => dataOf(api.POST('/v1/campaigns/{campaignId}/disable', { params }));
  const flip = async () => {
    const [act, back] = isOn(campaign.active) ? [disable, enable] : [enable, disable];
    await attempt(isOn(campaign.active) ? words.switchedOff : words.switchedOn, act, () =>
      attempt(words.undone, back).then(changed),
    );
    changed();
  };
  const addCodes = async (wanted: number, close: () => void) => {
    const query: QueryOf<'add-vouchers'> = { vouchers_count: wanted };
    const send = () =>
      dataOf(api.POST('/v1/campaigns/{campaignId}/vouchers', { params: { ...params, query }, body: {} }));
    if (await attempt(words.campaigns.generating(count(wanted)), send)) close();
    changed();
  };
  const exportCodes = async () => {
    const isStarted = await attempt(words.campaigns.exporting, () =>
      dataOf(
        api.POST('/v1/exports', {
          body: {
            exported_object: 'voucher',
            parameters: { filters: { campaign_ids: { conditions: { $is: [campaign.id] } } } },
          },
        }),
      ),
    );
    if (isStarted) go('/work?tab=exports');
  };
  return (
    <>
      <button type="button" onClick={flip}>
        {isOn(campaign.active) ? words.switchOff : words.switchOn}
      </button>
      {campaign.campaign_type !== 'PROMOTION' && campaign.type !== 'STANDALONE' && (
        <DialogButton label={words.campaigns.addCodes}>
          {(close) => (
            <EntryForm submit={words.campaigns.addCodes} send={(get) => addCodes(Number(get('count')), close)}>
              <Field name="count" label={words.campaigns.howMany} type="count" max={1_000_000} initial="100" />
            </EntryForm>
          )}
        </DialogButton>
      )}
      {campaign.campaign_type !== 'PROMOTION' && (
        <button type="button" onClick={exportCodes}>
          {words.campaigns.exportCodes}
        </button>
      )}
      <button
        type="button"
        onClick={() =>
          actSoon(
            words.deleted(campaign.name),
            () => dataOf(api.DELETE('/v1/campaigns/{campaignId}', { params })),
            () => go('/campaigns'),
          )
        }
      >
        {words.delete}
      </button>
      <DialogButton label={words.edit}>
        {(close) => (
          <Form
            of="update-campaign"
            fields={editable}
            initial={campaign}
            send={(body) => dataOf(api.PUT('/v1/campaigns/{campaignId}', { params, body }))}
            done={() => {
              close();
              changed();
            }}
          />
        )}
      </DialogButton>
    </>
  );
}
