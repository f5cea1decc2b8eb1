import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { AccessibilityStatement } from '#features/accessibility/AccessibilityStatement.tsx';
import { PublicFrame } from '#features/sign-in/PublicFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { t } from '#platform/language.ts';
import css from './AccessibilityPage.module.css';
import { createQueryClient } from './query-client.ts';

/** `/accessibility`: public; its code is not loaded with the workspace. */
export function AccessibilityPage({ onBack }: { readonly onBack: () => void }) {
  const [queries] = useState(createQueryClient);
  return (
    <PublicFrame
      title={t('accessibility.title')}
      layout="page"
      here="/accessibility"
      action={<Button onClick={onBack}>{t('page.backToPortal')}</Button>}
    >
      <h1 className={css['title']}>{t('accessibility.title')}</h1>
      <div className={css['sheet']}>
        <QueryClientProvider client={queries}>
          <AccessibilityStatement firstLevel={2} />
        </QueryClientProvider>
      </div>
    </PublicFrame>
  );
}
