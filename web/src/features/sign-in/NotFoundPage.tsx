import { Button } from '#kit/buttons/Button.tsx';
import { t } from '#platform/language.ts';
import { CardPage } from './CardPage.tsx';

/** Any address that is no page of ours (A7). */
export function NotFoundPage({ onBack }: { readonly onBack: () => void }) {
  return (
    <CardPage title={t('page.notFound')} lead={t('page.notFoundLead')}>
      <Button kind="primary" size="l" wide onClick={onBack}>
        {t('page.backToPortal')}
      </Button>
    </CardPage>
  );
}
