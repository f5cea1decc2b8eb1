import { isIPv6 } from 'node:net';

const mappedIpv4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** Whom anonymous calls from an address are counted for: itself, or of IPv6 its /64, since one customer of a provider has all of that. */
export const networkOf = (address: string): string => {
  const bare = address.replace(/%.*$/, '');
  const ipv4 = mappedIpv4.exec(bare)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(bare)) return bare;
  const [before = '', after] = bare.split('::');
  const groups = before === '' ? [] : before.split(':');
  // Of what `::` leaves out, only as much as the first four groups need is written out.
  const behind = after === undefined || after === '' ? 0 : after.split(':').length;
  const zeros = after === undefined ? 0 : 8 - groups.length - behind;
  const first = [...groups, ...Array.from({ length: zeros }, () => '0'), ...(after ?? '').split(':')].slice(0, 4);
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};
