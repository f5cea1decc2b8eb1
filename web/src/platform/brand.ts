import { getLogo } from '@pergamin/contract';
import { t } from './language.ts';

/** Product, organisation and logo as an installation may have set them (L3). */
export const brand = (): { readonly name: string; readonly organisation: string; readonly logoUrl: string } => ({
  name: t('brand.product'),
  organisation: t('brand.organisation'),
  logoUrl: getLogo.path,
});

/** Where days begin and end: where the organisation is, not where the customer travels (D14). */
export const organisationTimeZone = (): string => t('brand.timeZone');
