import type { SendMail } from '#kernel/core/mail/mail.ts';
import type { Dependencies } from '#kernel/http/composition.ts';

/** Writes a mail to the log as a whole, because nothing is sent here. */
export function logMail({ clock, log }: Dependencies): SendMail {
  return async (mail) => log(JSON.stringify({ level: 'info', time: clock().toISOString(), part: 'mail', mail }));
}
