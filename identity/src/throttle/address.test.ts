import { expect, test } from 'vitest';
import { blockOf, networksOf } from './address.ts';

test.each([
  ['203.0.113.7', ['203.0.113.7', '203.0.113.0/24']],
  ['::ffff:203.0.113.7', ['203.0.113.7', '203.0.113.0/24']],
  ['::FFFF:CB00:7107', ['203.0.113.7', '203.0.113.0/24']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
  ['2001:0DB8:0001:ab02::ffff', ['2001:db8:1:ab02::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['::1', ['::/64', '::/56', '::/48']],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
  ['', ['']],
  ['unknown', ['unknown']],
])('%s is counted as %j, and waits with all of the last', (address, networks) => {
  expect(networksOf(address).map(({ name }) => name)).toEqual(networks);
  expect(blockOf(address)).toBe(networks.at(-1));
});

test('networks of different width are never counted together', () => {
  expect(networksOf('2001:db8::1').map(({ width }) => width)).toEqual(['own', 'site', 'block']);
  expect(networksOf('203.0.113.7').map(({ width }) => width)).toEqual(['own', 'block']);
});
