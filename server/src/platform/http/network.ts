import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that begin with the same `bits` bits. */
export type Network = readonly [address: Address, bits: number];

/** More than any address has with its zone. */
const maxLength = 100;

/** Only the usual four decimals, since `010.1` and `0x7f000001` are written by people and not by proxies. */
const parse = (written: string): Address | undefined => {
  if (written.length > maxLength) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(written)) return ipaddr.IPv4.parse(written);
  const [bare = ''] = written.split('%', 1);
  if (!bare.includes(':') || !ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
};

/** Without a port and surrounding brackets or quotes. */
const withoutPort = (written: string): string => {
  if (written.length > maxLength) return '';
  const bare = written.trim().replace(/^"(.*)"$/, '$1');
  const bracketed = /^\[([^[\]]*)\](?::\d{1,5})?$/.exec(bare);
  if (bracketed !== null) return bracketed[1] ?? '';
  return parse(bare) === undefined ? bare.replace(/(?<=[^:]):\d{1,5}$/, '') : bare;
};

/**
 * One address as proxies write it: bare, with a port, in brackets or quotes, of IPv6 with a zone. Gives its one form, of a mapped IPv4 address
 * the IPv4 one; undefined for everything else (`unknown`, `_hidden`).
 */
export const readAddress = (written: string): string | undefined => parse(withoutPort(written))?.toString();

/** `10.0.0.1`, `fd00::/8`; undefined for everything else. */
export const readNetwork = (written: string): Network | undefined => {
  const [before = '', prefix, ...more] = written.split('/');
  const address = parse(before);
  if (address === undefined || more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return undefined;
  const maxBits = address.kind() === 'ipv4' ? 32 : 128;
  // The prefix of a mapped address counts the 96 bits before it.
  const bits = prefix === undefined ? maxBits : Number(prefix) - (maxBits === 32 && before.includes(':') ? 96 : 0);
  return bits >= 0 && bits <= maxBits ? [address, bits] : undefined;
};

/** Whether one of these networks holds the address, which is one that `readAddress` gave. */
export const isWithin = (networks: readonly Network[], address: string): boolean => {
  const parsed = parse(address);
  return parsed !== undefined && networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
};

/** The widest that may be trusted: `10.0.0.0/8`, `fc00::/7`, `fe80::/10`, and of public IPv6 addresses what one provider has. */
const minBits = (address: Address): number => {
  if (address.kind() === 'ipv4') return 8;
  const range = address.range();
  if (range === 'uniqueLocal') return 7;
  return range === 'linkLocal' ? 10 : 20;
};

/** Wider than any fleet of proxies: clients would be trusted as proxies. */
export const isTooWide = ([address, bits]: Network): boolean => bits < minBits(address);

/** The first groups of an IPv6 address; undefined for IPv4, and for what is no address. */
const prefixOf = (address: string, groups: number): string | undefined => {
  const parsed = parse(address);
  if (parsed === undefined || !('parts' in parsed)) return undefined;
  return `${new ipaddr.IPv6(parsed.parts.map((part, index) => (index < groups ? part : 0))).toString()}/${groups * 16}`;
};

/** The key that anonymous calls from an address are counted under: itself, or of IPv6 its /64, since one customer of a provider has all of that. */
export const networkOf = (address: string): string => prefixOf(address, 4) ?? readAddress(address) ?? address;

/** The /48 of an IPv6 address, which a provider gives to one place; undefined for IPv4. */
export const siteOf = (address: string): string | undefined => prefixOf(address, 3);
