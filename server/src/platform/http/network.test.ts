import { describe, expect, test } from 'vitest';
import { isTooWide, isWithin, networkOf, readAddress, readNetwork, siteOf } from './network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['::1', '::/64'],
  ['::', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['unknown', 'unknown'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('an IPv6 address lies in a site of 65 536 networks; an IPv4 address in none', () => {
  expect(siteOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48');
  expect(siteOf('192.0.2.7')).toBeUndefined();
  expect(siteOf('::ffff:192.0.2.7')).toBeUndefined();
});

describe('an address', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7 ', '192.0.2.7'],
    ['192.0.2.7:50420', '192.0.2.7'],
    ['"192.0.2.7:50420"', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
    ['2001:DB8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:50420', '2001:db8::7'],
    ['"[2001:db8::7]:50420"', '2001:db8::7'],
    ['2001:db8:1:2:3:4:5:6:50420', '2001:db8:1:2:3:4:5:6'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
  ])('is read from %s as %s', (written, address) => {
    expect(readAddress(written)).toBe(address);
  });

  test.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    '_SEVKISEK:80',
    'localhost',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.7.8',
    '010.0.0.1',
    '0x7f000001',
    '3221225991',
    '192.0.2.7:',
    '192.0.2.7:port',
    '192.0.2.7:123456',
    '192.0.2.7 50420',
    '[192.0.2.7',
    '[]',
    '[2001:db8::7]x',
    '[2001:db8::7]:',
    '2001:db8::7::',
    '2001:db8:::7',
    '2001:db8::g',
    '"',
    "' or 1=1",
    'for=192.0.2.7',
    '1:'.repeat(8_000),
    `[${':'.repeat(16_000)}`,
    `192.0.2.7${' '.repeat(16_000)}`,
  ])('is not read from %j', (written) => {
    expect(readAddress(written)).toBeUndefined();
  });
});

describe('a network', () => {
  const read = (written: string) => {
    const network = readNetwork(written);
    if (network === undefined) throw new Error(`${written} is no network`);
    return network;
  };

  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.0.0.1', true],
    ['10.0.0.0/8', '::a00:1', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', '10.0.0.1', false],
    ['fe80::1%eth0', 'fe80::1', true],
  ])('%s holds %s: %s', (network, address, isHeld) => {
    expect(isWithin([read(network)], address)).toBe(isHeld);
  });

  test.each([
    '',
    'proxy.example.com',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/255.0.0.0',
    '10.0/16',
    'fd00::/129',
  ])('is not read from %j', (written) => {
    expect(readNetwork(written)).toBeUndefined();
  });

  test.each([
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1',
    '128.0.0.0/1',
    '10.0.0.0/7',
    '2000::/3',
    '2600::/12',
    '2600::/19',
    '::/1',
    '::ffff:0:0/96',
    'fc00::/6',
    'fe80::/9',
  ])('%s is too wide to be trusted', (written) => {
    expect(isTooWide(read(written))).toBe(true);
  });

  test.each([
    '10.0.0.0/8',
    '172.16.0.0/12',
    '104.64.0.0/10',
    '192.0.2.1',
    'fc00::/7',
    'fd00::/8',
    'fe80::/10',
    '2a06:98c0::/29',
    '2600:1400::/24',
    '::1',
  ])('%s may be trusted', (written) => {
    expect(isTooWide(read(written))).toBe(false);
  });
});
