import { useState } from 'react';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from './render.fixture.tsx';
import type { TableColumn } from './table-parts.ts';
import { useKeptCells } from './useKeptCells.tsx';

interface Paper {
  readonly day: string;
  readonly number: string;
}
const columns: readonly TableColumn<Paper>[] = [
  { id: 'day', header: 'Day', cell: (row) => row.day },
  { id: 'number', header: 'Number', cell: (row) => row.number },
];

/** A row that a button gives another document, and the cells that it had each time. */
const showRow = (first: Paper, next: Paper): readonly (readonly ReactElement[])[] => {
  const shown: (readonly ReactElement[])[] = [];
  function Row() {
    const [paper, setPaper] = useState(first);
    const cellOf = useKeptCells<Paper>();
    const cells = columns.map((column) => cellOf(column, paper));
    shown.push(cells);
    return (
      <>
        <button type="button" onClick={() => setPaper(next)}>
          Next
        </button>
        <table>
          <tbody>
            <tr>{cells}</tr>
          </tbody>
        </table>
      </>
    );
  }
  show(<Row />);
  return shown;
};

test('of another document a row renders only the values that are others', async () => {
  const shown = showRow({ day: '18-11-2026', number: 'KH/1' }, { day: '18-11-2026', number: 'KH/2' });
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.element(page.getByRole('cell', { name: 'KH/2' })).toBeVisible();
  const [before, after] = [shown[0], shown.at(-1)];
  expect(after?.[0]).toBe(before?.[0]);
  expect(after?.[1]).not.toBe(before?.[1]);
});
