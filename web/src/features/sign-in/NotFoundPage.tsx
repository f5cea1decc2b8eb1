import { Button } from '#kit/buttons/Button.tsx';
import { t } from '#platform/language.ts';
import { Card } from './Card.tsx';
import { PublicFrame } from './PublicFrame.tsx';

/** Any address that is no page of ours (A7). */
export function NotFoundPage({ onBack }: { readonly onBack: () => void }) {
  return (
    <PublicFrame title={t('page.notFound')}>
      <Card title={t('page.notFound')} lead={t('page.notFoundLead')}>
        <Button kind="primary" size="l" wide onClick={onBack}>
          {t('page.backToPortal')}
        </Button>
      </Card>
    </PublicFrame>
  );
}
