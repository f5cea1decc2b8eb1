import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { freshTab, show } from '#platform/page.fixture.tsx';
import { DayField, type DayFieldProps } from './DayField.tsx';

const read = (text: string) => (text === '' ? null : /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined);
function Field({ mode, value }: Pick<DayFieldProps, 'mode' | 'value'>) {
  const [days, setDays] = useState(value);
  return <DayField label="Published" mode={mode} value={days} onChange={setDays} read={read} />;
}
const openCalendar = () => userEvent.click(page.getByRole('button', { name: 'Open the calendar: Published' }));
const cell = (name: RegExp) => page.getByRole('gridcell').getByRole('button', { name });

beforeEach(() => freshTab('EN'));

test('the calendar opens at the chosen day, which is marked', async () => {
  show(<Field mode="from" value={{ from: '2024-02-29', to: '' }} />);
  await openCalendar();
  await expect.element(cell(/29 February 2024/)).toHaveFocus();
  await expect.element(page.getByRole('gridcell', { selected: true })).toHaveTextContent('29');
});

test('of days of which one end is open the other one is marked', async () => {
  show(<Field mode="range" value={{ from: '', to: '2024-02-10' }} />);
  await openCalendar();
  await expect.element(page.getByRole('gridcell', { selected: true })).toHaveTextContent('10');
});

test('month and year are chosen from lists, and then the day', async () => {
  show(<Field mode="from" value={{ from: '2024-02-29', to: '' }} />);
  await openCalendar();
  await userEvent.selectOptions(page.getByRole('combobox', { name: /^month/i }), 'May');
  await userEvent.selectOptions(page.getByRole('combobox', { name: /^year/i }), '2019');
  await userEvent.click(cell(/17 May 2019/));
  await expect.element(page.getByRole('textbox', { name: 'Published' })).toHaveValue('2019-05-17');
});
