import type { DocumentSeal } from '@pergamin/contract';
import { Icon } from '#kit/icons/Icon.tsx';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import css from './IssuerSeal.module.css';

/** What is known of the electronic seal in the PDF itself, by which its issuer signed it. */
export function IssuerSeal({ seal: { state, signer, signedOn, doubt } }: { readonly seal: DocumentSeal }) {
  return (
    <section className={css['seal']}>
      <h3>
        <Icon name={state === 'VALID' ? 'check-circle-fill' : 'info'} />
        {t(state === 'VALID' ? 'viewer.issuerSealValid' : 'viewer.issuerSealOpen')}
      </h3>
      {doubt !== null && <p>{t(`viewer.issuerSeal.${doubt}`)}</p>}
      {signer !== null && <p>{t(state === 'VALID' ? 'viewer.issuerSealBy' : 'viewer.issuerSealSays', { signer })}</p>}
      {signedOn !== null && <p>{t('viewer.issuerSealOn', { moment: momentText(signedOn) })}</p>}
    </section>
  );
}
