import type { MetadataType, MetadataValue } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { valueFromText } from './metadata.ts';

const values: [string, MetadataType, MetadataValue][] = [
  ['SPR/2026/1', 'TEXT', 'SPR/2026/1'],
  ['-1', 'TEXT', '-1'],
  ['007', 'RAW', '007'],
  ['CARDS', 'KEY_NAME', 'CARDS'],
  ['true', 'BOOLEAN', true],
  ['false', 'BOOLEAN', false],
  ['1.5', 'DECIMAL', 1.5],
  ['-1', 'DECIMAL', -1],
  ['2026-11-20', 'SIMPLE_DATE', '2026-11-20'],
  ['-1', 'SIMPLE_DATE', -1],
  ['-1', 'DATE', -1],
  ['2026-11-20T10:00:00Z', 'DATE', Date.UTC(2026, 10, 20, 10)],
];

test.each(values)('%j of the type %s is %j', (text, type, value) => {
  expect(valueFromText(text, type)).toBe(value);
});

const left: [string, MetadataType][] = [
  ['yes', 'BOOLEAN'],
  ['', 'DECIMAL'],
  [' ', 'DECIMAL'],
  ['1,5', 'DECIMAL'],
  ['Infinity', 'DECIMAL'],
  ['tomorrow', 'DATE'],
];

test.each(left)('%j is no value of the type %s and left for the portal to refuse', (text, type) => {
  expect(valueFromText(text, type)).toBe(text);
});
