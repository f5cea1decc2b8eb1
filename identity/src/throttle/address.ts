import { isIPv4, isIPv6 } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The eight groups of an IPv6 address, with what `::` stands for written out. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail] = address.split('%', 1).join('').split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right].map((group) => Number.parseInt(group, 16).toString(16));
};

/** Whom tries from an address are counted for: with IPv6 a whole /64, since one customer of a provider has all of it. */
export const networkOf = (address: string): string => {
  const [, four] = mapped.exec(address) ?? [];
  if (four !== undefined && isIPv4(four)) return four;
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
};
