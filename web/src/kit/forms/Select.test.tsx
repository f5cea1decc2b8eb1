import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { Select } from './Select.tsx';
import { show } from '#kit/render.fixture.tsx';

test('a select is named by its label and shows what was chosen', async () => {
  function Choosing() {
    const [value, setValue] = useState<string>('month');
    return (
      <Select
        label="Period"
        value={value}
        onChange={setValue}
        options={[
          { id: 'month', label: 'Last month' },
          { id: 'year', label: 'This year' },
        ]}
      />
    );
  }
  show(<Choosing />);
  await page.getByRole('button', { name: 'Last month Period' }).click();
  await page.getByRole('option', { name: 'This year' }).click();
  await expect.element(page.getByRole('button', { name: 'This year Period' })).toBeInTheDocument();
});
