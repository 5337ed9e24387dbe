import * as v from 'valibot';
import { askFor, type Check, type Finding, fault, fine, unread, warning } from './finding.ts';

const account = v.object({ ProductionAccessEnabled: v.boolean(), SendingEnabled: v.boolean() });
const identity = v.object({ VerifiedForSendingStatus: v.boolean() });

/** Looks whether SES may send mails of the stage's sender, and to anyone. */
export const checkMail: Check = async ({ ask, options: { mailSender } }) => {
  if (mailSender === undefined) return [];
  const args = ['sesv2', 'get-account'];
  const found = await askFor(ask, args, account);
  const ofAccount = (): Finding => {
    if ('why' in found) return unread('SES', args, found.why);
    if (!found.value.SendingEnabled)
      return fault('SES has stopped the sending of this account', 'aws support create-case');
    if (found.value.ProductionAccessEnabled) return fine('SES sends to any address');
    const what = "SES is in its sandbox: it sends only to verified addresses, and invitations don't arrive";
    return warning(
      what,
      'aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --website-url <your site>',
    );
  };
  const domain = mailSender.split('@')[1] ?? mailSender;
  const replies = await Promise.all(
    [mailSender, domain].map((name) =>
      askFor(ask, ['sesv2', 'get-email-identity', '--email-identity', name], identity),
    ),
  );
  const isVerified = replies.some((one) => 'value' in one && one.value.VerifiedForSendingStatus);
  const create = `aws sesv2 create-email-identity --email-identity ${domain}`;
  const ofSender = isVerified
    ? fine(`SES has verified the sender ${mailSender}`)
    : fault(`SES has verified neither ${mailSender} nor ${domain}`, create);
  return [ofAccount(), ofSender];
};

const certificateShape = v.object({
  Certificate: v.object({
    Status: v.string(),
    DomainName: v.string(),
    SubjectAlternativeNames: v.optional(v.array(v.string()), []),
    NotAfter: v.optional(v.union([v.string(), v.number()])),
  }),
});

/** A certificate of ACM renews itself 60 days before its end, if its DNS record still exists. */
const soonInMs = 30 * 24 * 60 * 60 * 1_000;

const covers = (name: string, domain: string) =>
  name === domain || (name.startsWith('*.') && domain.slice(domain.indexOf('.')) === name.slice(1));

/** Looks whether the certificate of the stage's domain is issued, and for this domain. */
export const checkCertificate: Check = async ({ ask, now, options: { distribution } }) => {
  const { domain, certificate } = distribution ?? {};
  if (domain === undefined || certificate === undefined) return [];
  const args = ['acm', 'describe-certificate', '--region', 'us-east-1', '--certificate-arn', certificate];
  const found = await askFor(ask, args, certificateShape);
  const request = `aws acm request-certificate --region us-east-1 --validation-method DNS --domain-name ${domain}`;
  if ('why' in found) {
    if (!/ResourceNotFound/.test(found.why)) return [unread('The certificate', args, found.why)];
    return [fault(`the certificate of ${domain} does not exist`, request)];
  }
  const { Status, DomainName, SubjectAlternativeNames, NotAfter } = found.value.Certificate;
  if (Status !== 'ISSUED') {
    const what = `the certificate of ${domain} is ${Status}: its DNS record may be missing`;
    return [fault(what, `aws ${args.join(' ')} --query Certificate.DomainValidationOptions`)];
  }
  if (![DomainName, ...SubjectAlternativeNames].some((name) => covers(name, domain))) {
    return [fault(`the certificate is for ${DomainName}, not for ${domain}`, request)];
  }
  // The AWS CLI writes times as texts, and its first version as seconds.
  const end = new Date(typeof NotAfter === 'number' ? NotAfter * 1_000 : (NotAfter ?? 8.64e15));
  if (end.getTime() - now.getTime() < soonInMs) {
    return [
      warning(
        `the certificate of ${domain} ends on ${end.toISOString().slice(0, 10)}, and was not renewed`,
        `aws acm renew-certificate --region us-east-1 --certificate-arn ${certificate}`,
      ),
    ];
  }
  return [fine(`the certificate of ${domain} is issued`)];
};
