import { expect, test } from 'vitest';
import { checkNames } from './check-names.ts';
import { plantTree } from './planted-tree.ts';

test.each([
  'web/src/utils/dates.ts',
  'web/src/date-helpers.ts',
  'server/src/shared/dates.ts',
  'server/src/features/documents/documents.manager.ts',
  'web/src/desktop/WindowManager.tsx',
  'server/src/Documents.ts',
  'server/src/my_dates.ts',
])('%s is refused', (file) => {
  expect(checkNames(plantTree({ [file]: '' })).problems).not.toEqual([]);
});

test.each([
  'server/src/features/documents/documents.store.test.ts',
  'server/src/platform/database/migrations/0001-first.ts',
  'web/src/desktop/Window.tsx',
  'web/src/desktop/Window.module.css',
  'web/src/desktop/useDrag.ts',
  'web/src/kit/buttons/Button.test.tsx',
  'server/src/platform/pdf/fonts/LiberationSans_Bold.ttf',
])('%s is fine', (file) => {
  expect(checkNames(plantTree({ [file]: '' })).problems).toEqual([]);
});

test('a style sheet too long to read is refused', () => {
  const css = 'a { color: red }\n';
  expect(checkNames(plantTree({ 'web/src/kit/buttons/Button.module.css': css.repeat(300) })).problems).toEqual([]);
  expect(checkNames(plantTree({ 'web/src/kit/buttons/Button.module.css': css.repeat(301) })).problems).toHaveLength(1);
});
