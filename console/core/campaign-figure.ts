import type { Schemas } from './api.ts';

type Summary = Schemas['CampaignSummary'];

/** Names the figures in the summary of a campaign. */
export type CampaignFigure = {
  [Name in keyof Summary]-?: Summary[Name] extends number | undefined ? Name : never;
}[keyof Summary];
