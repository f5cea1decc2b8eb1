import { getLogo } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import css from './Brand.module.css';

/** Logo, product and organisation; the logo is the installation's own when it has one (L3). */
export function Brand() {
  return (
    <span className={css['brand']}>
      <img src={getLogo.path} alt="" width="36" height="36" />
      <span>
        <b>{t('brand.product')}</b>
        <small>{t('brand.organisation')}</small>
      </span>
    </span>
  );
}
