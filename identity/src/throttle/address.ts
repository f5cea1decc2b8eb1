import ipaddr from 'ipaddr.js';

/** How many customers of a provider share it, from one to many. */
export type Width = 'own' | 'site' | 'block';

export interface Network {
  readonly name: string;
  readonly width: Width;
}

/** Of IPv6 a customer has a /64, often the /56 around it, and rents a /48 easily; IPv4 addresses are scarce, and a /24 of them is shared by many. */
const lengths: Readonly<Record<'ipv4' | 'ipv6', { readonly own: number; readonly wider: readonly (readonly [Width, number])[] }>> = {
  ipv4: { own: 32, wider: [['block', 24]] },
  ipv6: {
    own: 64,
    wider: [
      ['site', 56],
      ['block', 48],
    ],
  },
};

const networkOf = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string => {
  const cidr = `${address.toNormalizedString()}/${bits}`;
  if (address.kind() === 'ipv6') return `${ipaddr.IPv6.networkAddressFromCIDR(cidr).toString()}/${bits}`;
  return bits === 32 ? address.toString() : `${ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()}/${bits}`;
};

/** The networks that tries from an address are counted for, from the narrowest to the widest. */
export const networksOf = (address: string): readonly [Network, ...Network[]] => {
  const [bare = ''] = address.split('%', 1);
  if (!ipaddr.isValid(bare)) return [{ name: address, width: 'own' }];
  const parsed = ipaddr.process(bare);
  const { own, wider } = lengths[parsed.kind()];
  return [{ name: networkOf(parsed, own), width: 'own' }, ...wider.map(([width, bits]) => ({ name: networkOf(parsed, bits), width }))];
};

/** The widest network around an address: its callers share one lane of the hash queue. */
export const blockOf = (address: string): string => networksOf(address).at(-1)?.name ?? address;
