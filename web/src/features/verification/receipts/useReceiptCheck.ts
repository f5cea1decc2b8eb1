import { useEffect, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';
import { createReceiptCheck, type ReceiptCheck, type ReceiptState } from './receipt-check.store.ts';

/** Verification by receipt for one screen, forgotten with it. `parts` are those of its first render. */
export function useReceiptCheck(parts: Pick<Parameters<typeof createReceiptCheck>[0], 'hash' | 'loadKeys'>): ReceiptCheck {
  const [check] = useState(() => createReceiptCheck({ ...parts, onChecked: (state) => void tellChecked(state) }));
  useEffect(() => check.stop, [check]);
  return check;
}

const tellChecked = async ({ checked, file }: ReceiptState): Promise<void> => {
  if (checked === undefined || file === undefined) return;
  const { answersOf, receiptVerdictOf } = await import('./receipt-answers.ts');
  const answers = answersOf(checked).map(({ tone, title }) => `${t(`verify.tone.${tone}`)}: ${title}`);
  announce([`${file.name}: ${receiptVerdictOf(checked).title}`, ...answers].join('. '), checked.isProved ? 'polite' : 'assertive');
};
