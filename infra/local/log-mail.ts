import type { SendMail } from '../../lib/core/mail/mail.ts';
import type { Dependencies } from '../../lib/http/composition.ts';

/** Where nothing is sent, a mail is written to the log whole. */
export function logMail({ clock, log }: Dependencies): SendMail {
  return async (mail) => log(JSON.stringify({ level: 'info', time: clock().toISOString(), part: 'mail', mail }));
}
