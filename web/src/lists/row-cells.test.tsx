import { expect, test } from 'vitest';
import { createMetadataTexts } from '#platform/metadata.ts';
import { valueOf } from './row-cells.tsx';

const texts = createMetadataTexts({ definitions: [], dictionaries: [] });
const dayOf = (value: string) => valueOf({ id: 'REG_DATE', value, look: 'day', texts });
const caseOf = (value: string) => valueOf({ id: 'CASE', value, look: 'mono', texts });

test('the same day or number of two documents is the same element, so that nothing is rendered for it', () => {
  expect(dayOf('2026-11-18')).toBe(dayOf('2026-11-18'));
  expect(dayOf('2026-11-19')).not.toBe(dayOf('2026-11-18'));
  expect(caseOf('KH/1/2026')).toBe(caseOf('KH/1/2026'));
});
