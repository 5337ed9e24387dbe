import type { Dependencies } from '../../lib/composition.ts';
import type { SendMail } from '../../lib/outbox/mail.ts';

/** Where nothing is sent, a mail is written to the log whole. */
export function logMail({ clock, log }: Dependencies): SendMail {
  return async (mail) => log(JSON.stringify({ level: 'info', time: clock().toISOString(), part: 'mail', mail }));
}
