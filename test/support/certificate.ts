import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Makes certificates for receivers that a test must refuse. `node:crypto` reads certificates, and makes none. */

/** Returns a value of DER: its tag, its length and its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const hexId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`));

/** The object identifiers of RFC 5280 and RFC 5758. */
const commonName = hexId('550403');
const alternativeNames = hexId('551d11');
const ecdsaWithSha256 = sequence(hexId('2a8648ce3d040302'));

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(text)))));
}

function alternativeName(host: string): Buffer {
  const octets = host.split('.').map(Number);
  return octets.some(Number.isNaN) ? der(0x82, Buffer.from(host)) : der(0x87, Uint8Array.from(octets));
}

interface Wanted {
  /** The name or the IPv4 address that the certificate is for. */
  readonly host: string;
  readonly from: Date;
  readonly until: Date;
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function signed({ host, from, until }: Wanted, publicKey: KeyObject, privateKey: KeyObject): Buffer {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const serial = Buffer.concat([Buffer.from([1]), createHash('sha256').update(spki).digest().subarray(0, 8)]);
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    nameOf(host),
    sequence(time(from), time(until)),
    nameOf(host),
    spki,
    der(0xa3, sequence(sequence(alternativeNames, der(0x04, sequence(alternativeName(host)))))),
  );
  const signature = sign('sha256', content, privateKey);
  return sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
}

/** Returns a new key with a certificate that it has signed itself. */
export function selfSigned(wanted: Wanted): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(signed(wanted, publicKey, privateKey)),
  };
}
