export interface Mail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Throws if the mail was not accepted. The worker then tries again later. */
export type SendMail = (mail: Mail) => Promise<void>;
