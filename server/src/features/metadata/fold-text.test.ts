import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { foldedSql, foldText } from './fold-text.ts';

const words = ['Zażółć GĘŚLĄ jaźń', 'ŁÓDŹ', 'Łódź', 'Ünïcödé', 'ÇA', 'İstanbul', 'Ёлка', 'a_b%c\\d', '', '12 34', 'Straße', 'GROẞ', 'Мӑй'];

test('ß is found as ss', () => {
  expect(foldText('Straße Überweisung')).toBe('strasse uberweisung');
});

test('Polish letters are found without their marks', () => {
  expect(foldText('Zażółć GĘŚLĄ jaźń ŁÓDŹ')).toBe('zazolc gesla jazn lodz');
});

test('PostgreSQL folds as we do', async () => {
  await using database = await createTestDatabase();
  for (const word of words) {
    const { rows } = await sql<{ folded: string }>`select ${sql.raw(foldedSql('given.word'))} as folded
      from (values (${word}::text)) as given (word)`.execute(database.db);
    expect(rows[0]?.folded).toBe(foldText(word));
  }
});
