import { useEffect, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';
import type { Hasher } from '#features/verification/hasher.ts';
import { createReceiptCheck, type ReceiptCheck, type ReceiptState } from './receipt-check.store.ts';

interface Parts {
  readonly createHasher: () => Hasher;
  readonly loadKeys: () => Promise<string | undefined>;
}

/** Verification by receipt for one screen, forgotten with it. `parts` are those of its first render. */
export function useReceiptCheck({ createHasher, loadKeys }: Parts): ReceiptCheck {
  const [{ check, close }] = useState(() => {
    let hasher: Hasher | undefined;
    return {
      close: () => hasher?.close(),
      check: createReceiptCheck({
        // Most people never verify by receipt: its worker starts with the first file.
        hasher: { hash: (file, order) => (hasher ??= createHasher()).hash(file, order) },
        loadKeys,
        onChecked: (state) => void tellChecked(state),
      }),
    };
  });
  useEffect(
    () => () => {
      check.stop();
      close();
    },
    [check, close],
  );
  return check;
}

const tellChecked = async ({ checked, file }: ReceiptState): Promise<void> => {
  if (checked === undefined || file === undefined) return;
  const { answersOf, receiptVerdictOf } = await import('./receipt-answers.ts');
  const answers = answersOf(checked).map(({ tone, title }) => `${t(`verify.tone.${tone}`)}: ${title}`);
  announce([`${file.name}: ${receiptVerdictOf(checked).title}`, ...answers].join('. '), checked.isProved ? 'polite' : 'assertive');
};
