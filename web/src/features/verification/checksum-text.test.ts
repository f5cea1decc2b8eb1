import { expect, test } from 'vitest';
import { bareChecksum, problemOf } from './checksum-text.ts';

const sum = '31fc0759e1f6d8ebfe687523406c2472c681dc7cfe7abec095633d02a593f385';

test.each([
  ['as it is', sum],
  ['in capitals', sum.toUpperCase()],
  ['in groups, as the portal prints it', sum.match(/.{4}/g)?.join(' ') ?? ''],
  ['in lines with no-break spaces', sum.match(/.{32}/g)?.join('\u{a0}\r\n') ?? ''],
  ['in pairs with colons', sum.match(/.{2}/g)?.join(':') ?? ''],
])('a checksum is understood %s', (_, written) => {
  expect(bareChecksum(`  ${written}\n`)).toBe(sum);
  expect(problemOf(bareChecksum(written))).toBeUndefined();
});

test('nothing at all is empty, anything else but 64 hexadecimal digits is invalid', () => {
  expect(problemOf(bareChecksum(' \n\t '))).toBe('empty');
  for (const wrong of ['abc', sum.slice(1), `${sum}0`, sum.replace('3', 'g'), sum.replace('3', '３')])
    expect(problemOf(bareChecksum(wrong))).toBe('invalid');
});
