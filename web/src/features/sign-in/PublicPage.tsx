import { Button } from '#kit/Button.tsx';
import { t } from '#platform/language.ts';
import { PublicFrame } from './PublicFrame.tsx';
import css from './PublicPage.module.css';

/** `/login`: what anybody may see, and the way to one's own documents. */
export function PublicPage({ onLogIn }: { readonly onLogIn: () => void }) {
  return (
    <PublicFrame
      title={t('publicView.title')}
      layout="page"
      action={
        <Button kind="primary" icon="sign-in" onClick={onLogIn}>
          {t('signIn.logIn')}
        </Button>
      }
    >
      <h1 className={css['title']}>{t('publicView.title')}</h1>
      <p className={css['lead']}>{t('publicView.lead')}</p>
      <section className={css['panel']} aria-labelledby="own-documents">
        <h2 id="own-documents">{t('publicView.ownDocuments')}</h2>
        <p>{t('publicView.ownDocumentsLead')}</p>
      </section>
    </PublicFrame>
  );
}
