import { sealDoubts } from '@pergamin/contract';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';
import { IssuerSeal } from './IssuerSeal.tsx';

const signedOn = Date.UTC(2026, 10, 20, 9);

beforeEach(() => freshTab('EN'));

test('a valid seal of the issuer tells by whom and when it was made', async () => {
  show(<IssuerSeal seal={{ state: 'VALID', signer: 'Bank Wiślany S.A.', signedOn, doubt: null }} />);
  await expect.element(page.getByRole('heading', { name: 'Seal of the issuer: valid' })).toBeVisible();
  await expect.element(page.getByText('Signed by Bank Wiślany S.A.')).toBeVisible();
  await expect.element(page.getByText(/^Date in the seal: .*2026/)).toBeVisible();
});

test.each(sealDoubts)('a seal that was not verified wholly says plainly what is not known: %s', async (doubt) => {
  show(<IssuerSeal seal={{ state: 'INDETERMINATE', signer: 'Bank', signedOn: null, doubt }} />);
  await expect.element(page.getByRole('heading', { name: 'Seal of the issuer: not fully verified' })).toBeVisible();
  await expect.element(page.getByText('The seal names Bank')).toBeVisible();
  expect(page.getByRole('paragraph').elements()).toHaveLength(2);
});
