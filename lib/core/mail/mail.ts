export interface Mail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Throws when the mail was not taken; it is then tried again, later. */
export type SendMail = (mail: Mail) => Promise<void>;
